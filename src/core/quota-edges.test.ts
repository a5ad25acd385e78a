import { afterEach, expect, test, vi } from 'vitest';
import { openBudget, Quota } from './quota.ts';

afterEach(() => void vi.useRealTimers());

test('a time longer than a timer can hold does not end at once', async () => {
  vi.useFakeTimers();
  let ended = false;
  const end = () => {
    ended = true;
  };
  void new Quota({ maxSeconds: 10_000_000 }).timeBudget(() => new Promise<never>(() => {})).catch(end);
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(ended).toBe(false);
});

test('what is no number sets no limit', async () => {
  const quota = new Quota({ maxBytes: Number.NaN, maxSeconds: Number.NaN });
  quota.checkSize(Number.MAX_SAFE_INTEGER);
  expect(await quota.timeBudget(() => 'done')).toBe('done');
});

test('bytes that were refused are not spent, neither here nor around', () => {
  const outer = openBudget(10, undefined);
  const inner = openBudget(4, outer);
  expect(() => inner?.spend(5)).toThrow('quota of 4');
  inner?.spend(4);
  outer?.spend(6);
  expect(() => inner?.spend(0)).not.toThrow();
  const wide = openBudget(100, outer);
  expect(() => wide?.spend(1)).toThrow('quota of 10');
});
