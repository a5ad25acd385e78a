import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCappedOutput } from './capped-output.ts';

const outputOf = (chunks: readonly Uint8Array[], maxBytes: number) => {
  const output = createCappedOutput(maxBytes);
  for (const chunk of chunks) output.take(chunk);
  return output;
};

describe('what is kept of an output', () => {
  test('is nothing when nothing came', () => {
    const output = outputOf([], 10);
    expect([output.text(), output.truncated]).toEqual(['', false]);
  });

  test.each([
    ['up to the cap', 'abcd', 'abcd', false],
    ['no byte beyond it', 'abcde', 'abcd', true],
    ['no character that the cap cuts through', 'abcé', 'abc', true],
  ])('is %s', (_, said, text, truncated) => {
    const output = outputOf([Buffer.from(said)], 4);
    expect([output.text(), output.truncated]).toEqual([text, truncated]);
  });

  test('is nothing under a cap of 0', () => {
    const output = outputOf([Buffer.from('a')], 0);
    expect([output.text(), output.truncated]).toEqual(['', true]);
  });

  test('shows a character that the program left unfinished as a bad one', () => {
    expect(outputOf([Buffer.from('é').subarray(0, 1)], 10).text()).toBe('\ufffd');
  });

  test('is what all chunks together say, wherever they were cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (chunks) => {
        const output = outputOf(chunks, 1_000_000);
        expect([output.text(), output.truncated]).toEqual([Buffer.concat(chunks).toString(), false]);
      }),
    );
  });

  test('is the beginning of a longer text, less than one character short of the cap', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(), (said, seed) => {
        const bytes = Buffer.from(said);
        const maxBytes = seed % bytes.length;
        const kept = outputOf([bytes], maxBytes).text();
        expect(said.startsWith(kept)).toBe(true);
        expect(maxBytes - Buffer.byteLength(kept)).toBeLessThan(4);
      }),
    );
  });
});
