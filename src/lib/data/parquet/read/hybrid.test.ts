import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHybrid } from './hybrid.ts';

const ANY = { highest: 2 ** 32 - 1, words: 'too high' };

/** Values of so many bits each, the lowest first, in groups of eight. */
const packed = (values: readonly number[], width: number): number[] => {
  const groups = Math.ceil(values.length / 8);
  let bits = 0n;
  for (const [index, value] of values.entries()) bits |= BigInt(value) << BigInt(index * width);
  return [groups * 2 + 1, ...Array.from({ length: groups * width }, (_, index) => Number((bits >> BigInt(8 * index)) & 0xffn))];
};

test('packed values of every width come back', () => {
  const values = fc
    .integer({ min: 1, max: 32 })
    .chain((width) => fc.tuple(fc.constant(width), fc.array(fc.integer({ min: 0, max: 2 ** width - 1 }), { minLength: 1, maxLength: 40 })));
  fc.assert(
    fc.property(values, ([width, wanted]) => {
      const into = new Uint32Array(wanted.length);
      const counted = wanted[0] ?? 0;
      const matches = readHybrid(Uint8Array.from(packed(wanted, width)), 0, { ...ANY, width, counted }, into);
      expect([...into]).toEqual(wanted);
      expect(matches).toBe(wanted.filter((value) => value === counted).length);
    }),
  );
});

test('runs and packed values follow one another', () => {
  const into = new Uint8Array(13);
  const bytes = Uint8Array.from([10, 3, ...packed([1, 2, 0, 3, 3, 2, 1, 3], 2)]);
  expect(readHybrid(bytes, 0, { ...ANY, width: 2, counted: 3 }, into)).toBe(8);
  expect([...into]).toEqual([3, 3, 3, 3, 3, 1, 2, 0, 3, 3, 2, 1, 3]);
});

test.each<[about: string, bytes: readonly number[], words: string]>([
  ['nothing', [], 'a page has too few values'],
  ['a run without its value', [16], 'a page has too few values'],
  ['packed values that end early', [3], 'a page has too few values'],
  ['a run of more than are wanted', [0xfe, 0xff, 0xff, 0xff, 0x0f, 1], 'a run has too many values'],
  ['packed values of more than are wanted', [0xff, 0xff, 0xff, 0xff, 0x0f, 1], 'a run has too many values'],
  ['a count without an end', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 'a page has too few values'],
  ['a run of a value that is too high', [16, 3], 'too high'],
  ['a packed value that is too high', packed([0, 0, 3, 0, 0, 0, 0, 0], 2), 'too high'],
])('%s is refused', (_about, bytes, words) => {
  expect(() => readHybrid(Uint8Array.from(bytes), 0, { width: 2, highest: 2, words: 'too high' }, new Uint8Array(8))).toThrow(words);
});
