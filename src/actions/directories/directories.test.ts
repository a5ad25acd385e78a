import { chmodSync, existsSync, lstatSync, readdirSync, readlinkSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { asOrdinaryUser } from '../../../test/support/ordinary-user.ts';

test('FA_copy_dir keeps links, modes and times, and enters no link', async () => {
  await using house = openHouse({ files: { 's/a.sh': 'a', 'outside/secret': 'no' } });
  chmodSync(house.dir.at('s/a.sh'), 0o750);
  symlinkSync('a.sh', house.dir.at('s/link'));
  symlinkSync('../outside', house.dir.at('s/out'));
  utimesSync(house.dir.at('s/a.sh'), 1_000_000_000, 1_000_000_000);
  expect((await house.run([['FA_copy_dir', ['s', 't']]])).ok).toBe(true);
  expect(readlinkSync(house.dir.at('t/link'))).toBe('a.sh');
  expect(lstatSync(house.dir.at('t/out')).isSymbolicLink()).toBe(true);
  expect(statSync(house.dir.at('t/a.sh')).mode & 0o777).toBe(0o750);
  expect(statSync(house.dir.at('t/a.sh')).mtimeMs).toBe(1_000_000_000_000);
});

test('FA_copy_dir refuses to copy a directory into itself', async () => {
  await using house = openHouse({ files: { 's/a': 'a' } });
  const { results } = await house.run([
    ['FA_copy_dir', ['s', 's/inner']],
    ['FA_copy_dir', ['s', 's']],
  ]);
  expect(results.map(({ error }) => error?.type)).toEqual(['FileAccessException', 'FileAccessException']);
  expect(house.dir.read('s/inner/a')).toBeUndefined();
});

test('FA_remove_dir_tree takes links away without entering them', async () => {
  await using house = openHouse({ files: { 'd/a': 'a', 'outside/keep': 'k' } });
  symlinkSync('../outside', house.dir.at('d/out'));
  expect((await house.run([['FA_remove_dir_tree', ['d']]])).results[0]?.value).toBe(true);
  expect(house.dir.read('outside/keep')).toBe('k');
  expect(house.dir.read('d/a')).toBeUndefined();
});

test('of two FA_remove_dir_tree on one tree at once neither fails, and nothing stays', async () => {
  await using house = openHouse({ files: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`d/${at % 9}/${at}`, 'x'])) });
  const { ok } = await house.run({ mode: 'parallel', actions: Array.from({ length: 2 }, () => ['FA_remove_dir_tree', ['d']]) });
  expect([ok, existsSync(house.dir.at('d'))]).toEqual([true, false]);
});

test('FA_rename_dir replaces an empty target and refuses one that holds something', async () => {
  await using house = openHouse({ files: { 's/a': 'a', 'full/x': 'x' } });
  await house.run([['FA_create_dir', ['empty']]]);
  expect((await house.run([['FA_rename_dir', ['s', 'full']]])).results[0]?.status).toBe('failed');
  expect(house.dir.read('s/a')).toBe('a');
  expect((await house.run([['FA_rename_dir', ['s', 'empty']]])).ok).toBe(true);
  expect(house.dir.read('empty/a')).toBe('a');
});

test('FA_list_dir is sorted and lists links without entering them', async () => {
  await using house = openHouse({ files: { 'd/b': '1', 'd/a/c': '22' } });
  symlinkSync('.', house.dir.at('d/loop'));
  const { results } = await house.run([['FA_list_dir', ['d', true]]]);
  expect(results[0]?.value).toMatchObject([
    { name: 'a', type: 'dir' },
    { name: 'c', type: 'file', size: 2, path: house.dir.at('d/a/c') },
    { name: 'b', type: 'file', size: 1 },
    { name: 'loop', type: 'link' },
  ]);
});

test('FA_create_dir names what is in the way', async () => {
  await using house = openHouse({ files: { a: 'file' } });
  const { results } = await house.run([
    ['FA_create_dir', ['a']],
    ['FA_create_dir', ['a/b']],
  ]);
  expect(results.map(({ status }) => status)).toEqual(['failed', 'failed']);
  expect(results[0]?.error?.type).toBe('PathExistsException');
});

test('FA_create_dir takes no ~ for a name, however it is asked, unless the path says so', async () => {
  await using house = openHouse();
  const list = [['FA_create_dir', ['~/x']]];
  const said =
    'dir_path must be a path with the home directory written out (in lists as ${env:HOME}; what is really called ~ is ./~), not "~/x".';
  for (const dry_run of [false, true]) {
    const { results } = await house.run({ actions: list, dry_run });
    expect(results[0]?.error).toMatchObject({ type: 'ArgumentException', message: `Command 0 (FA_create_dir) ${said}` });
  }
  expect((await house.refusal({ actions: list, validate_first: true })).message).toContain(said);
  expect(existsSync(house.dir.at('~'))).toBe(false);
  expect((await house.run([['FA_create_dir', ['./~/x']]])).ok).toBe(true);
  expect(existsSync(house.dir.at('~/x'))).toBe(true);
});

describe('FA_remove_dir_tree of a tree of which something cannot go', () => {
  test.skipIf(process.platform === 'win32')('removes the rest, names what stays, and fails', async () => {
    await using house = openHouse({ files: { 'd/a': '1', 'd/in/b': '2', 'd/in/deep/c': '3', 'd/other/e': '4' } });
    chmodSync(house.dir.at('d/in/deep'), 0o555);
    const { results } = await asOrdinaryUser(house.dir.path, () => house.run([['FA_remove_dir_tree', ['d']]]));
    const path = house.dir.at('d/in/deep/c');
    expect(results[0]?.error).toMatchObject({
      type: 'FileAccessException',
      context: { path, summary: { value: false, failed: [{ path }], failed_count: 1 } },
    });
    expect(readdirSync(house.dir.at('d'))).toEqual(['in']);
    expect(readdirSync(house.dir.at('d/in'))).toEqual(['deep']);
    chmodSync(house.dir.at('d/in/deep'), 0o755);
  });

  test('is as if there were none where somebody else was quicker', async () => {
    await using house = openHouse({ files: Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`d/${at % 7}/${at}`, 'x'])) });
    const both = await Promise.all([house.run([['FA_remove_dir_tree', ['d']]]), house.run([['FA_remove_dir_tree', ['d']]])]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    expect(existsSync(house.dir.at('d'))).toBe(false);
  });
});
