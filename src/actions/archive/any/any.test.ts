import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildRar4, buildRar5 } from '../../../../test/support/archives/build-rar.ts';
import { buildTar } from '../../../../test/support/archives/build-tar.ts';
import { buildZip } from '../../../../test/support/archives/build-zip.ts';
import { hasTool } from '../../../../test/support/archives/tools.ts';
import { namesIn, treeOf } from '../../../../test/support/archives/tree.ts';
import { openHouse } from '../../../../test/support/house.ts';

const KITCHEN = { root: '/R', archive: () => Buffer.alloc(0) };
const ENTRIES = [
  { type: 'dir', name: 'd/' },
  { type: 'file', name: 'd/a.txt', data: 'one' },
];
const ARCHIVES: readonly (readonly [string, Buffer, readonly string[], readonly string[]])[] = [
  ['zip', buildZip(ENTRIES, KITCHEN), ['d/', 'd/a.txt'], ['d/a.txt']],
  ['tar', buildTar(ENTRIES, KITCHEN), ['d', 'd/a.txt'], ['d', 'd/a.txt']],
  ['tar.gz', gzipSync(buildTar(ENTRIES, KITCHEN)), ['d', 'd/a.txt'], ['d', 'd/a.txt']],
  ['rar', buildRar4([{ name: 'd/a.txt', data: 'one' }]), ['d/a.txt'], ['d/a.txt']],
  ['rar', buildRar5([{ name: 'd/a.txt', data: 'one' }]), ['d/a.txt'], ['d/a.txt']],
];

describe.each(ARCHIVES)('a file that holds a %s archive', (format, bytes, listed, written) => {
  test('is named by FA_detect_archive_format, listed by FA_list_archive and extracted by FA_extract_archive', async () => {
    await using house = openHouse({ files: { o: bytes } });
    const { results } = await house.run([
      ['FA_detect_archive_format', ['o']],
      ['FA_list_archive', ['o']],
      ['FA_extract_archive', ['o', 'x']],
    ]);
    expect(results.map(({ value }) => value)).toEqual([format, listed, written]);
    expect(namesIn(house.dir.at('x'))).toEqual(['d/', 'd/a.txt']);
    expect(house.dir.read('x/d/a.txt')).toBe('one');
  });
});

describe.skipIf(!hasTool('7z'))('a 7z archive (needs 7z)', () => {
  test('is listed and extracted', async () => {
    await using house = openHouse({ files: { 's/a.txt': 'one', 's/n/b.txt': 'two' } });
    execFileSync('7z', ['a', 'o.7z', 's'], { cwd: house.dir.path, stdio: 'ignore' });
    const { results } = await house.run([
      ['FA_list_archive', ['o.7z']],
      ['FA_extract_archive', ['o.7z', 'x']],
    ]);
    expect(results.map(({ value }) => [...(value as string[])].sort())).toEqual(
      Array.from({ length: 2 }, () => ['s', 's/a.txt', 's/n', 's/n/b.txt']),
    );
    expect(treeOf(house.dir.at('x/s'))).toEqual(treeOf(house.dir.at('s')));
  });
});

describe('a single compressed file', () => {
  test('is extracted under its name without the ending', async () => {
    await using house = openHouse({ files: { 'notes.txt.gz': gzipSync('words'), other: gzipSync('more') } });
    const { results } = await house.run([
      ['FA_extract_archive', ['notes.txt.gz', 'x']],
      ['FA_extract_archive', ['other', 'x']],
    ]);
    expect(results.map(({ value }) => value)).toEqual([['notes.txt'], ['other']]);
    expect([house.dir.read('x/notes.txt'), house.dir.read('x/other')]).toEqual(['words', 'more']);
  });

  test('cannot be listed', async () => {
    await using house = openHouse({ files: { 'notes.txt.gz': gzipSync('words') } });
    expect((await house.run([['FA_list_archive', ['notes.txt.gz']]])).results[0]?.error).toMatchObject({
      type: 'ArchiveException',
      message: expect.stringContaining('has no list'),
    });
  });

  test('keeps the limits', async () => {
    await using house = openHouse({ files: { 'bomb.gz': gzipSync(Buffer.alloc(30_000_000)), 'large.gz': gzipSync('1234567890') } });
    const { results } = await house.run([
      ['FA_extract_archive', ['bomb.gz', 'x']],
      ['FA_extract_archive', { source: 'large.gz', target: 'x', max_bytes: 9 }],
    ]);
    expect(results.map(({ error }) => error?.type)).toEqual(['QuotaExceededException', 'QuotaExceededException']);
    expect(namesIn(house.dir.path)).toEqual(['bomb.gz', 'large.gz']);
  });
});

test('FA_archive_formats names what FA_detect_archive_format answers', async () => {
  await using house = openHouse();
  expect((await house.run([['FA_archive_formats']])).results[0]?.value).toEqual([
    'zip',
    'tar',
    'tar.gz',
    'tar.bz2',
    'tar.xz',
    'tar.zst',
    'gz',
    'bz2',
    'xz',
    'zst',
    '7z',
    'rar',
  ]);
});
