import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { createLineFinder } from '../../kernels/find/line-finder.ts';
import { createFileSearch, type FileSearchOptions, MAX_LINE_BYTES } from './file-search.ts';
import { createGathering } from './harvest.ts';
import { prepareLineTest } from './line-test.ts';
import { addMatches, type GrepMatch } from './matches.ts';

const dir = tempDir();
afterAll(() => dir[Symbol.dispose]());

interface Asked extends Partial<FileSearchOptions> {
  readonly pattern: string;
  readonly isRegex?: boolean;
  readonly ignoreCase?: boolean;
  readonly blockBytes?: number;
  readonly behindLine?: number;
}

/** Searches a file and gives matches without their path. */
const searchFile = async (content: string | Uint8Array, asked: Asked) => {
  dir.write('f', content);
  const { pattern, isRegex = false, ignoreCase = false, blockBytes = 256, behindLine = 0, ...options } = asked;
  const { needle, matches } = await prepareLineTest({ pattern, isRegex, ignoreCase });
  const finder = createLineFinder(needle, blockBytes);
  const gathering = createGathering();
  const search = createFileSearch({ finder, matches, most: 1_000_000, maxLineChars: 4096, before: 0, after: 0, ...options });
  search.open(dir.at('f'), gathering, behindLine);
  let steps = 1;
  while (!search.step()) steps += 1;
  const searched = search.close();
  if (searched.isBinary) gathering.forget();
  gathering.keep('f');
  const found: GrepMatch[] = [];
  addMatches(found, gathering.pack(), '/root', options.maxLineChars ?? 4096);
  return { ...searched, steps, found: found.map(({ path: _, ...rest }) => rest) };
};

const linesOf = (content: string): string[] => {
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.replace(/\r$/, ''));
};

