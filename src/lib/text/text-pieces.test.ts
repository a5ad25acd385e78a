import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextPieces } from './text-pieces.ts';

const texts = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '€'.repeat(3_000), 'x'.repeat(20_000))), {
  maxLength: 60,
});

test('pieces one behind the other are all that was added, and share no memory', () => {
  fc.assert(
    fc.property(texts, texts, (some, others) => {
      const text = createTextPieces();
      for (const each of some) text.add(each);
      text.pieces();
      for (const each of others) text.add(each);
      const pieces = text.pieces();
      expect(Buffer.concat(pieces).toString()).toBe([...some, ...others].join(''));
      expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(pieces.length);
    }),
  );
});

test('what is added together stays together', () => {
  const text = createTextPieces();
  for (let count = 0; count < 50_000; count += 1) text.add(`<${count}>`);
  const pieces = text.pieces();
  expect(pieces.length).toBeGreaterThan(2);
  for (const piece of pieces) expect(piece.toString()).toMatch(/^<.*>$/);
});
