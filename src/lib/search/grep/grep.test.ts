import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { collectMatches } from './collect.ts';
import { grepTree } from './grep.ts';
import type { GrepQuery } from './query.ts';

const PATHS = Array.from({ length: 600 }, (_, at) => `${at % 5}/${at % 60}/${at}`).sort();
const contentOf = (path: string, at: number) => `${'filling\n'.repeat(200)}needle ${path} é\n${'filling\n'.repeat(at % 40)}needle again`;
const files = Object.fromEntries([...PATHS.map((path, at) => [path, contentOf(path, at)]), ['binary', 'needle\0']]);
/** What a search for `needle` finds. */
const FOUND = PATHS.flatMap((path, at) => [
  { path: `/shown/${path}`, line: 201, text: `needle ${path} é` },
  { path: `/shown/${path}`, line: 202 + (at % 40), text: 'needle again' },
]);

describe.each([
  ['by paths', false],
  ['by handles', true],
])('a search on all threads %s', (_, byHandles) => {
  const search = async (root: string, wanted: Partial<GrepQuery>, signal = new AbortController().signal) => {
    const grant = { root, access: 'read', byHandles, dry: false, counters: new SharedArrayBuffer(16) } as const;
    const query = {
      pattern: 'needle',
      isRegex: false,
      ignoreCase: false,
      glob: null,
      exclude: [],
      most: 1_000_000,
      maxLineChars: 100,
      before: 0,
      after: 0,
      behind: null,
      jsonBelow: null,
    };
    const into = collectMatches('/shown', query.maxLineChars);
    const left = await grepTree({ grant, query: { ...query, ...wanted }, into, signal, patienceMs: 0 });
    return { matches: into.value(), ...left };
  };

  test('gives everything in the order of paths and lines', async () => {
    using dir = tempDir(files);
    const { matches, binary, unreadable } = await search(dir.path, {});
    expect(matches).toEqual(FOUND);
    expect([binary, unreadable]).toEqual([
      { count: 1, paths: ['binary'], faults: [] },
      { count: 0, paths: [], faults: [] },
    ]);
    expect((await search(dir.path, { pattern: 'n[e]+dle', isRegex: true, most: 777 })).matches).toEqual(FOUND.slice(0, 777));
    expect((await search(dir.path, { pattern: 'NEEDLE', ignoreCase: true })).matches).toEqual(FOUND);
    expect((await search(dir.path, { behind: { path: PATHS[9] ?? '', line: 201 } })).matches).toEqual(FOUND.slice(19));
  });

  test('gives the lines around', async () => {
    using dir = tempDir(files);
    const { matches } = await search(dir.path, { pattern: 'é', before: 1, after: 1 });
    expect(matches).toHaveLength(PATHS.length);
    expect(matches.every(({ before }) => before?.join() === 'filling')).toBe(true);
  });

  test('stops when it is told to', async () => {
    using dir = tempDir(files);
    const controller = new AbortController();
    const searching = search(dir.path, {}, controller.signal);
    controller.abort(new Error('enough'));
    await expect(searching).rejects.toThrow('enough');
  });
});
