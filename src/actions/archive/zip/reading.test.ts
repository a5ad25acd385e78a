import { describe, expect, test } from 'vitest';
import { buildZip } from '../../../../test/support/archives/build-zip.ts';
import type { RecipeEntry } from '../../../../test/support/archives/recipe.ts';
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

describe('an entry whose encryption is not supported', () => {
  const aes = (strength: number) => ({ hex: `0199070002004145${strength.toString(16).padStart(2, '0')}0000` });
  const FORMS: readonly (readonly [string, RecipeEntry, string])[] = [
    ["PKWARE's strong encryption by its flag", { type: 'file', flags: ['encrypted', 'strong'] }, "PKWARE's strong encryption"],
    [
      "PKWARE's strong encryption by its field",
      { type: 'file', flags: ['encrypted'], extra: { hex: '170008000200106600010100' } },
      "PKWARE's strong encryption",
    ],
    ['AES without its field', { type: 'file', flags: ['encrypted'], method: 99 }, 'AES'],
    ['AES of an unknown strength', { type: 'file', flags: ['encrypted'], method: 99, extra: aes(9) }, 'AES'],
  ];

  test.each(FORMS)('is refused by every action, with and without a password: %s', async (_, entry, words) => {
    const zip = buildZip([{ ...entry, name: 'a.txt', data: 'x'.repeat(64) }], KITCHEN);
    await using house = openHouse({ files: { 'o.zip': zip } });
    const zip_file_path = 'o.zip';
    const readers = [
      ['FA_read_zip_file', { zip_file_path, file_name: 'a.txt' }],
      ['FA_unzip_file', { zip_file_path, extract_member: 'a.txt', extract_path: 'x' }],
      ['FA_unzip_all', { zip_file_path, extract_path: 'x' }],
      ['FA_extract_archive', { source: 'o.zip', target: 'x' }],
    ] as const;
    const { results } = await house.run([
      ...readers,
      ...readers.map(([name, args]) => [name, { ...args, password: 'pass' }] as const),
      ['FA_set_zip_password', { zip_file_path, password: 'pass' }],
      ['FA_set_zip_password', { zip_file_path, password: 'pass', lenient: true }],
    ]);
    for (const { error } of results)
      expect(error).toMatchObject({ type: 'ArchiveException', message: expect.stringMatching(new RegExp(`${words}.*not supported`)) });
    expect(namesIn(house.dir.path)).toEqual(['o.zip']);
  });
});
