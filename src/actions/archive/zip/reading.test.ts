import { describe, expect, test } from 'vitest';
import { buildZip } from '../../../../test/support/archives/build-zip.ts';
import { namesIn, treeOf } from '../../../../test/support/archives/tree.ts';
import { openHouse } from '../../../../test/support/house.ts';

const KITCHEN = { root: '/R', archive: () => Buffer.alloc(0) };
const ZIP = buildZip(
  [
    { type: 'dir', name: 'd/' },
    { type: 'file', name: 'd/a.txt', data: 'one', mtime: '2024-01-02T03:04:06Z' },
    { type: 'file', name: 'b.txt', data: 'two', method: 'deflate' },
  ],
  KITCHEN,
);

describe('FA_zip_info', () => {
  test('describes every member', async () => {
    await using house = openHouse({ files: { 'o.zip': ZIP } });
    const { results } = await house.run([['FA_zip_info', ['o.zip']]]);
    const time = new Date(2024, 0, 2, 3, 4, 6).toISOString();
    expect(results[0]?.value).toEqual([
      { filename: 'd/', file_size: 0, compress_size: 0, crc: 0, compress_type: 0, date_time: time, is_dir: true },
      { filename: 'd/a.txt', file_size: 3, compress_size: 3, crc: 2053932785, compress_type: 0, date_time: time, is_dir: false },
      { filename: 'b.txt', file_size: 3, compress_size: 5, crc: 298486374, compress_type: 8, date_time: time, is_dir: false },
    ]);
  });
});

describe('FA_read_zip_file', () => {
  test.each([
    ['d/a.txt', 'one'],
    ['b.txt', 'two'],
  ])('gives the bytes of %s', async (name, text) => {
    await using house = openHouse({ files: { 'o.zip': ZIP } });
    const { results } = await house.run([['FA_read_zip_file', ['o.zip', name]]]);
    expect(results[0]?.value).toEqual({ base64: Buffer.from(text).toString('base64') });
  });

  test.each([
    ['a member that is not there', 'nope', 'has no member'],
    ['a directory', 'd/', 'is no file'],
  ])('refuses %s', async (_, name, words) => {
    await using house = openHouse({ files: { 'o.zip': ZIP } });
    const { results } = await house.run([['FA_read_zip_file', ['o.zip', name]]]);
    expect(results[0]?.error).toMatchObject({ type: 'ArchiveException', message: expect.stringContaining(words) });
  });

  test('refuses what is too large to be answered', async () => {
    const bomb = buildZip([{ type: 'file', name: 'b', fill: ['0', 70 * 1024 ** 2], method: 'deflate' }], KITCHEN);
    await using house = openHouse({ files: { 'o.zip': bomb } });
    const { results } = await house.run([['FA_read_zip_file', { zip_file_path: 'o.zip', file_name: 'b', max_ratio: 10_000 }]]);
    expect(results[0]?.error?.type).toBe('QuotaExceededException');
  });

  test('is not disturbed by hostile neighbours', async () => {
    const zip = buildZip(
      [
        { type: 'file', name: '../evil', data: 'x' },
        { type: 'file', name: 'good', data: 'fine' },
      ],
      KITCHEN,
    );
    await using house = openHouse({ files: { 'o.zip': zip } });
    const { results } = await house.run([
      ['FA_read_zip_file', ['o.zip', 'good']],
      ['FA_unzip_file', ['o.zip', 'good', 'x']],
    ]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(house.dir.read('x/good')).toBe('fine');
  });
});

describe('FA_unzip_file and FA_unzip_all', () => {
  test('extract one member under its path', async () => {
    await using house = openHouse({ files: { 'o.zip': ZIP } });
    await house.run([['FA_unzip_file', ['o.zip', 'd/a.txt', 'x']]]);
    expect(namesIn(house.dir.at('x'))).toEqual(['d/', 'd/a.txt']);
  });

  test('extract into the working directory by default, beside what is there', async () => {
    await using house = openHouse({ files: { 'o.zip': ZIP, 'other.txt': 'keep' } });
    await house.run([['FA_unzip_all', ['o.zip']]]);
    expect(namesIn(house.dir.path)).toEqual(['b.txt', 'd/', 'd/a.txt', 'o.zip', 'other.txt']);
  });

  test('refuse a list with a member that is not there, and extract none of it', async () => {
    await using house = openHouse({ files: { 'o.zip': ZIP } });
    const before = treeOf(house.dir.path);
    const { results } = await house.run([['FA_unzip_all', ['o.zip', ['b.txt', 'nope'], 'x']]]);
    expect(results[0]?.error?.type).toBe('ArchiveException');
    expect(treeOf(house.dir.path)).toEqual(before);
  });

  test('refuse a member that occurs twice', async () => {
    const twice = buildZip(
      [
        { type: 'file', name: 'a', data: '1' },
        { type: 'file', name: 'a', data: '2' },
      ],
      KITCHEN,
    );
    await using house = openHouse({ files: { 'o.zip': twice } });
    const { results } = await house.run([['FA_unzip_file', ['o.zip', 'a', 'x']]]);
    expect(results[0]?.error).toMatchObject({ type: 'ArchiveException', message: expect.stringContaining('twice') });
  });

  test('limits count only for what is extracted', async () => {
    await using house = openHouse({ files: { 'o.zip': ZIP } });
    const { results } = await house.run([
      ['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'x', max_bytes: 5 }],
      ['FA_unzip_file', { zip_file_path: 'o.zip', extract_member: 'b.txt', extract_path: 'x', max_bytes: 5 }],
    ]);
    expect(results.map(({ error }) => error?.type)).toEqual(['QuotaExceededException', undefined]);
  });
});
