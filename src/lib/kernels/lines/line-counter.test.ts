import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineCounter } from './line-counter.ts';

const count = (chunks: readonly string[]): number => {
  const counter = createLineCounter(256);
  for (const [turn, chunk] of chunks.entries()) {
    const block = counter.blocks[turn % 2 === 0 ? 0 : 1];
    counter.count(block, Buffer.from(chunk).copy(block));
  }
  return counter.lines();
};

/** As a careful reader would say it. */
const linesOf = (text: string): number => (text.match(/\r\n|\n|\r|[^\r\n]+$/g) ?? []).length;

test.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
  ['\n\n', 2],
  ['a\r\nb\r\n', 2],
  ['a\rb\r', 2],
  ['\r\r\n\n', 3],
])('%j has %i lines', (text, lines) => {
  expect(count([text])).toBe(lines);
});

test('it does not matter where the text is cut', () => {
  const piece = fc.array(fc.constantFrom('\n', '\r', 'a', 'some longer run of text'), { maxLength: 10 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (chunks) => {
      expect(count(chunks)).toBe(linesOf(chunks.join('')));
    }),
    { numRuns: 1_000 },
  );
});

test('long runs of line ends do not overflow', () => {
  for (const end of ['\n', '\r', '\r\n']) {
    const counter = createLineCounter(1 << 20);
    const [block] = counter.blocks;
    block.set(Buffer.from(end.repeat((1 << 20) / end.length)));
    counter.count(block, 1 << 20);
    expect(counter.lines()).toBe((1 << 20) / end.length);
  }
});
