import { chmodSync, lstatSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

const only = async (house: ReturnType<typeof openHouse>, command: unknown) => (await house.run([command])).results[0];

describe('FA_create_file', () => {
  test('keeps the mode of the file it replaces and writes through a link to its target', async () => {
    await using house = openHouse({ files: { 'real.sh': 'old' } });
    chmodSync(house.dir.at('real.sh'), 0o755);
    symlinkSync('real.sh', house.dir.at('link.sh'));
    await only(house, ['FA_create_file', ['link.sh', 'new']]);
    expect(house.dir.read('real.sh')).toBe('new');
    expect(statSync(house.dir.at('real.sh')).mode & 0o777).toBe(0o755);
    expect(lstatSync(house.dir.at('link.sh')).isSymbolicLink()).toBe(true);
  });

  test('names the directory that is missing', async () => {
    await using house = openHouse();
    const outcome = await only(house, ['FA_create_file', ['no/such/a.txt', 'x']]);
    expect(outcome?.error).toMatchObject({ type: 'DirNotExistsException', context: { path: house.dir.at('no/such') } });
  });

  test.runIf(process.platform === 'linux')('says what is wrong with a place where nothing can be made', async () => {
    await using house = openHouse();
    const outcome = await only(house, ['FA_create_file', ['/proc/nope', 'x']]);
    expect(outcome?.error).toMatchObject({ type: 'FileAccessException', message: expect.stringContaining('takes no new entries') });
  });

  test('refuses what the encoding cannot hold, naming the character', async () => {
    await using house = openHouse({ files: { 'a.txt': 'old' } });
    const outcome = await only(house, ['FA_create_file', ['a.txt', 'caf\u00e9', 'ascii']]);
    expect(outcome?.error).toMatchObject({ type: 'TextOpsException' });
    expect(house.dir.read('a.txt')).toBe('old');
  });
});

describe('FA_copy_file', () => {
  test('keeps time and mode, or not when told so', async () => {
    await using house = openHouse({ files: { a: 'x' } });
    chmodSync(house.dir.at('a'), 0o640);
    utimesSync(house.dir.at('a'), 1_000_000_000, 1_000_000_000);
    await house.run([
      ['FA_copy_file', ['a', 'kept']],
      ['FA_copy_file', ['a', 'fresh', false]],
    ]);
    expect(statSync(house.dir.at('kept'))).toMatchObject({ mtimeMs: 1_000_000_000_000 });
    expect(statSync(house.dir.at('kept')).mode & 0o777).toBe(0o640);
    expect(statSync(house.dir.at('fresh')).mtimeMs).toBeGreaterThan(1_000_000_000_000);
  });

  test('says in its error which argument is wrong and what stands there instead', async () => {
    await using house = openHouse({ files: { 'd/x': '1' } });
    expect((await only(house, ['FA_copy_file', ['d', 'e']]))?.error).toMatchObject({
      type: 'FileNotExistsException',
      message: `A directory, not a file, is at ${house.dir.at('d')}; check the path.`,
      context: { argument: 'file_path', path: house.dir.at('d') },
    });
  });
});

describe('FA_rename_file', () => {
  test('never loses a file whose name the new numbering wants', async () => {
    await using house = openHouse({ files: { 'd/b.txt': 'b', 'd/n_0.txt': 'zero', 'd/n_1.txt': 'one' } });
    expect((await only(house, ['FA_rename_file', ['d', 'n']]))?.status).toBe('ok');
    expect(['d/n_0.txt', 'd/n_1.txt', 'd/n_2.txt'].map((name) => house.dir.read(name)).sort()).toEqual(['b', 'one', 'zero']);
  });

  test('renames nothing when a name is taken by a file that stays', async () => {
    await using house = openHouse({ files: { 'd/a.log': 'a', 'd/n_0.log/x': 'in the way' } });
    const outcome = await only(house, ['FA_rename_file', ['d', 'n', 'log']]);
    expect(outcome?.error?.type).toBe('PathExistsException');
    expect(house.dir.read('d/a.log')).toBe('a');
  });

  test('refuses a name with a separator', async () => {
    await using house = openHouse({ files: { 'd/a.log': 'a' } });
    expect((await only(house, ['FA_rename_file', ['d', '../n']]))?.error?.type).toBe('ArgumentException');
  });
});

describe('FA_copy_specify_extension_file', () => {
  test('refuses two files of one name before it copies anything', async () => {
    await using house = openHouse({ files: { 's/a.txt': '1', 's/deep/a.txt': '2', 's/b.txt': '3', 't/keep': '' } });
    const outcome = await only(house, ['FA_copy_specify_extension_file', ['s', 'txt', 't']]);
    expect(outcome?.error).toMatchObject({
      type: 'PathExistsException',
      context: { sources: [house.dir.at('s/a.txt'), house.dir.at('s/deep/a.txt')] },
    });
    expect(house.dir.read('t/b.txt')).toBeUndefined();
  });
});

describe('FA_copy_all_file_to_dir', () => {
  test('refuses to replace a directory of the same name', async () => {
    await using house = openHouse({ files: { 'src/a': '1', 'dst/src/b': '2' } });
    expect((await only(house, ['FA_copy_all_file_to_dir', ['src', 'dst']]))?.error?.type).toBe('PathExistsException');
    expect(house.dir.read('src/a')).toBe('1');
    expect(house.dir.read('dst/src/b')).toBe('2');
  });
});

describe('FA_read_file', () => {
  test('reads a part of a text without cutting characters in half', async () => {
    await using house = openHouse({ files: { 'a.txt': 'äöü' } });
    expect((await only(house, ['FA_read_file', { file_path: 'a.txt', offset: 1, limit: 4 }]))?.value).toBe('ö');
  });

  test('asks for a limit above one mebibyte', async () => {
    await using house = openHouse({ files: { big: 'x'.repeat(1024 * 1024 + 1) } });
    expect((await only(house, ['FA_read_file', ['big']]))?.error?.type).toBe('TextOpsException');
    expect((await only(house, ['FA_read_file', { file_path: 'big', limit: 3 }]))?.value).toBe('xxx');
  });

  test('names the byte that is no text', async () => {
    await using house = openHouse({ files: { bad: Buffer.from([0x61, 0x62, 0xff, 0x63]) } });
    expect((await only(house, ['FA_read_file', ['bad']]))?.error).toMatchObject({ type: 'TextOpsException', context: { offset: 2 } });
  });
});

describe('FA_stat', () => {
  test('describes a link or what it leads to', async () => {
    await using house = openHouse({ files: { a: 'abc' } });
    symlinkSync('a', house.dir.at('l'));
    expect((await only(house, ['FA_stat', ['l']]))?.value).toMatchObject({ kind: 'file', size: 3, path: house.dir.at('l') });
    expect((await only(house, ['FA_stat', ['l', false]]))?.value).toMatchObject({ kind: 'link' });
  });
});

describe('FA_move_file and FA_remove_file', () => {
  test('a link moves as a link, and removing it leaves its target', async () => {
    await using house = openHouse({ files: { a: 'abc' } });
    symlinkSync('a', house.dir.at('l'));
    await house.run([
      ['FA_move_file', ['l', 'm']],
      ['FA_remove_file', ['m']],
    ]);
    expect(house.dir.read('a')).toBe('abc');
    expect(lstatSync(house.dir.at('m'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('of many that remove one file at once, one says that it was there and none fails', async () => {
    await using house = openHouse({ files: { a: 'abc' } });
    const { ok, results } = await house.run({ mode: 'parallel', actions: Array.from({ length: 4 }, () => ['FA_remove_file', ['a']]) });
    expect([ok, results.filter(({ value }) => value === true).length]).toEqual([true, 1]);
  });
});

test.each([
  ['FA_remove_file', 'd', 'is a directory and was left alone; FA_remove_dir_tree removes it.'],
  ['FA_remove_dir_tree', 'f', 'is no directory and was left alone; FA_remove_file removes it.'],
])('%s of something else leaves it, and says so when it is planned too', async (action, path, said) => {
  await using house = openHouse({ files: { 'd/x': '1', f: '1' } });
  const note = { kind: 'left_alone', message: `${house.dir.at(path)} ${said}`, path: house.dir.at(path) };
  expect(await only(house, [action, [path]])).toMatchObject({ status: 'ok', value: false, notes: [note] });
  const planned = await house.run({ actions: [[action, [path]]], dry_run: true });
  expect(planned.results[0]).toMatchObject({ status: 'planned', notes: [note] });
});
