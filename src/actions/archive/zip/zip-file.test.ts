import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { treeOf } from '../../../../test/support/archives/tree.ts';
import { openHouse } from '../../../../test/support/house.ts';

describe('FA_zip_file', () => {
  test('stores files as they are, under their own names and in the order given', async () => {
    await using house = openHouse({ files: { 'a.txt': 'one one one one', 'd/b.txt': 'two' } });
    chmodSync(house.dir.at('a.txt'), 0o600);
    const { results } = await house.run([
      ['FA_zip_file', ['o.zip', ['d/b.txt', 'a.txt']]],
      ['FA_zip_info', ['o.zip']],
      ['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'x' }],
    ]);
    expect(results[1]?.value).toMatchObject([
      { filename: 'b.txt', file_size: 3, compress_size: 3, compress_type: 0, is_dir: false },
      { filename: 'a.txt', file_size: 15, compress_size: 15, compress_type: 0, is_dir: false },
    ]);
    expect([house.dir.read('x/a.txt'), house.dir.read('x/b.txt')]).toEqual(['one one one one', 'two']);
  });

  test('follows a link that is named', async () => {
    await using house = openHouse({ files: { 'real.txt': 'content' } });
    symlinkSync('real.txt', house.dir.at('l'));
    const { results } = await house.run([
      ['FA_zip_file', ['o.zip', 'l']],
      ['FA_read_zip_file', ['o.zip', 'l']],
    ]);
    expect(results[1]?.value).toEqual({ base64: Buffer.from('content').toString('base64') });
  });

  test.each([
    ['two files of one name', ['a.txt', 'd/a.txt'], 'ZipInputException'],
    ['a directory', 'd', 'ZipInputException'],
    ['the archive itself', ['a.txt', 'o.zip'], 'ZipInputException'],
    ['a missing file', ['a.txt', 'nope'], 'FileNotExistsException'],
    ['an empty list', [], 'ArgumentException'],
  ])('refuses %s and keeps the old archive', async (_, file, type) => {
    await using house = openHouse({ files: { 'a.txt': '1', 'd/a.txt': '2', 'o.zip': 'old' } });
    const before = treeOf(house.dir.path);
    const { results } = await house.run([['FA_zip_file', { zip_file_path: 'o.zip', file }]]);
    expect(results[0]?.error?.type).toBe(type);
    expect(treeOf(house.dir.path)).toEqual(before);
  });

  test('compresses and encrypts when asked', async () => {
    await using house = openHouse({ files: { a: 'words '.repeat(50_000) } });
    const { results } = await house.run([
      ['FA_zip_file', { zip_file_path: 'o.zip', file: 'a', level: 6, password: { base64: '/wD+' } }],
      ['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'x', password: { base64: '/wD+' } }],
    ]);
    expect(results.map(({ status, error }) => error ?? status)).toEqual(['ok', 'ok']);
    expect(readFileSync(house.dir.at('o.zip')).byteLength).toBeLessThan(10_000);
    expect(house.dir.read('x/a')).toBe(house.dir.read('a'));
  });
});
