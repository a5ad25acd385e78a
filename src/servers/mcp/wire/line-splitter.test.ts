import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter } from './line-splitter.ts';

const split = (chunks: readonly (string | Buffer)[], maxBytes = 1_000): string[] => {
  const met: string[] = [];
  const splitter = createLineSplitter({ maxBytes, take: (line) => met.push(line.toString()), tooLong: () => met.push('TOO LONG') });
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return met;
};

test('lines are the same wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(50)), (texts, cuts) => {
      const lines = texts.map((text) => text.replaceAll(/[\n\r]/g, '')).filter((text) => text.trim() !== '');
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
      expect(split(chunks, 100_000)).toEqual(lines);
    }),
  );
});

test('blank lines are passed over, carriage returns taken off, and the last line needs no end', () => {
  expect(split(['a\r\n\n \t\r\nb\n', 'c'])).toEqual(['a', 'b', 'c']);
});

test('a line that is too long is told once, as soon as that is known, and the next one is read again', () => {
  const met: string[] = [];
  const splitter = createLineSplitter({ maxBytes: 4, take: (line) => met.push(line.toString()), tooLong: () => met.push('TOO LONG') });
  splitter.push(Buffer.from('123'));
  splitter.push(Buffer.from('45'));
  expect(met).toEqual(['TOO LONG']);
  splitter.push(Buffer.from('6789'));
  splitter.push(Buffer.from('0\nnext\n'));
  expect(met).toEqual(['TOO LONG', 'next']);
  expect(split(['12345678\n1234\n'], 4)).toEqual(['TOO LONG', '1234']);
});
