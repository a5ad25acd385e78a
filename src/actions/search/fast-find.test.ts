import { symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { createPolicy } from '../../access/policy.ts';
import { createInstance } from '../../app/create.ts';
import type { Outcome } from '../../core/result.ts';

const factotum = createInstance({ log: { level: 'silent' } });
afterAll(() => factotum.close());

/** A caller who may read below one directory. */
const limitedTo = (root: string) => ({ caller: { name: 'limited', policy: createPolicy({ readOnly: [root] }), remote: true } });

const find = async (root: string, args: object = {}, options: Parameters<typeof factotum.run>[1] = {}): Promise<Outcome> => {
  const { results } = await factotum.run([['FA_fast_find', { root, use_index: false, ...args }]], options);
  const [outcome] = results;
  if (outcome === undefined) throw new Error('no outcome');
  return outcome;
};

/** What was found, as paths below the directory. */
const found = ({ value }: Outcome, { path }: TempDir): string[] =>
  (value as string[]).map((each) => (each.startsWith(`${path}/`) ? each.slice(path.length + 1) : `OUTSIDE ${each}`));

const FILES = ['.hidden.txt', 'a-b', 'a.txt', 'a/x.TXT', 'a/y.md', 'b/.git/config', 'b/c/d.txt'];
const tree = () => tempDir(Object.fromEntries(FILES.map((name) => [name, ''])));

describe('FA_fast_find', () => {
  test.each<[object, readonly string[]]>([
    [{}, FILES],
    [{ pattern: '*.txt' }, ['.hidden.txt', 'a.txt', 'a/x.TXT', 'b/c/d.txt']],
    [{ pattern: 'A*' }, ['a-b', 'a.txt']],
    [{ pattern: '{a,b}*', files_only: false }, ['a', 'a-b', 'a.txt', 'b']],
    [{ pattern: 'b/**' }, ['b/.git/config', 'b/c/d.txt']],
    [{ pattern: '*/?.txt' }, ['a/x.TXT']],
    [{ exclude: ['.git', '*.md'] }, ['.hidden.txt', 'a-b', 'a.txt', 'a/x.TXT', 'b/c/d.txt']],
    [{ exclude: ['b/c'] }, ['.hidden.txt', 'a-b', 'a.txt', 'a/x.TXT', 'a/y.md', 'b/.git/config']],
    [{ limit: 2 }, ['.hidden.txt', 'a-b']],
    [{ limit: 0 }, []],
  ])('%j gives %j', async (args, names) => {
    using dir = tree();
    expect(found(await find(dir.path, args), dir)).toEqual(names);
  });

  test('an index changes nothing of the answer', async () => {
    using dir = tree();
    expect(found(await find(dir.path, { use_index: true, pattern: '*.txt' }), dir)).toHaveLength(4);
  });

  test('pages put together are the whole', async () => {
    using dir = tree();
    for (const [files_only, whole] of [
      [true, FILES],
      [false, [...FILES, 'a', 'b', 'b/.git', 'b/c'].sort()],
    ] as const) {
      const pages: string[] = [];
      let cursor: unknown = null;
      do {
        const outcome = await find(dir.path, { limit: 2, cursor, files_only });
        pages.push(...found(outcome, dir));
        cursor = outcome.notes?.find(({ kind }) => kind === 'truncated')?.cursor ?? null;
      } while (cursor !== null);
      expect(pages).toEqual(whole);
    }
  });

  test('an answer that is cut says so, one that is whole does not', async () => {
    using dir = tree();
    expect((await find(dir.path, { limit: FILES.length })).notes).toBeUndefined();
    expect((await find(dir.path, { limit: 1 })).notes).toEqual([
      {
        kind: 'truncated',
        message: 'There are more than 1; give the cursor to go on behind the last one.',
        limit: 1,
        cursor: '.hidden.txt',
      },
    ]);
  });

  test('a root that is a link is shown as it was called', async () => {
    using dir = tempDir({ 'real/a.txt': '' });
    symlinkSync('real', dir.at('link'));
    expect(found(await find(dir.at('link')), dir)).toEqual(['link/a.txt']);
  });

  test('links that lead in circles or out are told, not entered', async () => {
    using dir = tempDir({ 'd/a.txt': '', 'o/secret.txt': '' });
    symlinkSync('.', dir.at('d/loop'));
    symlinkSync('../o', dir.at('d/out'));
    expect(found(await find(dir.at('d'), { files_only: false }), dir)).toEqual(['d/a.txt', 'd/loop', 'd/out']);
    expect(found(await find(dir.at('d')), dir)).toEqual(['d/a.txt']);
  });

  test('a missing root and one that is a file hold nothing, which a note says', async () => {
    using dir = tree();
    for (const root of [dir.at('nowhere'), dir.at('a.txt')]) {
      const message = `No directory is at ${root}, so nothing was searched; check the path.`;
      expect(await find(root)).toMatchObject({ value: [], notes: [{ kind: 'missing', message, path: root }] });
    }
  });

  test('what cannot be read is told and left out where that is asked for', async () => {
    using dir = tempDir({ 'd/a.txt': '' });
    writeFileSync(Buffer.concat([Buffer.from(`${dir.path}/d/bad`), Buffer.from([0xff]), Buffer.from('.txt')]), '');
    const outcome = await find(dir.at('d'), { pattern: '*.txt', on_unreadable: 'skip' });
    expect(found(outcome, dir)).toEqual(['d/a.txt']);
    expect(outcome.notes).toEqual([
      { kind: 'unreadable', message: `${dir.path}/d/bad\\xff.txt could not be read.`, count: 1, paths: [`${dir.path}/d/bad\\xff.txt`] },
    ]);
    expect((await find(dir.at('d'), { pattern: '*.txt' })).error).toMatchObject({
      type: 'FileAccessException',
      context: { code: 'EILSEQ', summary: { value: [dir.at('d/a.txt')], failed_count: 1 } },
    });
  });

  test('a bad pattern is refused, in a dry run too', async () => {
    using dir = tree();
    for (const args of [{ pattern: '[' }, { pattern: '' }, { exclude: ['a', '../x'] }]) {
      expect(await find(dir.path, args)).toMatchObject({ status: 'failed', error: { type: 'ArgumentException' } });
      const { results } = await factotum.run({ actions: [['FA_fast_find', { root: dir.path, ...args }]], dry_run: true });
      expect(results[0]).toMatchObject({ status: 'failed', error: { type: 'ArgumentException' } });
    }
  });

  test('a caller with limits finds only what lies below', async () => {
    using dir = tempDir({ 'mine/a.txt': '', 'mine/n/b.txt': '', 'theirs/c.txt': '' });
    symlinkSync('../theirs', dir.at('mine/out'));
    const limited = limitedTo(dir.at('mine'));
    expect(found(await find(dir.at('mine'), { use_index: true }, limited), dir)).toEqual(['mine/a.txt', 'mine/n/b.txt']);
    expect(await find(dir.path, {}, limited)).toMatchObject({ status: 'failed', error: { type: 'PolicyException' } });
    expect(await find(dir.at('mine/out'), {}, limited)).toMatchObject({ status: 'failed', error: { type: 'PolicyException' } });
  });

  test('a cancelled run stops it', async () => {
    using dir = tree();
    const controller = new AbortController();
    controller.abort();
    expect(await find(dir.path, {}, { signal: controller.signal })).toMatchObject({ status: 'cancelled' });
  });
});

test('FA_has_os_index names one of the known indexes or none', async () => {
  const { results } = await factotum.run([['FA_has_os_index']]);
  expect([null, 'plocate', 'locate', 'mdfind', 'es']).toContain(results[0]?.value);
});
