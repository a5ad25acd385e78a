import { beforeEach, expect, test, vi } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { findPaths } from './find.ts';

// The real calls; directories that are read are counted.
const readDirectories = vi.hoisted((): string[] => []);
vi.mock(import('node:fs'), async (load) => {
  const fs = await load();
  const readdirSync = (...args: Parameters<typeof fs.readdirSync>) => {
    readDirectories.push(String(args[0]));
    return fs.readdirSync(...args);
  };
  // One of its many signatures, which all pass through.
  return { ...fs, readdirSync: readdirSync as unknown as typeof fs.readdirSync };
});
beforeEach(() => {
  readDirectories.length = 0;
});

test.each([false, true])('the walk ends where enough was found (by handles: %s)', async (byHandles) => {
  using dir = tempDir(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${1000 + at}/a`, ''])));
  const grant = { root: dir.path, access: 'read', byHandles, dry: false, counters: new SharedArrayBuffer(16) } as const;
  const query = { pattern: '*', exclude: [], filesOnly: true, most: 3, after: null };
  const { signal } = new AbortController();
  const { paths } = await findPaths({ grant, shown: dir.path, query, signal, askIndex: async () => undefined });
  expect(paths).toEqual(['1000/a', '1001/a', '1002/a'].map(dir.at));
  expect(readDirectories).toHaveLength(4);
});
