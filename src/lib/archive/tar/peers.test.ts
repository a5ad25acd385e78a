// Archives as GNU tar writes them, with contents compared byte by byte.
import { closeSync, ftruncateSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildTar } from '../../../../test/support/archives/build-tar.ts';
import { contentsOf } from '../../../../test/support/archives/contents.ts';
import { NO_LIMITS, signal, sourceOf } from '../../../../test/support/archives/memory.ts';
import { hasTool, tool } from '../../../../test/support/archives/tools.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { openTar } from './open-tar.ts';

const open = (bytes: Buffer) => openTar(sourceOf(bytes, 5000), undefined, { limits: NO_LIMITS, signal });

/** Writes a file with these regions; the rest of it is a hole. */
const writeSparse = (path: string, size: number, regions: readonly (readonly [number, string])[]): void => {
  const file = openSync(path, 'w');
  ftruncateSync(file, size);
  for (const [at, text] of regions) writeSync(file, text, at);
  closeSync(file);
};

const SHAPES: readonly (readonly [string, number, readonly (readonly [number, string])[]])[] = [
  [
    'a hole in the middle',
    3_000_000,
    [
      [0, 'start'],
      [2_999_000, 'end'],
    ],
  ],
  ['a hole at its end', 2_000_000, [[500_000, 'middle']]],
  ['nothing but a hole', 1_000_000, []],
  ['many holes', 12_000_000, Array.from({ length: 60 }, (_, at) => [at * 200_000 + 4096, `region ${at}`] as const)],
];

const FORMS = [
  ['--format=gnu'],
  ['--format=pax', '--sparse-version=0.0'],
  ['--format=pax', '--sparse-version=0.1'],
  ['--format=pax', '--sparse-version=1.0'],
];

describe.skipIf(!hasTool('tar'))('a sparse file that GNU tar packed (needs tar)', () => {
  describe.each(FORMS.map((form) => [form.join(' '), form] as const))('with %s', (_, form) => {
    test.each(SHAPES)('with %s is whole again', async (__, size, regions) => {
      using dir = tempDir({ before: 'b', zlast: 'z' });
      writeSparse(dir.at('sparse'), size, regions);
      tool('tar', ['-cf', 'o.tar', '--sparse', ...form, 'before', 'sparse', 'zlast'], { cwd: dir.path });
      const archive = await open(readFileSync(dir.at('o.tar')));
      const contents = await contentsOf(archive);
      expect(Object.keys(contents)).toEqual(['before', 'sparse', 'zlast']);
      expect(contents.sparse === readFileSync(dir.at('sparse'), 'latin1')).toBe(true);
      expect(contents.zlast).toBe('z');
    });
  });

  test('counts with its whole size against the stored bytes', async () => {
    using dir = tempDir({});
    writeSparse(dir.at('sparse'), 50_000_000, [[0, 'x']]);
    tool('tar', ['-cf', 'o.tar', '--sparse', 'sparse'], { cwd: dir.path });
    const { entries } = await open(readFileSync(dir.at('o.tar')));
    expect(entries[0]?.size).toBe(50_000_000);
    expect(entries[0]?.packedSize).toBeLessThan(10_000);
  });
});

describe('a map of a sparse file', () => {
  const KITCHEN = { root: '/R', archive: () => Buffer.alloc(0) };
  const withMap = (map: string, size = '5') =>
    buildTar(
      [
        { type: 'pax', records: { 'GNU.sparse.size': size, 'GNU.sparse.map': map } },
        { type: 'file', name: 'a', data: 'xx' },
      ],
      KITCHEN,
    );

  test('that makes sense gives the file', async () => {
    expect(await contentsOf(await open(withMap('1,2')))).toEqual({ a: '\0xx\0\0' });
  });

  test.each([
    ['reaches beyond the file', '4,2'],
    ['goes back', '4,1,0,1'],
    ['has half a region', '4'],
    ['has no numbers', 'a,b'],
    ['has a negative number', '-1,2'],
    ['knows more bytes than there are', '0,3'],
    ['knows fewer', '0,1'],
  ])('that %s is refused', async (_, map) => {
    await expect(open(withMap(map))).rejects.toThrow('makes no sense');
  });

  test('of a file without a size is refused', async () => {
    await expect(open(withMap('0,2', 'many'))).rejects.toThrow('makes no sense');
  });
});

describe.skipIf(!hasTool('tar'))('an archive of GNU tar (needs tar)', () => {
  const files = { a: 'one', b: 'two', 'd/c': 'three' };

  test('with a label gives what is in it', async () => {
    using dir = tempDir(files);
    tool('tar', ['-cf', 'o.tar', '-V', 'my label', 'a', 'd'], { cwd: dir.path });
    expect(await contentsOf(await open(readFileSync(dir.at('o.tar'))))).toEqual({ a: 'one', 'd/c': 'three' });
  });

  test('that another was appended to gives both', async () => {
    using dir = tempDir(files);
    tool('tar', ['-cf', 'o.tar', 'a'], { cwd: dir.path });
    tool('tar', ['-cf', 'p.tar', 'b', 'd'], { cwd: dir.path });
    tool('tar', ['-Af', 'o.tar', 'p.tar'], { cwd: dir.path });
    expect(await contentsOf(await open(readFileSync(dir.at('o.tar'))))).toEqual({ a: 'one', b: 'two', 'd/c': 'three' });
  });

  test('of the incremental kind gives its directories and files', async () => {
    using dir = tempDir(files);
    tool('tar', ['-cf', 'o.tar', '-g', 'snapshot', 'd', 'a'], { cwd: dir.path });
    const archive = await open(readFileSync(dir.at('o.tar')));
    expect(archive.entries.map(({ name, kind }) => `${kind} ${name}`).sort()).toEqual(['dir d/', 'file a', 'file d/c']);
    expect(await contentsOf(archive)).toEqual({ a: 'one', 'd/c': 'three' });
  });

  test('of one volume of several is refused with its reason', async () => {
    using dir = tempDir({ large: 'x'.repeat(50_000) });
    writeFileSync(dir.at('next'), '#!/bin/sh\necho "part2.tar" >&$TAR_FD\n', { mode: 0o755 });
    tool('tar', ['-cM', '-L', '30', '-F', './next', '-f', 'part1.tar', 'large'], { cwd: dir.path });
    await expect(open(readFileSync(dir.at('part1.tar')))).rejects.toMatchObject({ type: 'ArchiveException' });
    const { entries } = await open(readFileSync(dir.at('part2.tar')));
    expect(entries[0]).toMatchObject({ kind: 'special', about: 'the rest of a file of another volume' });
  });
});