describe('a file in blocks', () => {
  const contents = fc
    .array(
      fc.constantFrom(
        'a',
        'ab',
        'xyz',
        'A',
        'é',
        '\n',
        '\r\n',
        ' ',
        '\n\n',
        'a long piece of text that fills blocks ',
        '0123456789'.repeat(8),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''))
    .filter((text) => !text.startsWith('\uFEFF'));

  test('gives the same as reading it whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        contents,
        fc.constantFrom('a', 'ab', 'é', 'text that', 'z'),
        fc.integer({ min: 1, max: 200 }),
        async (content, pattern, blockBytes) => {
          const { found } = await searchFile(content, { pattern, blockBytes });
          expect(found).toEqual(linesOf(content).flatMap((text, at) => (text.includes(pattern) ? [{ line: at + 1, text }] : [])));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('gives the same for expressions and in any case', async () => {
    await fc.assert(
      fc.asyncProperty(
        contents,
        fc.constantFrom('^a', 'b$', 'a|z', '^$', 'AB', '(?i)AB'),
        fc.boolean(),
        async (content, pattern, ignoreCase) => {
          const { found } = await searchFile(content, { pattern, isRegex: true, ignoreCase, blockBytes: 64 });
          const regex = new RegExp(pattern.replace('(?i)', ''), ignoreCase || pattern.startsWith('(?i)') ? 'i' : '');
          expect(found).toEqual(linesOf(content).flatMap((text, at) => (regex.test(text) ? [{ line: at + 1, text }] : [])));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('gives the lines around a match', async () => {
    const around = fc.integer({ min: 0, max: 4 });
    await fc.assert(
      fc.asyncProperty(contents, around, around, fc.integer({ min: 8, max: 100 }), async (content, before, after, blockBytes) => {
        if (before + after === 0) return;
        const { found } = await searchFile(content, { pattern: 'a', before, after, blockBytes });
        const lines = linesOf(content);
        expect(found).toEqual(
          lines.flatMap((text, at) =>
            text.includes('a')
              ? [{ line: at + 1, text, before: lines.slice(Math.max(0, at - before), at), after: lines.slice(at + 1, at + 1 + after) }]
              : [],
          ),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('goes on behind a line and stops at the most wanted', async () => {
    const content = 'x\n'.repeat(100);
    expect((await searchFile(content, { pattern: 'x', behindLine: 97, blockBytes: 16 })).found.map(({ line }) => line)).toEqual([
      98, 99, 100,
    ]);
    const stopped = await searchFile(content, { pattern: 'x', most: 3, blockBytes: 16 });
    expect(stopped.found.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(stopped.bytes).toBeLessThan(100);
  });
});

describe('long lines', () => {
  test('are cut by characters', async () => {
    expect((await searchFile('x123456789\n', { pattern: 'x', maxLineChars: 5 })).found).toEqual([{ line: 1, text: 'x1234…' }]);
    expect((await searchFile('xé😀ab\nx😀\n', { pattern: 'x', maxLineChars: 3 })).found.map(({ text }) => text)).toEqual(['xé😀…', 'x😀']);
    expect((await searchFile('a\nx123\nabcdef\n', { pattern: 'x', maxLineChars: 3, before: 1, after: 1 })).found).toEqual([
      { line: 2, text: 'x12…', before: ['a'], after: ['abc…'] },
    ]);
  });

  test('are searched to their end, whatever the size of a block', async () => {
    const { found } = await searchFile(`first\n${'y'.repeat(1_000_000)}x\nlast x\n`, { pattern: 'x', maxLineChars: 3, blockBytes: 1_024 });
    expect(found).toEqual([
      { line: 2, text: 'yyy…' },
      { line: 3, text: 'las…' },
    ]);
  });

  test('beyond all measure are searched at their beginning, and what follows is', async () => {
    const endless = Buffer.alloc(2 * MAX_LINE_BYTES + 500, 'y');
    endless.write('early', 100);
    endless.write('late', 2 * MAX_LINE_BYTES);
    const content = Buffer.concat([Buffer.from('first\n'), endless, Buffer.from('\nearly again\nlate again')]);
    const early = await searchFile(content, { pattern: 'early', maxLineChars: 3, blockBytes: 65_536 });
    expect([early.isCut, early.found.map(({ line }) => line)]).toEqual([true, [2, 3]]);
    const late = await searchFile(content, { pattern: 'late', maxLineChars: 3, blockBytes: 65_536 });
    expect([late.isCut, late.found]).toEqual([true, [{ line: 4, text: 'lat…' }]]);
  });
});

const pointBytes = (character: string, isLittle: boolean): Buffer => {
  const bytes = Buffer.alloc(4);
  const point = character.codePointAt(0) ?? 0;
  if (isLittle) bytes.writeUInt32LE(point);
  else bytes.writeUInt32BE(point);
  return bytes;
};

describe('what is no plain UTF-8', () => {
  test('is binary when it holds a NUL, wherever that is', async () => {
    expect(await searchFile('needle\0', { pattern: 'needle' })).toMatchObject({ isBinary: true, found: [] });
    expect(await searchFile(`needle\n${'y\n'.repeat(500)}\0`, { pattern: 'needle', blockBytes: 64 })).toMatchObject({
      isBinary: true,
      found: [],
    });
    expect(await searchFile(`\0${'y\n'.repeat(500)}needle`, { pattern: 'needle', blockBytes: 64 })).toMatchObject({
      isBinary: true,
      found: [],
    });
    expect(await searchFile('nothing\0', { pattern: 'needle' })).toMatchObject({ isBinary: false, found: [] });
  });

  test('is shown with marks where bytes mean nothing', async () => {
    const content = Buffer.concat([Buffer.from([0xff]), Buffer.from(' needle\n')]);
    expect((await searchFile(content, { pattern: 'needle' })).found).toEqual([{ line: 1, text: '\uFFFD needle' }]);
  });

  const text = `erste Zeile\n${'Füllung\r\n'.repeat(2_000)}größe 😀\n`;
  const big = (bytes: Buffer) => bytes.swap16();
  test.each([
    ['UTF-8', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16, little end first', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16, big end first', big(Buffer.from(`\uFEFF${text}`, 'utf16le'))],
    ['UTF-32, little end first', Buffer.concat(Array.from(`\uFEFF${text}`, (character) => pointBytes(character, true)))],
    ['UTF-32, big end first', Buffer.concat(Array.from(`\uFEFF${text}`, (character) => pointBytes(character, false)))],
  ])('is read as its mark says: %s', async (_, content) => {
    for (const blockBytes of [7, 300, 1 << 20]) {
      expect((await searchFile(content, { pattern: 'größe', blockBytes })).found).toEqual([{ line: 2_002, text: 'größe 😀' }]);
      expect((await searchFile(content, { pattern: '^erste', isRegex: true, blockBytes })).found).toEqual([
        { line: 1, text: 'erste Zeile' },
      ]);
    }
  });
});

test('letters are found in either case as Unicode has them', async () => {
  const content = 'KISS\n\u212aiss\nkiſſ\nGRÖSSE\ngröße\n';
  expect((await searchFile(content, { pattern: 'kiss', ignoreCase: true })).found.map(({ line }) => line)).toEqual([1, 2, 3]);
  expect((await searchFile(content, { pattern: 'GRÖ', ignoreCase: true })).found.map(({ line }) => line)).toEqual([4, 5]);
  expect((await searchFile('a.c\nabc\n', { pattern: 'A.Cſ'.slice(0, 3), ignoreCase: true })).found.map(({ line }) => line)).toEqual([1]);
});

test('an empty file has no lines', async () => {
  expect((await searchFile('', { pattern: '^', isRegex: true })).found).toEqual([]);
});

test('nothing stays open', async () => {
  const before = readdirSync('/proc/self/fd').length;
  await searchFile('x\n'.repeat(1_000), { pattern: 'x', most: 1, blockBytes: 16 });
  expect(readdirSync('/proc/self/fd')).toHaveLength(before);
});
