import { closeSync, fstatSync, futimesSync, openSync, statSync, utimesSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { utime, utimeNs } from './utime.ts';

const SOME_US = 2_500n;
const instants = fc.bigInt({ min: 0n, max: 4_000_000_000_000_000_000n });

const setter = (path: string) => {
  const fd = openSync(path, 'r+');
  return {
    set(time: number | Date): { readonly ns: bigint; readonly ms: number } {
      futimesSync(fd, time, time);
      return { ns: fstatSync(fd, { bigint: true }).mtimeNs, ms: fstatSync(fd).mtimeMs };
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
};

test('a time that is set is never later than its source, hardly earlier, and stays the same when it is set again', () => {
  using dir = tempDir({ f: '' });
  using file = setter(dir.at('f'));
  fc.assert(
    fc.property(instants, (ns) => {
      const { ns: set } = file.set(utimeNs(ns));
      expect(set <= ns && ns - set < 1_100n).toBe(true);
      expect(file.set(utimeNs(set)).ns).toBe(set);
    }),
    { numRuns: 3_000 },
  );
});

test('one that is known in milliseconds only is not later either', () => {
  using dir = tempDir({ f: '' });
  using file = setter(dir.at('f'));
  fc.assert(
    fc.property(instants, (ns) => {
      // As Node tells it.
      const ms = Number(ns / 1_000_000_000n) * 1e3 + Number(ns % 1_000_000_000n) / 1e6;
      fc.pre(!Number.isInteger(ms)); // meant as it is
      const { ns: set } = file.set(utime(ms));
      expect(set <= ns && ns - set < SOME_US).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test.each([0, 1, 1_763_280_000_123, 4_000_000_000_999])('whole milliseconds are hardly earlier, whole seconds exact: %d', (ms) => {
  using dir = tempDir({ f: '' });
  const timeOf = (time: number | Date): number => {
    utimesSync(dir.at('f'), time, time);
    return statSync(dir.at('f')).mtimeMs;
  };
  expect(timeOf(utime(ms))).toBeLessThanOrEqual(ms);
  expect(timeOf(utime(ms))).toBeGreaterThan(ms - 0.001);
  const second = ms - (ms % 1000);
  expect(timeOf(utime(second))).toBe(second);
});

test('times before 1970 are rounded down', () => {
  expect([utime(-1.5), utimeNs(-1_500_000n), utimeNs(-2_000_000n)]).toEqual([new Date(-2), new Date(-2), new Date(-2)]);
});
