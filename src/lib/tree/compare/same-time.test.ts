import { expect, test } from 'vitest';
import { isSameTime } from './same-time.ts';

const T = 1_700_000_000_000;

test.each([
  ['the same', T + 123.456, T + 123.456, T + 999.1, 0, true],
  ['as far as fractions of seconds can tell', T + 123.4561, T + 123.456, T + 999.1, 0, true],
  ['apart', T + 123.5, T + 123.456, T + 999.1, 0, false],
  ['apart, but not more than is allowed', T + 123.5, T + 100, T + 999.1, 100, true],
  ['in a second that a coarse file system cannot divide', T + 1999.9, T + 1000, T + 5000, 0, true],
  ['in another second there', T + 2000.1, T + 1000, T + 5000, 0, false],
  ['a second later, though both times there are even', T + 1250, T, T + 4000, 0, false],
  ['in the hundredth of a second that exFAT cannot divide', T + 19.9, T + 10, T + 510, 0, true],
  ['a whole second that was set where times are fine', T + 500, T, T + 777.123, 0, false],
])('%s', (_, here, mtimeMs, ctimeMs, toleranceMs, expected) => {
  expect(isSameTime({ mtimeMs: here }, { mtimeMs, ctimeMs }, toleranceMs)).toBe(expected);
});
