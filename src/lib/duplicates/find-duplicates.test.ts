import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import type { Grant } from '../../core/files.ts';
import { type DuplicatesOptions, findDuplicates } from './find-duplicates.ts';

// The real calls; those that open a file are counted.
const opened = vi.hoisted((): string[] => []);
vi.mock(import('node:fs'), async (load) => {
  const fs = await load();
  return {
    ...fs,
    openSync: (path, ...rest) => {
      opened.push(String(path));
      return fs.openSync(path, ...rest);
    },
  };
});
beforeEach(() => {
  opened.length = 0;
});

const grantOn = (root: string, byHandles = false): Grant => ({
  root,
  access: 'read',
  byHandles,
  dry: false,
  counters: new SharedArrayBuffer(16),
});

const find = async (dir: TempDir, options: Partial<DuplicatesOptions> = {}) => {
  const { signal } = new AbortController();
  const { groups } = await findDuplicates({
    grant: grantOn(dir.path),
    minBytes: 1,
    sampleBytes: 65_536,
    algorithm: null,
    exclude: [],
    signal,
    ...options,
  });
  return groups;
};

const pathsOf = (groups: Awaited<ReturnType<typeof find>>) => groups.map(({ paths }) => paths);

test('files of a size that occurs once are never opened', async () => {
  using dir = tempDir({ a: '1', b: '22', c: '333', 'd/e': '4444', twin: 'same!', 'd/twin': 'same!' });
  expect(pathsOf(await find(dir))).toEqual([['d/twin', 'twin']]);
  expect(opened.toSorted()).toEqual([dir.at('d/twin'), dir.at('twin')]);
});

test('only files that begin alike are read to their end', async () => {
  using dir = tempDir({ a: 'headAAAA', b: 'headBBBB', c: 'headAAAA', d: 'otherAAA' });
  expect(pathsOf(await find(dir, { sampleBytes: 4 }))).toEqual([['a', 'c']]);
  expect(opened.filter((path) => path.endsWith('/d'))).toHaveLength(1);
  expect(opened.filter((path) => path.endsWith('/b'))).toHaveLength(2);
});

test('several names of one file are no duplicates of each other', async () => {
  using dir = tempDir({ a: 'same', z: 'same', lonely: 'once' });
  linkSync(dir.at('a'), dir.at('b'));
  linkSync(dir.at('lonely'), dir.at('lonely too'));
  expect(pathsOf(await find(dir))).toEqual([['a', 'z']]);
});

test('links are neither followed nor told', async () => {
  using dir = tempDir({ 'd/a': 'same', 'o/b': 'same' });
  symlinkSync('a', dir.at('d/link'));
  symlinkSync('../o', dir.at('d/out'));
  expect(await find(dir, { grant: grantOn(dir.at('d')) })).toEqual([]);
});

test('a digest is told where one is asked for', async () => {
  using dir = tempDir({ a: 'abc', b: 'abc', c: 'abd' });
  expect(await find(dir, { algorithm: 'md5' })).toEqual([{ size: 3, paths: ['a', 'b'], digest: '900150983cd24fb0d6963f7d28e17f72' }]);
});

test('more files than fit into one batch are told apart, by digests too, on one thread and on many', async () => {
  using dir = tempDir(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`d${at % 5}/${at}`, String(10_000 + (at % 4_990))])));
  for (const [algorithm, patienceMs] of [
    [null, 0],
    ['sha1', 0],
    ['sha1', 60_000],
  ] as const)
    expect(await find(dir, { algorithm, patienceMs })).toHaveLength(10);
});

test('what is excluded is not looked at', async () => {
  using dir = tempDir({ a: 'x', b: 'x', 'skip/c': 'x', 'd.tmp': 'x' });
  expect(pathsOf(await find(dir, { exclude: ['skip', '*.tmp'] }))).toEqual([['a', 'b']]);
});

test('a cancelled search stops', async () => {
  using dir = tempDir({ a: 'x', b: 'x' });
  await expect(find(dir, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
});

/** By reading everything. */
const byReading = (dir: TempDir, files: readonly string[], minBytes: number): string[][] => {
  const byDigest = new Map<string, string[]>();
  const sizes = new Map<string, number>();
  for (const file of files.toSorted()) {
    const content = readFileSync(dir.at(file));
    if (content.byteLength < minBytes) continue;
    const digest = createHash('sha256').update(content).digest('hex');
    byDigest.set(digest, [...(byDigest.get(digest) ?? []), file]);
    sizes.set(digest, content.byteLength);
  }
  return [...byDigest]
    .filter(([, group]) => group.length > 1)
    .toSorted(([a, [first = '']], [b, [other = '']]) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) || (first < other ? -1 : 1))
    .map(([, group]) => group);
};

const names = fc.array(fc.constantFrom('a', 'b', 'c.txt', 'é', 'Z', 'a-b'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const contents = fc.constantFrom('', 'x', 'y', 'xx', 'xy', 'head1', 'head2', 'z'.repeat(100), `${'z'.repeat(99)}!`);
const ways = fc.record({
  minBytes: fc.constantFrom(0, 1, 2),
  sampleBytes: fc.constantFrom(1, 4, 65_536),
  algorithm: fc.constantFrom(null, 'sha256', 'blake3'),
  byHandles: fc.boolean(),
  patienceMs: fc.constantFrom(0, 10_000),
});

test('it finds what reading everything finds, on one thread and on many, by paths and by handles', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(names, contents), { maxLength: 20 }), ways, async (files, { byHandles, ...way }) => {
      using dir = tempDir();
      const made = new Set<string>();
      for (const [name, content] of files) {
        try {
          mkdirSync(dirname(dir.at(name)), { recursive: true });
          writeFileSync(dir.at(name), content);
          made.add(name);
        } catch {
          // a file is where a directory should be, or the other way round
        }
      }
      const groups = await find(dir, { ...way, grant: grantOn(dir.path, byHandles) });
      expect(pathsOf(groups)).toEqual(byReading(dir, [...made], way.minBytes));
    }),
    { numRuns: 60 },
  );
});
