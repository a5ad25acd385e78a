import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createInstance } from '../../../src/app/create.ts';
import { isPlainPlace } from '../../support/plain-place.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';

const factotum = createInstance({ log: { level: 'silent' } });
afterAll(() => factotum.close());

const answerOf = async <T>(name: string, args: object): Promise<T> => {
  const { results } = await factotum.run([[name, args]]);
  expect(results[0]).toMatchObject({ status: 'ok' });
  return results[0]?.value as T;
};

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

const printed = (program: string, words: readonly string[], cwd: string): string => {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', cwd, maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
};

const names = fc.constantFrom('a', 'b.txt', '.c', 'é.md', 'x y', 'a-b', 'z.ts', '[q]');
const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const contents = fc.oneof(
  fc.constantFrom('', 'x', 'alpha', 'beta', 'gamma', 'same length 1', 'same length 2'),
  fc.constantFrom(70_000, 70_001, 300_000).map((length) => 'k'.repeat(length)),
  fc.constantFrom('1', '2').map((end) => 'long '.repeat(30_000) + end),
);

/** A tree with files, empty directories, links and second names; what cannot be made because something is in its way is left out. */
const trees = fc.record({
  files: fc.array(fc.tuple(paths, contents), { maxLength: 25 }),
  dirs: fc.array(paths, { maxLength: 3 }),
  links: fc.array(paths, { maxLength: 3 }),
  secondNames: fc.array(paths, { maxLength: 3 }),
});

const grow = ({ files, dirs, links, secondNames }: typeof trees extends fc.Arbitrary<infer T> ? T : never): TempDir => {
  const dir = tempDir();
  const attempt = (work: () => unknown) => {
    try {
      work();
    } catch {
      // something else is there already
    }
  };
  for (const [path, content] of files) attempt(() => dir.write(`d/${path}`, content));
  attempt(() => mkdirSync(dir.at('d')));
  for (const path of dirs) attempt(() => mkdirSync(dir.at(`d/${path}`), { recursive: true }));
  for (const path of links) attempt(() => isPlainPlace(dir.at(`d/${path}`)) && symlinkSync('..', dir.at(`d/${path}`)));
  for (const path of secondNames)
    attempt(() => isPlainPlace(dir.at(`d/${path}`)) && linkSync(dir.at(`d/${files[0]?.[0]}`), dir.at(`d/${path}`)));
  return dir;
};

/** Without names that stand for the same file as an earlier one: programs differ in which of them they tell. */
const firstNames = (dir: TempDir, groups: readonly (readonly string[])[]): string[][] => {
  const inodes = new Map(
    printed('find', ['.', '-type', 'f', '-printf', '%i %p\\0'], dir.at('d'))
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => [dir.at(`d/${line.slice(line.indexOf(' ') + 3)}`), line.slice(0, line.indexOf(' '))] as const),
  );
  const first = new Map<string, string>();
  for (const [path, inode] of [...inodes].sort()) if (!first.has(inode)) first.set(inode, path);
  return groups
    .map((group) => [...new Set(group.map((path) => first.get(inodes.get(path) ?? '') ?? path))].sort())
    .filter((group) => group.length > 1)
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
};

describe.skipIf(!isThere('jdupes'))('FA_find_duplicates finds what jdupes finds', () => {
  test.each([{}, { sample_bytes: 5 }, { digests: true }])('with %j', async (args) => {
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        using dir = grow(tree);
        const found = await answerOf<(string[] | { paths: string[] })[]>('FA_find_duplicates', { root: dir.at('d'), ...args });
        const groups = found.map((group) => (Array.isArray(group) ? group : group.paths));
        const theirs = printed('jdupes', ['-q', '-r', '-H', dir.at('d')], dir.path)
          .split('\n\n')
          .map((group) => group.split('\n').filter((line) => line !== ''));
        expect(groups.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))).toEqual(firstNames(dir, theirs));
      }),
      { numRuns: 30 },
    );
  });
});

type Listed = Readonly<Record<string, { readonly size: number; readonly checksum: string }>>;

describe.skipIf(!isThere('sha256sum'))('FA_write_manifest writes what sha256sum prints', () => {
  test.each(['md5', 'sha1', 'sha256', 'sha512'])('as %s', async (algorithm) => {
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        using dir = grow(tree);
        const { files } = await answerOf<{ files: Listed }>('FA_write_manifest', {
          root: dir.at('d'),
          manifest_path: dir.at('m.json'),
          algorithm,
        });
        const script = `find . -type f -print0 | xargs -0 -r ${algorithm}sum --zero`;
        const theirs = printed('sh', ['-c', script], dir.at('d'))
          .split('\0')
          .filter((line) => line !== '')
          .map((line) => line.split(/ [ *]\.\//) as [digest: string, path: string]);
        expect(Object.entries(files).map(([path, { checksum }]) => [checksum, path])).toEqual(
          theirs.toSorted(([, a], [, b]) => (a < b ? -1 : 1)),
        );
      }),
      { numRuns: 15 },
    );
  });
});

describe.skipIf(!isThere('hashdeep'))('FA_verify_manifest judges as hashdeep does', () => {
  test('after files were changed, removed and added', async () => {
    await fc.assert(
      fc.asyncProperty(trees, trees, async (before, after) => {
        using dir = grow({ ...before, links: [], secondNames: [] });
        using other = grow({ ...after, links: [], secondNames: [] });
        await answerOf('FA_write_manifest', { root: dir.at('d'), manifest_path: dir.at('m.json') });
        const known = printed('hashdeep', ['-c', 'sha256', '-r', '-l', '.'], dir.at('d'));
        fc.pre(/^\d+,/m.test(known)); // it cannot read its own list of nothing
        other.write('known', known);
        const verified = await answerOf<{ ok: boolean; extra: string[] }>('FA_verify_manifest', {
          root: other.at('d'),
          manifest_path: dir.at('m.json'),
        });
        // An audit passes only where nothing is new either.
        const { status } = spawnSync('hashdeep', ['-c', 'sha256', '-r', '-l', '-a', '-k', other.at('known'), '.'], { cwd: other.at('d') });
        expect(verified.ok && verified.extra.length === 0).toBe(status === 0);
      }),
      { numRuns: 30 },
    );
  });
});
