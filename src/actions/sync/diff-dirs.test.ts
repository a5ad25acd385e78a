import { mkdirSync, readlinkSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHouse, type TestHouse } from '../../../test/support/house.ts';

const outcomeOf = async (house: TestHouse, name: string, args: object) => (await house.run([[name, args]])).results[0];
const diff = (house: TestHouse, args: object = {}) => outcomeOf(house, 'FA_diff_dirs', { left: 'l', right: 'r', ...args });
const apply = (house: TestHouse, difference: object) =>
  outcomeOf(house, 'FA_apply_dir_diff', { diff: difference, target: 't', source: 's' });

test('files of trees that are only on one side are named one by one', async () => {
  await using house = openHouse({ files: { 'l/old/a': '', 'l/old/b/c': '', 'r/new/d': '', 'r/x.tmp': '', 'l/same': '1', 'r/same': '1' } });
  expect(await diff(house, { exclude: ['*.tmp'] })).toMatchObject({
    value: { added: ['new/d'], removed: ['old/a', 'old/b/c'], changed: [] },
  });
});

test('a file and a directory of one name are two things', async () => {
  await using house = openHouse({ files: { 'l/a': '', 'r/a/b': '', 'l/c/d': '', 'r/c': '' } });
  expect(await diff(house)).toMatchObject({ value: { added: ['a/b', 'c'], removed: ['a', 'c/d'], changed: [] } });
});

test('links are compared by what they say', async () => {
  await using house = openHouse({ files: { 'l/f': '', 'r/f': '' } });
  for (const [name, target] of [
    ['l/x', 'f'],
    ['r/x', 'g'],
    ['l/y', 'f'],
    ['r/y', 'f'],
  ] as const)
    symlinkSync(target, house.dir.at(name));
  expect(await diff(house)).toMatchObject({ value: { added: [], removed: [], changed: ['x'] } });
});

test('replaying keeps looks and links, and takes away directories that became empty', async () => {
  await using house = openHouse({ files: { 's/a': 'new', 't/gone/deep/x': 'x', 't/stays/y': 'y', 't/keep': 'k' } });
  mkdirSync(house.dir.at('s/stays'));
  symlinkSync('a', house.dir.at('s/l'));
  utimesSync(house.dir.at('s/a'), 1_000_000_000, 1_000_000_000);
  expect(await apply(house, { added: ['a', 'l'], removed: ['gone/deep/x', 'stays/y'], changed: [] })).toMatchObject({ value: null });
  expect(statSync(house.dir.at('t/a')).mtimeMs).toBe(1_000_000_000_000);
  expect(readlinkSync(house.dir.at('t/l'))).toBe('a');
  expect(statSync(house.dir.at('t/gone'), { throwIfNoEntry: false })).toBeUndefined();
  expect(statSync(house.dir.at('t/stays')).isDirectory()).toBe(true);
});

test.each([
  ['a climbing name', { removed: ['../x'] }],
  ['an absolute name', { added: ['/etc/passwd'] }],
  ['a way through a link', { changed: ['out/x'] }],
])('%s is refused before anything changes', async (_what, difference) => {
  await using house = openHouse({ files: { x: '1', 's/out/x': '2', 's/new': 'n', 't/first': '' } });
  symlinkSync('..', house.dir.at('t/out'));
  const refused = await apply(house, { added: ['new'], removed: ['first'], changed: [], ...difference });
  expect(refused).toMatchObject({ error: { type: 'PathTraversalException' } });
  expect([house.dir.read('x'), house.dir.read('t/first'), house.dir.read('t/new')]).toEqual(['1', '', undefined]);
});

test.each([
  ['a source that lacks a file', { added: ['nowhere'] }],
  ['a part that no difference has', { renamed: ['a'] }],
  ['a directory with files where a file should go', { added: ['d'] }],
])('%s is refused', async (_what, difference) => {
  await using house = openHouse({ files: { 's/d': '', 't/d/x': 'x' } });
  expect(await apply(house, difference)).toMatchObject({ error: { type: 'DiffException' } });
  expect(house.dir.read('t/d/x')).toBe('x');
});
