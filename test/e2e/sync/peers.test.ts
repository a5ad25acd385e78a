import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createInstance } from '../../../src/app/create.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { snapshot } from './snapshot.ts';
import { grow, type Tree, trees } from './trees.ts';

const factotum = createInstance({ log: { level: 'silent' } });
afterAll(() => factotum.close());

const answerOf = async (name: string, args: object): Promise<unknown> => {
  const { results } = await factotum.run([[name, args]]);
  expect(results[0]).toMatchObject({ status: 'ok' });
  return results[0]?.value;
};

const isThere = (name: string) => spawnSync(name, ['--version']).status === 0;

const withTrees = async (left: Tree, right: Tree, work: (dir: TempDir) => Promise<void>): Promise<void> => {
  using dir = tempDir();
  grow(dir.at('left'), left);
  grow(dir.at('right'), right);
  await work(dir);
};

const looks = { mode: 0o644, seconds: 1_000_000_000 } as const;
const NOTHING: Tree = { files: [], dirs: [], links: [] };
const ONE_FILE: Tree = { ...NOTHING, files: [[['a'], 'one', looks]] };
// Trees that properties failed with once.
const HOLLOW: Tree = { ...NOTHING, dirs: [['a', 'b.txt']] };
const TO_ITSELF: Tree = { ...NOTHING, dirs: [['B.TXT', 'B.TXT', 'a']], links: [[['B.TXT', 'a'], 'a']] };
const BELOW_IT: Tree = { ...NOTHING, files: [[['B.TXT', 'a', 'a', 'a'], '', looks]] };

describe.skipIf(!isThere('rsync'))('FA_sync_dir does what rsync does', () => {
  test.each([
    ['size and time', { compare: 'size_mtime' }, ['-a', '--delete']],
    ['content', { compare: 'checksum' }, ['-ac', '--delete']],
    ['content, without deleting', { compare: 'checksum', delete: false }, ['-ac', '--force']],
  ] as const)('by %s', { timeout: 300_000 }, (_by, args, words) =>
    fc.assert(
      fc.asyncProperty(trees, trees, (left, right) =>
        withTrees(left, right, async (dir) => {
          execFileSync('cp', ['-a', dir.at('right'), dir.at('peer')]);
          const how = { delete: true, max_delete_share: 1, tolerance_s: 0, ...args };
          const isEmptySource = execFileSync('find', [dir.at('left'), '!', '-type', 'd']).length === 0;
          if (isEmptySource && how.delete) return; // directories alone are nothing to us, and the list is refused
          const clashes = spawnSync('rsync', [...words, `${dir.at('left')}/`, `${dir.at('peer')}/`], { encoding: 'utf8' });
          expect(clashes.stderr).toBe('');
          const { results } = await factotum.run([['FA_sync_dir', { src: dir.at('left'), dst: dir.at('right'), ...how }]]);
          if (!how.delete && results[0]?.error?.type === 'SyncException') return; // a directory in the way stays with us
          expect(results[0]).toMatchObject({ status: 'ok', value: { errors: [] } });
          expect(snapshot(dir.at('right'))).toEqual(snapshot(dir.at('peer')));
          if (how.delete && how.compare === 'checksum') expect(snapshot(dir.at('right'))).toEqual(snapshot(dir.at('left')));
          expect(await answerOf('FA_sync_dir', { src: dir.at('left'), dst: dir.at('right'), ...how })).toMatchObject({
            copied: [],
            deleted: [],
          });
        }),
      ),
      { numRuns: 40, examples: [[HOLLOW, ONE_FILE]] },
    ),
  );
});

describe('FA_copy_dir does what cp -a does', () => {
  test('with every tree', { timeout: 180_000 }, () =>
    fc.assert(
      fc.asyncProperty(trees, (tree) =>
        withTrees(tree, NOTHING, async (dir) => {
          execFileSync('cp', ['-a', dir.at('left'), dir.at('peer')]);
          await answerOf('FA_copy_dir', { dir_path: dir.at('left'), target_dir_path: dir.at('ours') });
          expect(snapshot(dir.at('ours'))).toEqual(snapshot(dir.at('peer')));
        }),
      ),
      { numRuns: 40 },
    ),
  );
});

describe('FA_copy_dir merges as cp -a does', () => {
  test('into every tree where nothing is in the way', { timeout: 180_000 }, () =>
    fc.assert(
      fc.asyncProperty(trees, trees, (left, right) =>
        withTrees(left, right, async (dir) => {
          execFileSync('cp', ['-a', dir.at('right'), dir.at('peer')]);
          const copy = spawnSync('cp', ['-a', '--remove-destination', `${dir.at('left')}/.`, dir.at('peer')]);
          const before = snapshot(dir.at('right'));
          const { ok } = await factotum.run([['FA_copy_dir', [dir.at('left'), dir.at('right')]]]);
          expect(ok).toBe(copy.status === 0);
          expect(snapshot(dir.at('right'))).toEqual(ok ? snapshot(dir.at('peer')) : before);
        }),
      ),
      { numRuns: 30 },
    ),
  );
});

describe.skipIf(!isThere('diff'))('FA_diff_dirs finds what diff -r finds', () => {
  /** Files and links, by path. */
  const leavesOf = (root: string) =>
    execFileSync('find', [root, '-mindepth', '1', '!', '-type', 'd', '-printf', '%P\\0'], { encoding: 'utf8' })
      .split('\0')
      .filter((each) => each !== '');

  test('with every two trees', { timeout: 300_000 }, () =>
    fc.assert(
      fc.asyncProperty(trees, trees, (left, right) =>
        withTrees(left, right, async (dir) => {
          const [before, after] = [leavesOf(dir.at('left')), leavesOf(dir.at('right'))];
          const differs = (path: string) =>
            spawnSync('diff', ['-rq', '--no-dereference', '--', dir.at(`left/${path}`), dir.at(`right/${path}`)]).status !== 0;
          const value = await answerOf('FA_diff_dirs', { left: dir.at('left'), right: dir.at('right') });
          expect(value).toEqual({
            added: after.filter((path) => !before.includes(path)).sort(),
            removed: before.filter((path) => !after.includes(path)).sort(),
            changed: before.filter((path) => after.includes(path) && differs(path)).sort(),
          });
          await answerOf('FA_apply_dir_diff', { diff: value, target: dir.at('left'), source: dir.at('right') });
          expect(leavesOf(dir.at('left')).sort()).toEqual(after.sort());
          expect(after.filter(differs)).toEqual([]);
        }),
      ),
      { numRuns: 25, examples: [[TO_ITSELF, BELOW_IT]] },
    ),
  );
});
