import { expect, test } from 'vitest';
import { isInSlice, readSlice } from './slice.ts';

test('every path is in exactly one part, and the parts are about equally large', () => {
  const paths = Array.from({ length: 30_000 }, (_, at) => `folder-${at % 100}/file-${at}.txt`);
  const counts = Array.from({ length: 30 }, (_, at) => paths.filter((path) => isInSlice(path, { part: at + 1, of: 30 })).length);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(paths.length);
  expect(Math.min(...counts)).toBeGreaterThan(800);
  expect(Math.max(...counts)).toBeLessThan(1200);
});

test.each(['', '0/3', '4/3', '3', '1/0', 'a/b', '1/3/5', '-1/3', '1.5/3', '1/9999999'])('%j is no subset', (subset) => {
  expect(() => readSlice(subset)).toThrow('is none');
});

test('a subset is read', () => {
  expect(readSlice(' 3/30 ')).toEqual({ part: 3, of: 30 });
});
