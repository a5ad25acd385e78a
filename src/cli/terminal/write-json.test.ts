import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeJson } from './write-json.ts';

const written = (value: unknown): string => {
  const pieces: Uint8Array[] = [];
  const write = (text: string | Uint8Array) => void pieces.push(Buffer.from(text));
  writeJson({ write, line: (text = '') => write(`${text}\n`) }, value);
  return Buffer.concat(pieces).toString();
};

test('a long list reads as if it were written at once', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 400 }), (some, times) => {
      const list = Array.from({ length: times }, () => some).flat();
      expect(written(list)).toBe(`${JSON.stringify(list)}\n`);
    }),
    { numRuns: 30 },
  );
});

test.each([
  ['nothing', []],
  ['no list', { a: 1 }],
  ['a list of just one piece', Array.from({ length: 500 }, (_, at) => at)],
  ['long elements', Array.from({ length: 1200 }, (_, at) => 'ä'.repeat(at % 7 === 0 ? 5000 : 1))],
  ['pieces larger than the buffer', Array.from({ length: 501 }, () => '€'.repeat(1000))],
])('writes %s whole', (_, value) => {
  expect(written(value)).toBe(`${JSON.stringify(value)}\n`);
});
