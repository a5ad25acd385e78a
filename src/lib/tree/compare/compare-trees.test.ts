import { cpSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import type { Grant } from '../../../core/files.ts';
import { newPartName } from '../../fs/part-name.ts';
import { type CompareOptions, compareTrees } from './compare-trees.ts';

const grantOf = (root: string, byHandles = false): Grant => ({
  root,
  access: 'read',
  byHandles,
  dry: false,
  counters: new SharedArrayBuffer(16),
});
const { signal } = new AbortController();
const HOW = { by: 'content', toleranceMs: 0, exclude: [], isCaseBlind: false, replacesDirectories: true, most: 1000, signal } as const;

const compare = (dir: { at(name: string): string }, how: Partial<CompareOptions> = {}, byHandles = false) =>
  compareTrees({ source: grantOf(dir.at('s'), byHandles), target: grantOf(dir.at('t'), byHandles), ...HOW, ...how });

describe.each([
  ['on one thread', { patienceMs: Number.POSITIVE_INFINITY }],
  ['on all threads', { patienceMs: 0 }],
])('comparing %s', (_how, { patienceMs }) => {
  test.each([
    ['by paths', false],
    ['by open directories', true],
  ])('%s tells all there is to do', async (_by, byHandles) => {
    using dir = tempDir({
      ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`s/same/${n % 9}/${n}`, `${n}`])),
      ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`t/same/${n % 9}/${n}`, `${n}`])),
      's/only/deep/a': '1',
      's/new': 'n',
      's/size': '1',
      't/size': '12',
      's/content': 'ab',
      't/content': 'ba',
      't/extra/x': 'x',
      't/extra-file': 'x',
      's/file-now/a': 'a',
      't/file-now': 'f',
      's/dir-now': 'd',
      't/dir-now/b': 'b',
    });
    for (const side of ['s', 't']) symlinkSync('same', dir.at(`${side}/link`));
    symlinkSync('one', dir.at('s/other-link'));
    symlinkSync('two', dir.at('t/other-link'));
    const { same, changed, missing, extras, inTheWay, links, faults } = await compare(dir, { patienceMs }, byHandles);
    expect(same.count).toBe(301);
    expect(changed.sort()).toEqual(['content', 'dir-now', 'other-link', 'size']);
    expect(missing.sort()).toEqual(['file-now/', 'new', 'only/']);
    expect(extras.sort((a, b) => (a.relative < b.relative ? -1 : 1))).toEqual([
      { relative: 'extra', kind: 'dir' },
      { relative: 'extra-file', kind: 'file' },
    ]);
    expect(inTheWay.sort((a, b) => (a.relative < b.relative ? -1 : 1))).toEqual([
      { relative: 'dir-now', kind: 'dir' },
      { relative: 'file-now', kind: 'file' },
    ]);
    expect([links, faults]).toEqual([['other-link'], []]);
  });
});

test('names that differ only in case are told where the target cannot hold both, and are no extras there', async () => {
  using dir = tempDir({ 's/a': '1', 's/A': '2', 's/b/x': '', 't/B/x': '' });
  const { faults, extras, missing } = await compare(dir, { isCaseBlind: true });
  expect(faults.map(({ relative }) => relative.toLowerCase())).toEqual(['a']);
  expect([extras, missing.map((each) => each.toLowerCase()).sort()]).toEqual([[], ['a', 'b/']]);
});

test('temporary files of ours count as neither', async () => {
  const [here, there] = [newPartName(), newPartName()];
  using dir = tempDir({ [`s/${here}`]: 'half', [`t/${there}`]: 'half', 's/a': '', 't/a': '' });
  const { same, missing, extras, parts } = await compare(dir);
  expect([same.names, missing, extras, parts]).toEqual([['a'], [], [], [{ relative: there, kind: 'file' }]]);
});

test('a directory in the way of a file is a fault unless it may be replaced', async () => {
  using dir = tempDir({ 's/a': 'a', 't/a/x': 'x' });
  const { faults, changed } = await compare(dir, { replacesDirectories: false });
  expect([faults.map(({ side, relative }) => [side, relative]), changed]).toEqual([[['target', 'a']], []]);
});

test('the content of files of equal size is told apart, wherever it differs', async () => {
  using dir = tempDir({ 's/f': '', 't/f': '' });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 400_000 }), fc.nat(), async (size, place) => {
      const bytes = Buffer.alloc(size, 1);
      dir.write('s/f', bytes);
      dir.write('t/f', bytes);
      expect((await compare(dir)).same.count).toBe(1);
      bytes[place % size] = 2;
      dir.write('t/f', bytes);
      expect((await compare(dir)).changed).toEqual(['f']);
    }),
    { numRuns: 30 },
  );
});

test('looks that differ are told apart from contents that do', async () => {
  using dir = tempDir({ 's/a': 'x' });
  mkdirSync(dir.at('t'));
  cpSync(dir.at('s'), dir.at('t'), { recursive: true, preserveTimestamps: true });
  utimesSync(dir.at('t/a'), 1, 1);
  for (const side of ['s', 't']) utimesSync(dir.at(side), 5, 5);
  expect(await compare(dir)).toMatchObject({ marks: ['a'], changed: [], directoryMarks: [] });
  expect(await compare(dir, { by: 'size_mtime' })).toMatchObject({ marks: [], changed: ['a'] });
  utimesSync(dir.at('t'), 6, 6);
  expect((await compare(dir)).directoryMarks).toEqual(['']);
  rmSync(dir.at('t'), { recursive: true });
});
