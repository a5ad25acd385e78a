import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../../../test/support/temp-dir.ts';
import { withOwnTally } from '../../fs/walk-tally.ts';
import type { IndexAnswer } from '../index/ask-index.ts';
import { findPaths } from './find.ts';

const NAMES = Array.from({ length: 3_000 }, (_, at) => `${at % 7}/${at % 90}/é${at}.${at % 2 === 0 ? 'txt' : 'md'}`);

let dir: TempDir;
beforeAll(() => {
  dir = tempDir(Object.fromEntries(NAMES.map((name) => [name, ''])));
});
afterAll(() => dir[Symbol.dispose]());

describe.each([
  ['by paths', false],
  ['by handles', true],
])('a search on all threads %s', (_, byHandles) => {
  const search = async (root: string, wanted: object, signal = new AbortController().signal) => {
    const grant = { root, access: 'read', byHandles, dry: false, counters: new SharedArrayBuffer(16) } as const;
    const query = { pattern: '*', exclude: [], filesOnly: true, most: 1_000_000, after: null, ...wanted };
    const { paths } = await findPaths({ grant, shown: '/shown', query, signal, askIndex: async () => undefined, patienceMs: 0 });
    return paths.map((path) => path.replace(/^\/shown\//, ''));
  };

  test('gives everything in order', async () => {
    const sorted = [...NAMES].sort();
    expect(await search(dir.path, {})).toEqual(sorted);
    expect(await search(dir.path, { pattern: '3/**/*.TXT' })).toEqual(sorted.filter((name) => /^3\/.*txt$/.test(name)));
    expect(await search(dir.path, { most: 1_234 })).toEqual(sorted.slice(0, 1_234));
    expect(await search(dir.path, { after: sorted[999] })).toEqual(sorted.slice(1_000));
  });

  test('gives lines where they are asked for and no path holds a line end', async () => {
    const grant = { root: dir.path, access: 'read', byHandles, dry: false, counters: new SharedArrayBuffer(16) } as const;
    const query = { pattern: '*', exclude: [], filesOnly: true, most: Number.MAX_SAFE_INTEGER, after: null };
    const { signal } = new AbortController();
    const find = (askIndex: () => Promise<IndexAnswer | undefined> = async () => undefined) =>
      findPaths({ grant: withOwnTally(grant), shown: '/shown', query, signal, askIndex, patienceMs: 0, asLines: true });
    const sorted = [...NAMES].sort().map((name) => `/shown/${name}`);
    expect(Buffer.concat((await find()).lines ?? []).toString()).toBe(sorted.map((path) => `${path}\n`).join(''));
    const settled = { asOfMs: Number.NEGATIVE_INFINITY, isPruned: () => false };
    expect(await find(async () => ({ paths: [], coverage: settled }))).toMatchObject({ paths: sorted, areFirst: true });
    dir.write('8/with\nline end', '');
    const withLineEnd = await find();
    rmSync(dir.at('8'), { recursive: true });
    expect(withLineEnd).toMatchObject({ paths: [...sorted, '/shown/8/with\nline end'] });
  });

  test('stops when it is told to', async () => {
    const controller = new AbortController();
    const searching = search(dir.path, {}, controller.signal);
    controller.abort(new Error('enough'));
    await expect(searching).rejects.toThrow('enough');
  });
});
