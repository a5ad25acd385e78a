import { lstatSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildTar } from '../../../../test/support/archives/build-tar.ts';
import { treeOf } from '../../../../test/support/archives/tree.ts';
import { openHouse, type TestHouse } from '../../../../test/support/house.ts';

const MTIME = '2024-01-02T03:04:05Z';
const TAR = buildTar(
  [
    { type: 'file', name: 'a.txt', data: 'new', mtime: MTIME },
    { type: 'dir', name: 'd/', mode: '0700', mtime: MTIME },
    { type: 'file', name: 'd/b.txt', data: 'new', mtime: MTIME },
    { type: 'file', name: 'a (2).txt', data: 'second', mtime: MTIME },
  ],
  { root: '/R', archive: () => Buffer.alloc(0) },
);

const extract = async (house: TestHouse, options: Record<string, unknown> = {}) =>
  (await house.run([['FA_extract_tar', { source: 'o.tar', target_dir: 'x', ...options }]])).results[0];
const contents = (house: TestHouse): Record<string, string | undefined> =>
  Object.fromEntries(
    [...treeOf(house.dir.at('x')).keys()].filter((name) => !name.endsWith('/')).map((name) => [name, house.dir.read(`x/${name}`)]),
  );

describe('extracting where files are', () => {
  const there = { 'o.tar': TAR, 'x/a.txt': 'old', 'x/other.txt': 'keep' };

  test('overwrites by default and leaves the rest', async () => {
    await using house = openHouse({ files: there });
    expect((await extract(house))?.value).toEqual(['a.txt', 'd', 'd/b.txt', 'a (2).txt']);
    expect(contents(house)).toEqual({ 'a.txt': 'new', 'a (2).txt': 'second', 'd/b.txt': 'new', 'other.txt': 'keep' });
  });

  test('can skip them', async () => {
    await using house = openHouse({ files: there });
    expect((await extract(house, { on_conflict: 'skip' }))?.value).toEqual(['d', 'd/b.txt', 'a (2).txt']);
    expect(contents(house)).toEqual({ 'a.txt': 'old', 'a (2).txt': 'second', 'd/b.txt': 'new', 'other.txt': 'keep' });
  });

  test('can give new names, which no other entry has', async () => {
    await using house = openHouse({ files: there });
    expect((await extract(house, { on_conflict: 'rename' }))?.value).toEqual(['a (3).txt', 'd', 'd/b.txt', 'a (2).txt']);
    expect(contents(house)).toEqual({ 'a.txt': 'old', 'a (3).txt': 'new', 'a (2).txt': 'second', 'd/b.txt': 'new', 'other.txt': 'keep' });
  });

  test('can refuse, and then writes nothing', async () => {
    await using house = openHouse({ files: there });
    const before = treeOf(house.dir.path);
    expect((await extract(house, { on_conflict: 'error' }))?.error).toMatchObject({
      type: 'TarException',
      context: { path: house.dir.at('x/a.txt') },
    });
    expect(treeOf(house.dir.path)).toEqual(before);
  });

  test('can leave those of the same size and time', async () => {
    await using house = openHouse({ files: { ...there, 'x/d/b.txt': 'old' } });
    utimesSync(house.dir.at('x/a.txt'), new Date(MTIME), new Date(MTIME));
    await extract(house, { on_conflict: 'skip_if_same' });
    expect(contents(house)).toMatchObject({ 'a.txt': 'old', 'd/b.txt': 'new' });
  });

  test.each([
    ['a directory where a file goes', (house: TestHouse) => mkdirSync(house.dir.at('x/a.txt'), { recursive: true }), 'TarException'],
    ['a file where a directory goes', (house: TestHouse) => house.dir.write('x/d', 'file'), 'TarException'],
    ['a file where the target goes', (house: TestHouse) => house.dir.write('x', 'file'), 'TarException'],
    [
      'a link to a directory inside',
      (house: TestHouse) => {
        mkdirSync(house.dir.at('x/real'), { recursive: true });
        symlinkSync('real', house.dir.at('x/d'));
      },
      'PathTraversalException',
    ],
    [
      'a link to nowhere where a file goes',
      (house: TestHouse) => {
        mkdirSync(house.dir.at('x'));
        symlinkSync('nowhere', house.dir.at('x/a.txt'));
      },
      'PathTraversalException',
    ],
  ])('refuses %s whatever is asked', async (_, prepare, type) => {
    await using house = openHouse({ files: { 'o.tar': TAR } });
    prepare(house);
    const before = treeOf(house.dir.path);
    expect((await extract(house))?.error?.type).toBe(type);
    expect(treeOf(house.dir.path)).toEqual(before);
  });

  test('keeps mode and time of a directory that was there and sets those of a new one', async () => {
    await using house = openHouse({ files: { 'o.tar': TAR, 'x/old': '' } });
    await extract(house);
    const made = lstatSync(house.dir.at('x/d'));
    expect([made.mode.toString(8), made.mtimeMs]).toEqual(['40700', Date.parse(MTIME)]);
    utimesSync(house.dir.at('x/d'), 1_000_000, 1_000_000);
    await extract(house, { on_conflict: 'skip' });
    expect(lstatSync(house.dir.at('x/d')).mtimeMs).toBe(1_000_000_000);
  });

  test('foretells the same', async () => {
    await using house = openHouse({ files: there });
    const { results } = await house.run({ actions: [['FA_extract_tar', ['o.tar', 'x']]], dry_run: true });
    expect(results[0]?.plan?.effects.map(({ kind, target }) => `${kind} ${target.slice(house.dir.path.length + 1)}`)).toEqual([
      'read o.tar',
      'overwrite x/a.txt',
      'create x/d',
      'create x/d/b.txt',
      'create x/a (2).txt',
    ]);
  });
});
