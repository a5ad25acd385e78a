import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLarge, isLargeResult, jsonBeginning, jsonPieces } from './json-pieces.ts';

const large = (value: unknown): unknown => ({
  a: value,
  list: Array.from({ length: 3 }, () => ['x'.repeat(70_000), value]),
  b: [value, 1],
});

test('one behind the other the pieces are what JSON.stringify gives', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      for (const whole of [value, large(value), large({ [text]: text, none: undefined })])
        expect([...jsonPieces(whole)].join('')).toBe(JSON.stringify(whole));
    }),
    { numRuns: 50 },
  );
});

test('a long text is not cut between the halves of a character', () => {
  for (const before of ['', 'x']) {
    const text = before + '😀'.repeat(100_000);
    expect([...jsonPieces(text)].join('')).toBe(JSON.stringify(text));
  }
});

test('objects of classes are written as JSON writes them', () => {
  const value = [new Date(0), { toJSON: () => 'x'.repeat(100_000) }, new Map(), Array(20_000).fill('word')];
  expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
});

test('every part is rewritten, and no piece is long', () => {
  const value = Array.from({ length: 50_000 }, (_, at) => ({ [`key ${at}`]: 'secret' }));
  const rewrite = (part: unknown): unknown => JSON.parse(JSON.stringify(part).replaceAll('secret', '***'));
  const pieces = [...jsonPieces(value, { rewrite })];
  expect(pieces.join('')).toBe(JSON.stringify(value).replaceAll('secret', '***'));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(300_000);
});

test('the beginning of a value is told only where there is more', () => {
  expect(jsonBeginning(['x'.repeat(96)], 100)).toBeUndefined();
  expect(jsonBeginning(['x'.repeat(97)], 100)).toBe(`["${'x'.repeat(97)}"]`);
  let endless: unknown = 'x'.repeat(100);
  for (let depth = 0; depth < 60; depth += 1) endless = [endless, endless, endless];
  expect(jsonBeginning(endless, 1_000)?.length).toBeLessThan(200_000);
});

const LONGEST_PIECE = 7 * 64 * 1024; // every letter may become six

const largeParts = fc.tuple(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 20 }), fc.integer({ min: 0, max: 30_000 }));

test('the pieces together are what JSON.stringify gives', () =>
  fc.assert(
    fc.property(largeParts, ([value, text, times]) => {
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

test.each([
  ['short values', [{ value: 1 }, { value: 'x' }], false],
  ['a long text', [{ value: 'x'.repeat(70_000) }], true],
  ['a long list', [{ value: 1 }, { value: Array.from({ length: 20_000 }, () => 'x') }], true],
  ['a short list', [{ value: ['x'] }], false],
  ['many entries', Array.from({ length: 1_000 }, () => ({ value: 1 })), true],
  ['a long note', [{ value: 1, notes: [{ kind: 'x', message: 'x'.repeat(70_000) }] }], true],
])('a result with %s is large: %#', (_, entries, expected) => {
  const results = entries.map((each, index) => ({ index, action: 'a', status: 'ok' as const, duration_ms: 1, ...each }));
  const counts = { ok: 1, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };
  expect(isLargeResult({ run_id: 'r', ok: true, status: 'ok', counts, duration_ms: 1, results })).toBe(expected);
});
