import { closeSync, fstatSync, futimesSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { utime } from '../../fs/utime.ts';
import { isSameTime } from './same-time.ts';

const T = 1_700_000_000_000;
const LONG_AGO = T - 1e9;

test.each([
  ['the same', T + 123.456, T + 123.456, T + 999.1, undefined, true],
  ['as far as fractions of seconds can tell', T + 123.4561, T + 123.456, T + 999.1, undefined, true],
  ['apart by milliseconds', T + 124.456, T + 123.456, T + 999.1, undefined, false],
  ['apart by microseconds', T + 123.466, T + 123.456, T + 999.1, undefined, false],
  ['apart, but not more than is allowed', T + 123.5, T + 100, T + 999.1, 100, true],
  ['apart more than is allowed', T + 223.5, T + 100, T + 999.1, 100, false],
  ['apart, and nothing is allowed', T + 123.5, T + 123.456, T + 999.1, 0, false],
  ['in a second that a coarse file system cannot divide', T + 1999.9, T + 1000, T + 5000, undefined, true],
  ['in a second that it cannot divide, and nothing is allowed', T + 1999.9, T + 1000, T + 5000, 0, true],
  ['in another second there', T + 2000.1, T + 1000, T + 5000, undefined, false],
  ['in the two seconds that FAT, which gives one time twice, cannot divide', T + 1999.9, T, T, undefined, true],
  ['in other two seconds there', T + 2000.1, T, T, undefined, false],
  ['in the next second where only seconds are told', T + 1250, T, T + 4000, 0, false],
  ['in the hundredth of a second that exFAT cannot divide', T + 19.9, T + 10, T + 510, undefined, true],
  ['a whole second that was set where times are fine', T + 500, T, T + 777.123, undefined, false],
])('%s', (_, here, mtimeMs, ctimeMs, toleranceMs, expected) => {
  expect(isSameTime({ mtimeMs: here, ctimeMs: LONG_AGO }, { mtimeMs, ctimeMs }, toleranceMs)).toBe(expected);
});

test.each([
  ['before the copy', T + 1999, true],
  ['in the step of the copy', T + 2000, false],
  ['after it', T + 3999, false],
])('where a coarse file system cannot tell, a source that was touched %s', (_, ctimeMs, expected) => {
  expect(isSameTime({ mtimeMs: T + 300, ctimeMs }, { mtimeMs: T, ctimeMs: T + 2000 })).toBe(expected);
});

test('a file system without a second time is not copied to again and again', () => {
  expect(isSameTime({ mtimeMs: T + 300, ctimeMs: T + 9000 }, { mtimeMs: T, ctimeMs: T })).toBe(true);
});

test('a time that was set from another file is the same as that one', () => {
  using dir = tempDir({ f: '' });
  const fd = openSync(dir.at('f'), 'r+');
  for (let at = 0; at < 500; at += 1) {
    const mtimeMs = T + at * 1_234_567.891_234_5;
    futimesSync(fd, utime(mtimeMs), utime(mtimeMs));
    const there = fstatSync(fd);
    expect(isSameTime({ mtimeMs, ctimeMs: LONG_AGO }, there), `${mtimeMs} was set and read as ${there.mtimeMs}`).toBe(true);
    expect(isSameTime({ mtimeMs: mtimeMs + 0.01, ctimeMs: LONG_AGO }, there)).toBe(false);
  }
  closeSync(fd);
});
