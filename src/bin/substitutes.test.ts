import { expect, test } from 'vitest';
import { createClock, randomBytes } from './substitutes.ts';

test('random bytes have the length asked for and differ', () => {
  expect(randomBytes(0)).toHaveLength(0);
  expect(randomBytes(5000)).toHaveLength(5000);
  expect(randomBytes(16).equals(randomBytes(16))).toBe(false);
});

test('the clock never goes back or jumps, also where it becomes the real one', () => {
  const now = createClock();
  const times = Array.from({ length: 3_000 }, now);
  const steps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...steps)).toBeLessThan(1_000);
});
