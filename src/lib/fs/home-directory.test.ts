import { userInfo } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { homeDirectory } from './home-directory.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['/somewhere', '/somewhere'],
  ['', userInfo().homedir],
  ['relative', userInfo().homedir],
])('HOME=%j means %s', (home, expected) => {
  vi.stubEnv('HOME', home);
  expect(homeDirectory()).toBe(expected);
});
