import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

test('numbers go on after pruning, and old content comes back', async () => {
  await using house = openHouse({ files: { 'a.txt': 'one' } });
  await house.run([
    ['FA_version_save', ['v', 'a.txt']],
    ['FA_create_file', ['a.txt', 'two']],
    ['FA_version_save', ['v', 'a.txt']],
    ['FA_version_prune', ['v', 'a.txt', 1]],
  ]);
  const { results } = await house.run([
    ['FA_version_save', ['v', 'a.txt']],
    ['FA_version_list', ['v', 'a.txt']],
    ['FA_version_restore', ['v', 'a.txt', 2]],
  ]);
  expect(results[0]?.value).toMatchObject({ version: 3 });
  expect(results[1]?.value).toMatchObject([{ version: 2 }, { version: 3 }]);
  expect(house.dir.read('a.txt')).toBe('two');
});

test('two files whose paths an older store would mix up are kept apart', async () => {
  await using house = openHouse({ files: { 'a/b': 'one', a__sep__b: 'two' } });
  const { results } = await house.run([
    ['FA_version_save', ['v', 'a/b']],
    ['FA_version_save', ['v', 'a__sep__b']],
    ['FA_version_list', ['v', 'a/b']],
  ]);
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect(results[2]?.value).toHaveLength(1);
});

test('the versions of an older store are listed and restored', async () => {
  await using house = openHouse({ files: { 'a.txt': 'new' } });
  const bucket = house.dir.at('a.txt').replaceAll('/', '__sep__');
  house.dir.write(`v/${bucket}/v000004__1700000000000000000`, 'old');
  const { results } = await house.run([
    ['FA_version_list', ['v', 'a.txt']],
    ['FA_version_save', ['v', 'a.txt']],
    ['FA_version_restore', ['v', 'a.txt', 4]],
  ]);
  expect(results[0]?.value).toMatchObject([{ version: 4, timestamp: '2023-11-14T22:13:20.000Z' }]);
  expect(results[1]?.value).toMatchObject({ version: 5 });
  expect(house.dir.read('a.txt')).toBe('old');
});

test('an unknown version is refused with those there are', async () => {
  await using house = openHouse({ files: { 'a.txt': 'one' } });
  const { results } = await house.run([
    ['FA_version_save', ['v', 'a.txt']],
    ['FA_version_restore', ['v', 'a.txt', 9]],
  ]);
  expect(results[1]?.error).toMatchObject({ type: 'VersioningException', message: 'There is no version 9 of a.txt; it has 1.' });
});

test('saving at once gives every snapshot its own number', async () => {
  await using house = openHouse({ files: { 'a.txt': 'one' } });
  const saves = Array.from({ length: 8 }, () => ['FA_version_save', ['v', 'a.txt']]);
  await house.run({ actions: saves, mode: 'parallel', max_workers: 8 });
  const { results } = await house.run([['FA_version_list', ['v', 'a.txt']]]);
  const numbers = [results[0]?.value as { version: number }[] | undefined].flat().map((each) => each?.version);
  expect(new Set(numbers).size).toBe(numbers.length);
});
