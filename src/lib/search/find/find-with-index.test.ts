import { execFile, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../../../test/support/temp-dir.ts';
import type { Grant } from '../../../core/files.ts';
import { type Ask, askWith, type IndexAnswer } from '../index/ask-index.ts';
import type { Coverage } from '../index/coverage.ts';
import { findPaths } from './find.ts';
import type { FindQuery } from './find-part.ts';

const grantOf = (root: string): Grant => ({ root, access: 'read', byHandles: false, dry: false, counters: new SharedArrayBuffer(16) });

const find = async (root: string, wanted: Partial<FindQuery>, askIndex: () => Promise<IndexAnswer | undefined>) => {
  const query: FindQuery = { pattern: '*.txt', exclude: [], filesOnly: true, most: 1_000, after: null, ...wanted };
  const { paths, areFirst } = await findPaths({
    grant: grantOf(root),
    shown: root,
    query,
    signal: new AbortController().signal,
    askIndex,
    patienceMs: 0,
  });
  return { areFirst, found: paths.map((path) => path.slice(root.length + 1)) };
};

/** A time that lies between what was done before and what is done next, on the clock of the file system. */
const between = (dir: TempDir): number => {
  const stamp = () => {
    writeFileSync(dir.at('stamp'), '');
    return lstatSync(dir.at('stamp')).ctimeMs;
  };
  const before = stamp();
  let after = before;
  while (after <= before) after = stamp();
  return before;
};

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;
const run = promisify(execFile);

describe.skipIf(!isThere('plocate') || !isThere('updatedb.plocate'))('an index that plocate made', () => {
  /** Makes a tree and an index of it; afterwards the tree may be changed. */
  const indexed = async (files: readonly string[], { isPruned = () => false }: Partial<Coverage> = {}) => {
    const dir = tempDir(Object.fromEntries(files.map((name) => [`tree/${name}`, ''])));
    const root = dir.at('tree');
    const database = dir.at('index.db');
    await run('updatedb.plocate', [
      '-U',
      root,
      '-o',
      database,
      '--prunepaths',
      '',
      '--prunefs',
      '',
      '--prune-bind-mounts',
      'no',
      '-l',
      'no',
    ]);
    const coverage: Coverage = { asOfMs: between(dir), isPruned };
    const asked: string[] = [];
    const ask: Ask = async ([program, ...words]) => {
      asked.push(program);
      return run(program, words).then(
        ({ stdout }) => stdout,
        () => '',
      );
    };
    const index = { name: 'plocate' as const, program: 'plocate', locate: { database, rules: '' } };
    const search = (pattern: string, wanted: Partial<FindQuery> = {}) =>
      find(root, { pattern, ...wanted }, () => askWith(index, root, pattern, ask, coverage));
    return { dir, search, asked, [Symbol.dispose]: () => dir[Symbol.dispose]() };
  };
  const FILES = ['a/one.txt', 'a/two.md', 'b/c/three.TXT', 'b/c/.four.txt', 'five.txt', 'x*y/six.txt'];
  const TEXTS = ['a/one.txt', 'b/c/.four.txt', 'b/c/three.TXT', 'five.txt', 'x*y/six.txt'];

  test('gives what a walk gives', async () => {
    using tree = await indexed(FILES);
    expect(await tree.search('*.txt')).toEqual({ areFirst: true, found: TEXTS });
    expect(tree.asked).toEqual(['plocate']);
    expect((await tree.search('b/**/*.txt')).found).toEqual(['b/c/.four.txt', 'b/c/three.TXT']);
    expect((await tree.search('*.txt', { exclude: ['c'] })).found).toEqual(['a/one.txt', 'five.txt', 'x*y/six.txt']);
    expect((await tree.search('*.txt', { most: 2 })).found).toEqual(TEXTS.slice(0, 2));
    expect((await tree.search('*.txt', { after: 'b/c/.four.txt' })).found).toEqual(TEXTS.slice(2));
    expect((await tree.search('*three*', { filesOnly: false })).found).toEqual(['b/c/three.TXT']);
    expect((await tree.search('*nothing*')).found).toEqual([]);
  });

  test('is not asked for what it is no faster at', async () => {
    using tree = await indexed(FILES);
    for (const pattern of ['*', '*.t?', '*.{txt,md}', '*.k']) await tree.search(pattern);
    expect(tree.asked).toEqual([]);
    expect((await tree.search('*')).found).toHaveLength(6);
  });

  test('gives nothing that is gone', async () => {
    using tree = await indexed(FILES);
    rmSync(tree.dir.at('tree/a/one.txt'));
    rmSync(tree.dir.at('tree/b'), { recursive: true });
    expect((await tree.search('*.txt')).found).toEqual(['five.txt', 'x*y/six.txt']);
  });

  test('does not hide what is new', async () => {
    using tree = await indexed(FILES);
    tree.dir.write('tree/a/new.txt', '');
    tree.dir.write('tree/b/c/d/new.txt', '');
    tree.dir.write('tree/new.txt', '');
    expect((await tree.search('*.txt')).found).toEqual([...TEXTS, 'a/new.txt', 'b/c/d/new.txt', 'new.txt'].sort());
  });

  test('does not hide what was moved in', async () => {
    using tree = await indexed([...FILES, 'old/deep/er/moved.txt', 'old/deep/er/too/moved.txt']);
    renameSync(tree.dir.at('tree/old/deep'), tree.dir.at('tree/b/deep'));
    expect((await tree.search('*.txt')).found).toEqual([...TEXTS, 'b/deep/er/moved.txt', 'b/deep/er/too/moved.txt'].sort());
  });

  test('does not hide what took the place of another', async () => {
    using tree = await indexed([...FILES, 'p/q/r/old.txt', 's/q/r/new.txt']);
    rmSync(tree.dir.at('tree/p/q'), { recursive: true });
    renameSync(tree.dir.at('tree/s/q'), tree.dir.at('tree/p/q'));
    expect((await tree.search('*.txt')).found).toEqual([...TEXTS, 'p/q/r/new.txt'].sort());
  });

  test('does not hide what it leaves out', async () => {
    using tree = await indexed([...FILES, '.git/refs/x/left.txt'], { isPruned: (name) => name === '.git' });
    expect((await tree.search('*left*')).found).toEqual(['.git/refs/x/left.txt']);
  });

  test('spares reading directories that have not changed', async () => {
    using dir = tempDir({ 'tree/a/one.txt': '', 'tree/two.txt': '' });
    const coverage: Coverage = { asOfMs: between(dir), isPruned: () => false };
    // An answer that holds nothing shows which directories were not read.
    expect((await find(dir.at('tree'), {}, async () => ({ paths: [], coverage }))).found).toEqual(['two.txt']);
  });

  test('does not hide directories that were empty', async () => {
    using dir = tempDir({ 'tree/a/one.txt': '' });
    mkdirSync(dir.at('tree/empty/deep'), { recursive: true });
    const coverage: Coverage = { asOfMs: between(dir), isPruned: () => false };
    dir.write('tree/empty/deep/new.txt', '');
    const { found } = await find(dir.at('tree'), {}, async () => ({ paths: [dir.at('tree/a/one.txt')], coverage }));
    expect(found).toEqual(['a/one.txt', 'empty/deep/new.txt']);
  });
});

describe('an index that does not tell what it covers', () => {
  const tree = () => tempDir(Object.fromEntries(['a/1.txt', 'b/2.txt', 'c/3.txt'].map((name) => [name, ''])));
  const answer =
    (dir: TempDir, ...names: string[]) =>
    async () => ({ paths: names.map(dir.at), coverage: undefined });

  test('answers when it knows as many as are wanted, of those that are there', async () => {
    using dir = tree();
    const askIndex = answer(dir, 'c/3.txt', 'b/2.txt', 'b/gone.txt', 'b/other.md');
    expect(await find(dir.path, { most: 2 }, askIndex)).toEqual({ areFirst: false, found: ['b/2.txt', 'c/3.txt'] });
  });

  test('does not answer when it knows fewer', async () => {
    using dir = tree();
    expect(await find(dir.path, { most: 2 }, answer(dir, 'c/3.txt'))).toEqual({ areFirst: true, found: ['a/1.txt', 'b/2.txt'] });
    expect(await find(dir.path, {}, async () => undefined)).toEqual({ areFirst: true, found: ['a/1.txt', 'b/2.txt', 'c/3.txt'] });
  });

  test('is asked in its own words', async () => {
    const asked: (readonly string[])[] = [];
    const ask: Ask = async (words) => {
      asked.push(words);
      return '/r/a"b.txt\r\n';
    };
    expect(await askWith({ name: 'es', program: 'es' }, '/r', '*.txt', ask, undefined)).toEqual({
      paths: ['/r/a"b.txt'],
      coverage: undefined,
    });
    await askWith({ name: 'mdfind', program: 'mdfind' }, '/r', 'a"b.txt*', ask, undefined);
    expect(asked).toEqual([
      ['es', '-path', '/r', '.txt'],
      ['mdfind', '-0', '-onlyin', '/r', 'kMDItemFSName == "*a\\"b.txt*"c'],
    ]);
  });
});
