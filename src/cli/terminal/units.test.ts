import { expect, test } from 'vitest';
import { bytes, count, milliseconds, seconds } from './units.ts';

test.each([
  [bytes, 0, '0 B'],
  [bytes, 999, '999 B'],
  [bytes, 1000, '1.0 kB'],
  [bytes, 1_234_567, '1.2 MB'],
  [bytes, 5e15, '5000.0 TB'],
  [count, 7, '7'],
  [count, 1234567, '1,234,567'],
  [milliseconds, 0.25, '0.3 ms'],
  [milliseconds, 12.4, '12 ms'],
  [milliseconds, 2500, '2.5 s'],
  [seconds, 42, '42 s'],
  [seconds, 200, '3 min 20 s'],
  [seconds, 3900, '1 h 5 min'],
])('%o says %d as %s', (say, amount, words) => {
  expect(say(amount)).toBe(words);
});
