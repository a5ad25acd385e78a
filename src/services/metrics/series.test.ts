import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDurations, createNumbers } from './series.ts';

test('numbers are kept for each combination of labels', () => {
  const numbers = createNumbers({ name: 'n', help: 'h', type: 'counter', labels: ['a', 'b'] });
  numbers.add(1, 'x', 'y');
  numbers.add(2, 'x', 'y');
  numbers.add(1, 'x', 'z');
  numbers.set(7, '__proto__', 'y');
  expect(numbers.samples()).toEqual([
    { labels: { a: 'x', b: 'y' }, value: 3 },
    { labels: { a: 'x', b: 'z' }, value: 1 },
    { labels: { a: '__proto__', b: 'y' }, value: 7 },
  ]);
});

test('a duration counts in every bucket whose bound it does not pass', () => {
  const buckets = [0.1, 1, 10];
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 1 }), (seconds) => {
      const durations = createDurations({ name: 'd', help: 'h', label: 'action', buckets });
      for (const each of seconds) durations.observe(each, 'FA_x');
      const value = (name: string, le?: string) =>
        durations.samples().find((sample) => sample.name === name && sample.labels.le === le)?.value;
      for (const bound of buckets) expect(value('d_bucket', String(bound))).toBe(seconds.filter((each) => each <= bound).length);
      expect(value('d_bucket', '+Inf')).toBe(seconds.length);
      expect(value('d_count')).toBe(seconds.length);
      expect(value('d_sum')).toBeCloseTo(seconds.reduce((sum, each) => sum + each, 0));
    }),
  );
});
