import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { collectJson, collectMatches } from './collect.ts';
import { grepTree } from './grep.ts';
import type { GrepQuery } from './query.ts';

const MOST = 1_000_000;

/** The same search as objects and as text. */
const searchBothWays = async (root: string, wanted: Partial<GrepQuery>, cutTo = MOST, patienceMs = 60_000) => {
  const query = {
    pattern: 'x',
    isRegex: false,
    ignoreCase: false,
    glob: null,
    exclude: [],
    most: MOST,
    maxLineChars: 100,
    before: 0,
    after: 0,
    behind: null,
    ...wanted,
  };
  const matches = collectMatches('/shown', query.maxLineChars);
  const json = collectJson((pieces) => Buffer.concat(pieces).toString());
  const search = async (into: typeof matches | typeof json, jsonBelow: string | null) => {
    const grant = { root, access: 'read', byHandles: false, dry: false, counters: new SharedArrayBuffer(16) } as const;
    await grepTree({ grant, query: { ...query, jsonBelow }, into, signal: new AbortController().signal, patienceMs });
    return into.cut(cutTo);
  };
  expect(await search(json, '/shown')).toEqual(await search(matches, null));
  expect(json.count).toBe(matches.count);
  expect(json.value()).toBe(`${JSON.stringify(matches.value())}\n`);
  return matches.value();
};

const lines = fc.constantFrom('x', '"x"', 'x\\', '\tx', 'éx', '€x😀', 'none', `x${'y'.repeat(150)}`, `é${'x'.repeat(98)}é`, '\u001fx');
const contents = fc.array(lines, { maxLength: 8 }).map((some) => Buffer.from(some.join('\n')));
/** Bytes that are no UTF-8, at the beginning and at the end of lines. */
const odd = fc.constantFrom(Buffer.from('x\xc3\n\xa9x\n\xff x', 'latin1'), Buffer.from('x\xe2\x82\nx', 'latin1'));

describe('matches as text are what JSON shows of them', () => {
  test('whatever the files hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('a', 'b/"c"', 'b/é', 'd'), fc.oneof({ weight: 4, arbitrary: contents }, odd), { maxKeys: 4 }),
        fc.constantFrom<Partial<GrepQuery>>({}, { before: 1, after: 1 }, { maxLineChars: 3 }, { isRegex: true, pattern: 'x' }),
        fc.constantFrom(1, 3, MOST),
        async (files, wanted, cutTo) => {
          using dir = tempDir();
          for (const [name, content] of Object.entries(files)) dir.write(name, content);
          await searchBothWays(dir.path, wanted, cutTo);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('where all threads search', async () => {
    const line = (at: number) => `x "${at}" of many${'!'.repeat(at % 30)}\n`;
    const content = Array.from({ length: 400 }, (_, at) => line(at)).join('');
    using dir = tempDir(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at % 7}/${at}`, content])));
    expect(await searchBothWays(dir.path, {}, MOST, 0)).toHaveLength(24_000);
    expect(await searchBothWays(dir.path, { most: 9_999 }, 9_998, 0)).toHaveLength(9_998);
  });

  test('where a path is longer than usual', async () => {
    using dir = tempDir({ [Array.from({ length: 15 }, () => '\u0001'.repeat(50)).join('/')]: 'x' });
    expect(await searchBothWays(dir.path, {})).toHaveLength(1);
  });
});
