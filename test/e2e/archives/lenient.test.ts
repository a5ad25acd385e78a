import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildDefaultRegistry } from '../../../src/app/default-registry.ts';
import { buildZip } from '../../support/archives/build-zip.ts';
import { hasTool, tool } from '../../support/archives/tools.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';

const STUB = Buffer.from('#!/bin/sh\nexec unzip "$0"\n');
const FILLING = Buffer.alloc(10_240);

let house: TestHouse;
beforeEach(() => {
  house = openHouse({ files: { 'a.txt': 'one', 'b.txt': 'two\n'.repeat(5000), 'd/c.txt': 'three' }, logLevel: 'error' });
});
afterEach(() => house[Symbol.asyncDispose]());

const make = (program: string, args: readonly string[], input?: Uint8Array): Buffer =>
  tool(program, args, { cwd: house.dir.path, ...(input && { input }) });
const zipped = (...names: readonly string[]): Buffer => {
  make('zip', ['-q', 'made.zip', ...names]);
  return readFileSync(house.dir.at('made.zip'));
};
const tarred = (name: string): Buffer => make('tar', ['-cf', '-', name]);
const store = (name: string, ...parts: readonly Uint8Array[]) => writeFileSync(house.dir.at(name), Buffer.concat(parts));

const run = async (name: string, args: Readonly<Record<string, unknown>>) => (await house.run([[name, args]])).results[0];
const refusedThenRead = async (name: string, args: Readonly<Record<string, unknown>>, type = 'ArchiveException') => {
  expect((await run(name, args))?.error?.type).toBe(type);
  const outcome = await run(name, { ...args, lenient: true });
  expect(outcome?.error).toBeUndefined();
  return outcome?.value;
};

describe.skipIf(!hasTool('zip'))('a zip file (needs zip)', () => {
  /** How each is made, from a whole archive of a.txt and b.txt. */
  const PADDED: readonly (readonly [string, (zip: Buffer) => readonly Uint8Array[]])[] = [
    ['with a program before it', (zip) => [STUB, zip]],
    ['with zeros before it', (zip) => [FILLING, zip]],
    ['with zeros behind it', (zip) => [zip, FILLING]],
    ['with more behind it than a comment may have', (zip) => [zip, Buffer.alloc(300_000, 'x')]],
    ['with something at both ends', (zip) => [STUB, zip, Buffer.from('\n')]],
  ];

  test.each(PADDED)('%s is read by every action when asked', async (_, padded) => {
    store('p.zip', ...padded(zipped('a.txt', 'b.txt')));
    const zip_file_path = 'p.zip';
    expect(await refusedThenRead('FA_zip_file_info', { zip_file_path })).toEqual(['a.txt', 'b.txt']);
    expect(await refusedThenRead('FA_zip_info', { zip_file_path })).toHaveLength(2);
    expect(await refusedThenRead('FA_read_zip_file', { zip_file_path, file_name: 'a.txt' })).toEqual({ base64: 'b25l' });
    expect(await refusedThenRead('FA_list_archive', { path: 'p.zip' })).toEqual(['a.txt', 'b.txt']);
    expect(await refusedThenRead('FA_extract_archive', { source: 'p.zip', target: 'x' })).toEqual(['a.txt', 'b.txt']);
    await refusedThenRead('FA_unzip_all', { zip_file_path, extract_path: 'y' });
    await refusedThenRead('FA_unzip_file', { zip_file_path, extract_member: 'b.txt', extract_path: 'z' });
    expect(['x/a.txt', 'y/a.txt'].map((path) => house.dir.read(path))).toEqual(['one', 'one']);
    expect(house.dir.read('z/b.txt')).toBe('two\n'.repeat(5000));
    await refusedThenRead('FA_set_zip_password', { zip_file_path, password: 'pass' });
    expect((await run('FA_read_zip_file', { zip_file_path, file_name: 'a.txt', password: 'pass' }))?.value).toEqual({ base64: 'b25l' });
  });

  test('whose numbers already count what stands before it is read as well', async () => {
    store('p.zip', STUB, zipped('a.txt'));
    make('zip', ['-q', '-A', 'p.zip']); // corrects the offsets
    expect(await refusedThenRead('FA_extract_archive', { source: 'p.zip', target: 'x' })).toEqual(['a.txt']);
  });

  test.skipIf(!hasTool('python3'))('that follows another is the one that is read, as python does (needs python3)', async () => {
    const first = zipped('a.txt');
    make('zip', ['-q', 'other.zip', 'd/c.txt']);
    store('p.zip', first, readFileSync(house.dir.at('other.zip')));
    expect(await refusedThenRead('FA_zip_file_info', { zip_file_path: 'p.zip' })).toEqual(['d/c.txt']);
    expect(make('python3', ['-c', 'import zipfile; print(zipfile.ZipFile("p.zip").namelist())']).toString()).toContain("['d/c.txt']");
  });

  test('with wide records moved by what stands before it is read', async () => {
    const entries = [{ type: 'file', name: 'a.txt', data: 'one' }];
    store('p.zip', STUB, buildZip(entries, { root: '/R', archive: () => Buffer.alloc(0) }, { wide: true }));
    expect(await refusedThenRead('FA_extract_archive', { source: 'p.zip', target: 'x' })).toEqual(['a.txt']);
  });

  test('that climbs out of its directory is refused all the same', async () => {
    store('p.zip', STUB, buildZip([{ type: 'file', name: '../out.txt', data: 'x' }], { root: '/R', archive: () => Buffer.alloc(0) }));
    const outcome = await run('FA_extract_archive', { source: 'p.zip', target: 'x', lenient: true });
    expect(outcome?.status).toBe('failed');
    expect(house.dir.read('out.txt')).toBeUndefined();
  });
});

