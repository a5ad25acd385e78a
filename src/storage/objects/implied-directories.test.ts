import { expect, test } from 'vitest';
import { impliedDirectories, isUsable } from './implied-directories.ts';

test('each directory is told once, before what is in it', () => {
  const above = impliedDirectories('b/top');
  const keys = ['b/top/a-x', 'b/top/a/b.d', 'b/top/a/b/c', 'b/top/a/b/d/e', 'b/top/z/', 'b/top/z/y'];
  expect(keys.map(above)).toEqual([[], ['b/top/a'], ['b/top/a/b'], ['b/top/a/b/d'], ['b/top/z'], []]);
});

test.each(['', 'a//b', '../x', 'a/./b', 'a\u0000b', 'a\nb', '\ud800'])('%j is no path to use', (path) => {
  expect(isUsable(path)).toBe(false);
});
