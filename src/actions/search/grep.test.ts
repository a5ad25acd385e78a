import { symlinkSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-ms.ts';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { createPolicy } from '../../access/policy.ts';
import { createInstance } from '../../app/create.ts';
import type { Outcome } from '../../core/result.ts';

const factotum = createInstance({ log: { level: 'silent' } });
afterAll(() => factotum.close());

const limitedTo = (root: string) => ({ caller: { name: 'limited', policy: createPolicy({ readOnly: [root] }), remote: true } });

const grep = async (root: string, args: object, options: Parameters<typeof factotum.run>[1] = {}): Promise<Outcome> => {
  const { results } = await factotum.run([['FA_grep', { root, ...args }]], options);
  const [outcome] = results;
  if (outcome === undefined) throw new Error('no outcome');
  return outcome;
};

interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Matches as `path:line:text`, below the directory. */
const found = ({ value }: Outcome, { path }: TempDir): string[] =>
  (value as Match[]).map((match) => `${match.path.slice(path.length + 1)}:${match.line}:${match.text}`);

const FILES = { 'a-b': 'one\n', 'a.txt': 'one\ntwo\nthree one\n', 'a/x.md': 'ONE\r\n', 'b/.git/config': 'one', 'b/c/d.txt': 'none\n' };

describe('FA_grep', () => {
  test('says whether its root is missing or no directory', async () => {
    using dir = tempDir({ a: '' });
    const refused = async (name: string) => (await grep(dir.at(name), { pattern: 'x' })).error?.message;
    expect(await refused('none')).toBe(`No directory is at ${dir.at('none')}; check the path.`);
    expect(await refused('a')).toBe(`${dir.at('a')} is no directory; give the one that it is in, and its name as glob.`);
  });

  test.each<[object, readonly string[]]>([
    [{ pattern: 'one' }, ['a-b:1:one', 'a.txt:1:one', 'a.txt:3:three one', 'b/.git/config:1:one', 'b/c/d.txt:1:none']],
    [{ pattern: 'one', glob: '*.txt' }, ['a.txt:1:one', 'a.txt:3:three one', 'b/c/d.txt:1:none']],
    [{ pattern: 'one', glob: '*.TXT' }, []],
    [{ pattern: 'one', glob: 'b/**' }, ['b/.git/config:1:one', 'b/c/d.txt:1:none']],
    [{ pattern: 'one', exclude: ['b', '*.txt'] }, ['a-b:1:one']],
    [{ pattern: 'oNE', ignore_case: true, glob: '{a-b,a/*}' }, ['a-b:1:one', 'a/x.md:1:ONE']],
    [{ pattern: '^ONE$', regex: true }, ['a/x.md:1:ONE']],
    [{ pattern: 't(wo|hree)', regex: true }, ['a.txt:2:two', 'a.txt:3:three one']],
    [{ pattern: '.', regex: true, max_matches: 2 }, ['a-b:1:one', 'a.txt:1:one']],
    [{ pattern: 't', max_line_len: 2 }, ['a.txt:2:tw…', 'a.txt:3:th…']],
  ])('%j gives %j', async (args, lines) => {
    using dir = tempDir(FILES);
    expect(found(await grep(dir.path, args), dir)).toEqual(lines);
  });

  test('lines around a match are given when they are asked for', async () => {
    using dir = tempDir(FILES);
    expect((await grep(dir.path, { pattern: 'two', before: 1, after: 5 })).value).toEqual([
      { path: dir.at('a.txt'), line: 2, text: 'two', before: ['one'], after: ['three one'] },
    ]);
  });

  test('pages put together are the whole', async () => {
    using dir = tempDir({ ...FILES, 'c/many': 'one\n'.repeat(7) });
    const whole = found(await grep(dir.path, { pattern: 'one' }), dir);
    expect(whole).toHaveLength(12);
    for (const max_matches of [1, 2, 5, 12]) {
      const pages: string[] = [];
      let cursor: unknown = null;
      do {
        const outcome = await grep(dir.path, { pattern: 'one', max_matches, cursor });
        pages.push(...found(outcome, dir));
        cursor = outcome.notes?.find(({ kind }) => kind === 'truncated')?.cursor ?? null;
      } while (cursor !== null);
      expect(pages).toEqual(whole);
    }
  });

  test('binary files are left out with a note', async () => {
    using dir = tempDir({ 'a.bin': 'one\0', 'b.bin': 'one\0', 'c.bin': '\0', d: 'one' });
    const outcome = await grep(dir.path, { pattern: 'one' });
    expect(found(outcome, dir)).toEqual(['d:1:one']);
    expect(outcome.notes).toMatchObject([{ kind: 'skipped', count: 2, paths: [dir.at('a.bin'), dir.at('b.bin')] }]);
  });

  test.each<[object, string]>([
    [{ pattern: '(', regex: true }, 'GrepException'],
    [{ pattern: '(a)\\1', regex: true }, 'GrepException'],
    [{ pattern: 'a', glob: '[' }, 'ArgumentException'],
    [{ pattern: 'a', exclude: [''] }, 'ArgumentException'],
    [{ pattern: 'a\nb' }, 'ArgumentException'],
    [{ pattern: 'a', cursor: 'x' }, 'ArgumentException'],
    [{ pattern: 'a', root: 'nowhere' }, 'GrepException'],
    [{ pattern: 'a', root: 'a.txt' }, 'GrepException'],
  ])('%j is refused with %s, in a dry run too', async (args, type) => {
    using dir = tempDir(FILES);
    const given = { ...args, root: dir.at('root' in args ? String(args.root) : '') };
    for (const dry_run of [false, true]) {
      const { results } = await factotum.run({ actions: [['FA_grep', given]], dry_run });
      expect(results[0]).toMatchObject({ status: 'failed', error: { type } });
    }
  });

  test('a hostile expression ends soon', async () => {
    using dir = tempDir({ a: `${'a'.repeat(50_000)}!\n` });
    const started = cpuMs();
    expect((await grep(dir.path, { pattern: '(a+)+$', regex: true })).value).toEqual([]);
    expect(cpuMs() - started).toBeLessThan(5_000);
  });

  test('a caller with limits sees only what lies below, links or not', async () => {
    using dir = tempDir({ 'mine/a.txt': 'one', 'theirs/c.txt': 'one' });
    symlinkSync('../theirs', dir.at('mine/out'));
    symlinkSync('../theirs/c.txt', dir.at('mine/link'));
    const limited = limitedTo(dir.at('mine'));
    expect(found(await grep(dir.at('mine'), { pattern: 'one' }, limited), dir)).toEqual(['mine/a.txt:1:one']);
    expect(await grep(dir.path, { pattern: 'one' }, limited)).toMatchObject({ status: 'failed', error: { type: 'PolicyException' } });
  });

  test('a cancelled run stops it', async () => {
    using dir = tempDir(FILES);
    const controller = new AbortController();
    controller.abort();
    expect(await grep(dir.path, { pattern: 'one' }, { signal: controller.signal })).toMatchObject({ status: 'cancelled' });
  });

  test('FA_grep_files is the same', async () => {
    using dir = tempDir(FILES);
    const { results } = await factotum.run([['FA_grep_files', [dir.path, 'two']]]);
    expect(results[0]?.value).toEqual([{ path: dir.at('a.txt'), line: 2, text: 'two' }]);
  });
});
