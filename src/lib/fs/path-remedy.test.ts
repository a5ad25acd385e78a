import { expect, test } from 'vitest';
import { pathRemedy } from './path-remedy.ts';

test.each(['~', '~/a', '/data/~/a', '/data/~', 'C:\\data\\~\\a'])('%s was meant for a shell', (path) =>
  expect(pathRemedy(path)).toContain('${env:HOME}'),
);

test.each(['/a/b', 'a~', '~a', '/a/b~/c', '/a/~b'])('%s is just not there', (path) => {
  expect(pathRemedy(path)).toBe('check the path');
  expect(pathRemedy(path, 'check the path or create it')).toBe('check the path or create it');
});
