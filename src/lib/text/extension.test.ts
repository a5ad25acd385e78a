import { expect, test } from 'vitest';
import { hasExtension } from './extension.ts';

test.each([
  ['a.gz', 'gz', true],
  ['a.tar.gz', '.gz', true],
  ['a.tar.gz', 'tar.gz', true],
  ['d.x/a.b.tar.zst', '.tar.zst', true],
  ['a.gz', 'tar.gz', false],
  ['star.gz', 'tar.gz', false],
  ['.tar.gz', 'tar.gz', false],
  ['d/.tar.gz', '.tar.gz', false],
  ['.gz', 'gz', false],
  ['a.TAR.GZ', 'tar.gz', false],
])('whether %s ends in %s: %s', (name, extension, expected) => {
  expect(hasExtension(name, extension)).toBe(expected);
});

test('the case can be left aside', () => {
  expect(hasExtension('a.TAR.gz', 'tar.GZ', { anyCase: true })).toBe(true);
});
