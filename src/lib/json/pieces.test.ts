import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLarge, jsonPieces } from './pieces.ts';

const LONGEST_PIECE = 7 * 64 * 1024; // every letter may become six

const large = fc.tuple(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 20 }), fc.integer({ min: 0, max: 30_000 }));

test('the pieces together are what JSON.stringify gives', () =>
  fc.assert(
    fc.property(large, ([value, text, times]) => {
      for (const each of [
        value,
        text.repeat(times),
        Array.from({ length: Math.min(times, 3_000) }, () => value),
        { [text]: [text.repeat(times), value] },
      ])
        expect([...jsonPieces(each)].join('')).toBe(JSON.stringify(each));
    }),
    { numRuns: 60 },
  ));

test.each([
  ['nothing', undefined, 'null'],
  ['what has no JSON, in an array', [undefined, 'x'.repeat(100_000)], `[null,"${'x'.repeat(100_000)}"]`],
  ['what has no JSON, in an object', { a: undefined, b: 'x'.repeat(100_000) }, `{"b":"${'x'.repeat(100_000)}"}`],
  ['dates', [new Date(0), 'x'.repeat(100_000)], `["1970-01-01T00:00:00.000Z","${'x'.repeat(100_000)}"]`],
])('%s', (_, value, expected) => expect([...jsonPieces(value)].join('')).toBe(expected));

test('no piece is long, and no pair of halves is cut', () => {
  const pieces = [...jsonPieces({ text: `x${'😀'.repeat(300_000)}`, many: Array.from({ length: 100_000 }, (_, at) => at) })];
  expect(pieces.length).toBeGreaterThan(10);
  for (const piece of pieces) {
    expect(piece.length).toBeLessThan(LONGEST_PIECE);
    expect(Buffer.from(piece).toString()).toBe(piece);
  }
});

test('only what is large is told to be', () => {
  expect([1, 'x', [], { a: [1, 2, 3] }, 'x'.repeat(1_000)].map(isLarge)).toEqual([false, false, false, false, false]);
  expect([[['x'.repeat(100_000)]], Array.from({ length: 10_000 }, () => 1)].map(isLarge)).toEqual([true, true]);
});
