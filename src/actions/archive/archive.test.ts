import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

const tree = { 'd/a.txt': 'one', 'd/deep/é.txt': 'two' };
const errorsOf = (results: readonly { readonly error?: unknown }[]) => results.flatMap(({ error }) => (error === undefined ? [] : [error]));

test('FA_zip_dir packs a tree that FA_unzip_all gives back and FA_zip_info lists', async () => {
  await using house = openHouse({ files: tree });
  const { results } = await house.run([
    ['FA_zip_dir', ['d', 'd.zip']],
    ['FA_zip_info', ['d.zip']],
    ['FA_zip_file_info', ['d.zip']],
    ['FA_unzip_all', { zip_file_path: 'd.zip', extract_path: 'all' }],
  ]);
  expect(errorsOf(results)).toEqual([]);
  expect(house.dir.read('all/deep/é.txt')).toBe('two');
});

test('FA_zip_file packs one file that FA_unzip_file and FA_read_zip_file give back', async () => {
  await using house = openHouse({ files: tree });
  const { results } = await house.run([
    ['FA_zip_file', { zip_file_path: 'a.zip', file: 'd/a.txt' }],
    ['FA_unzip_file', { zip_file_path: 'a.zip', extract_member: 'a.txt', extract_path: 'one' }],
    ['FA_read_zip_file', ['a.zip', 'a.txt']],
  ]);
  expect(errorsOf(results)).toEqual([]);
  expect(house.dir.read('one/a.txt')).toBe('one');
  expect(results[2]?.value).toEqual({ base64: Buffer.from('one').toString('base64') });
});

test('FA_set_zip_password locks an archive: the right password opens it, a wrong one leaves nothing behind', async () => {
  await using house = openHouse({ files: tree });
  const { results } = await house.run([
    ['FA_zip_dir', ['d', 'd.zip']],
    ['FA_set_zip_password', ['d.zip', 'open sesame']],
    ['FA_unzip_all', { zip_file_path: 'd.zip', extract_path: 'wrong', password: 'guess' }],
    ['FA_unzip_all', { zip_file_path: 'd.zip', extract_path: 'right', password: 'open sesame' }],
  ]);
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'failed', 'ok']);
  expect([house.dir.read('wrong/a.txt'), house.dir.read('right/a.txt')]).toEqual([undefined, 'one']);
});

test.each([
  ['none', 'd.tar'],
  ['gz', 'd.tar.gz'],
  ['zst', 'd.tar.zst'],
])('FA_create_tar with %s is recognised by FA_detect_archive_format and extracted by FA_extract_archive', async (compression, name) => {
  await using house = openHouse({ files: tree });
  const { results } = await house.run([
    ['FA_create_tar', { source: 'd', target: name, compression }],
    ['FA_detect_archive_format', [name]],
    ['FA_list_archive', [name]],
    ['FA_extract_archive', [name, 'out']],
  ]);
  expect(errorsOf(results)).toEqual([]);
  expect(house.dir.read('out/d/deep/é.txt')).toBe('two');
});

test('FA_archive_formats names what can be read and written', async () => {
  await using house = openHouse();
  const { results } = await house.run([['FA_archive_formats']]);
  expect(JSON.stringify(results[0]?.value)).toContain('zip');
});