describe('tar files joined by cat', () => {
  const args = { source: 'j.tar', target_dir: 'x' };

  test('are read as one when asked, as tar --ignore-zeros does', async () => {
    store('j.tar', tarred('a.txt'), tarred('d/c.txt'), FILLING, tarred('b.txt'));
    const names = make('tar', ['--ignore-zeros', '-tf', 'j.tar']).toString().trim().split('\n');
    expect(names).toEqual(['a.txt', 'd/c.txt', 'b.txt']);
    expect(await refusedThenRead('FA_extract_tar', args, 'TarException')).toEqual(names);
    expect(await refusedThenRead('FA_list_archive', { path: 'j.tar' })).toEqual(names);
    expect(await refusedThenRead('FA_extract_archive', { source: 'j.tar', target: 'y' })).toEqual(names);
    expect([house.dir.read('x/d/c.txt'), house.dir.read('y/a.txt')]).toEqual(['three', 'one']);
  });

  test.skipIf(!hasTool('bsdtar'))('are what bsdtar finds in them (needs bsdtar)', async () => {
    store('j.tar', tarred('a.txt'), tarred('b.txt'));
    const names = make('bsdtar', ['--options', 'read_concatenated_archives', '-tf', 'j.tar']).toString().trim().split('\n');
    expect(await refusedThenRead('FA_list_archive', { path: 'j.tar' })).toEqual(names);
  });

  test.each([
    ['gzip', 'gz'],
    ['bzip2', 'bz2'],
    ['zstd', 'zst'],
    ['xz', 'xz'],
  ])('are read packed with %s as well', async (program, ending) => {
    const pack = (bytes: Buffer) => make(program, ['-c'], bytes);
    store(`j.tar.${ending}`, pack(tarred('a.txt')), pack(tarred('b.txt')));
    expect(await refusedThenRead('FA_list_archive', { path: `j.tar.${ending}` })).toEqual(['a.txt', 'b.txt']);
  });

  test('may be followed by something else', async () => {
    store('j.tar', tarred('a.txt'), tarred('b.txt'), Buffer.alloc(5000, 'x'));
    expect(await refusedThenRead('FA_extract_tar', args, 'TarException')).toEqual(['a.txt', 'b.txt']);
  });
});

describe.each([
  ['gzip', 'gz'],
  ['bzip2', 'bz2'],
  ['zstd', 'zst'],
] as const)('a file packed by %s', (program, ending) => {
  test.skipIf(!hasTool(program))(`with something behind its end is read when asked (needs ${program})`, async () => {
    const packed = make(program, ['-c', 'b.txt']);
    store(`p.txt.${ending}`, packed, Buffer.from('and more'));
    store(`p.tar.${ending}`, make(program, ['-c'], tarred('b.txt')), Buffer.from('and more'));
    expect(await refusedThenRead('FA_extract_archive', { source: `p.txt.${ending}`, target: 'x' })).toEqual(['p.txt']);
    expect(await refusedThenRead('FA_extract_tar', { source: `p.tar.${ending}`, target_dir: 'y' }, 'TarException')).toEqual(['b.txt']);
    expect([house.dir.read('x/p.txt'), house.dir.read('y/b.txt')]).toEqual(['two\n'.repeat(5000), 'two\n'.repeat(5000)]);
  });
});

describe('without being asked', () => {
  test.each([
    ['gzip', 'gz'],
    ['bzip2', 'bz2'],
    ['xz', 'xz'],
  ] as const)('zeros behind a file of %s are read over, and joined files are one', async (program, ending) => {
    const packed = make(program, ['-c', 'a.txt']);
    store(`p.txt.${ending}`, packed, packed, FILLING);
    expect((await run('FA_extract_archive', { source: `p.txt.${ending}`, target: 'x' }))?.value).toEqual(['p.txt']);
    expect(house.dir.read('x/p.txt')).toBe('oneone');
  });

  test.skipIf(!hasTool('zstd'))('a zstd file may begin with frames that are jumped over (needs zstd)', async () => {
    const note = Buffer.from('5a2a4d1804000000deadbeef', 'hex');
    store('p.txt.zst', note, note, make('zstd', ['-c', 'b.txt']));
    store('p.tar.zst', note, make('zstd', ['-c'], tarred('b.txt')));
    expect(make('zstd', ['-dc', 'p.txt.zst']).toString()).toBe('two\n'.repeat(5000));
    expect((await run('FA_detect_archive_format', { path: 'p.tar.zst' }))?.value).toBe('tar.zst');
    expect((await run('FA_extract_archive', { source: 'p.txt.zst', target: 'x' }))?.value).toEqual(['p.txt']);
    expect((await run('FA_extract_tar', { source: 'p.tar.zst', target_dir: 'y' }))?.value).toEqual(['b.txt']);
    expect([house.dir.read('x/p.txt'), house.dir.read('y/b.txt')]).toEqual(['two\n'.repeat(5000), 'two\n'.repeat(5000)]);
  });
});

test('every action that reads an archive has the argument, as its last', async () => {
  const registry = buildDefaultRegistry();
  const readers = [
    'FA_list_archive',
    'FA_extract_archive',
    'FA_detect_archive_format',
    'FA_extract_tar',
    'FA_zip_info',
    'FA_zip_file_info',
  ];
  const names = [...readers, 'FA_read_zip_file', 'FA_unzip_file', 'FA_unzip_all', 'FA_set_zip_password'];
  await registry.load(names);
  for (const name of names) expect([name, Object.keys(registry.resolve(name)?.action.args ?? {}).at(-1)]).toEqual([name, 'lenient']);
});
