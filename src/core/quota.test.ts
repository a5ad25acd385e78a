import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { QuotaExceededException } from './errors.ts';
import { openBudget, openSharedBudget, Quota } from './quota.ts';

describe('a quota on bytes', () => {
  test('refuses a size above it', () => {
    const quota = new Quota({ maxBytes: 10 });
    expect(() => quota.checkSize(10)).not.toThrow();
    expect(() => quota.checkSize(11)).toThrow(QuotaExceededException);
  });

  test.each([{}, { maxBytes: 0 }, { maxBytes: -1 }])('of %j limits nothing', (limits) => {
    expect(() => new Quota(limits).checkSize(Number.MAX_SAFE_INTEGER)).not.toThrow();
  });
});

describe('a quota on seconds', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const forever = () => new Promise<never>(() => {});

  test('gives what the work gives in time', async () => {
    expect(await new Quota({ maxSeconds: 1 }).timeBudget(() => 'done')).toBe('done');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('fails when the time is up, whether the work heeds its signal or not', async () => {
    let aborted: AbortSignal | undefined;
    const running = new Quota({ maxSeconds: 2 }).timeBudget((signal) => {
      aborted = signal;
      return forever();
    });
    const ending = expect(running).rejects.toThrow(QuotaExceededException);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(aborted?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await ending;
    expect(aborted?.reason).toMatchObject({ type: 'QuotaExceededException', context: { max_seconds: 2 } });
  });

  test('passes the failure of the work on', async () => {
    await expect(new Quota({ maxSeconds: 1 }).timeBudget(() => Promise.reject(new Error('own')))).rejects.toThrow('own');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('of nothing sets no limit', async () => {
    expect(await new Quota().timeBudget((signal) => signal.aborted)).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('wraps a function with its arguments', async () => {
    expect(await new Quota({ maxSeconds: 1 }).wraps((a: number, b: number) => a + b)(1, 2)).toBe(3);
  });
});

describe('a budget', () => {
  test('is spent until it is used up', () => {
    const budget = openBudget(10, undefined);
    budget?.spend(4);
    budget?.spend(6);
    expect(() => budget?.spend(1)).toThrow('11 bytes are more than the quota of 10; raise max_bytes or do less at once.');
  });

  test('inside another spends that too', () => {
    const outer = openBudget(10, undefined);
    const inner = openBudget(100, outer);
    inner?.spend(8);
    outer?.spend(2);
    expect(() => inner?.spend(1)).toThrow('quota of 10');
    expect(() => openBudget(1, openBudget(100, undefined))?.spend(2)).toThrow('quota of 1;');
  });

  test('of nothing is that around it', () => {
    const outer = openBudget(10, undefined);
    expect(openBudget(0, outer)).toBe(outer);
    expect(openBudget(-5, outer)).toBe(outer);
    expect(openBudget(0, undefined)).toBeUndefined();
  });
});

describe('a budget of deletions', () => {
  test('is taken whole or not at all, and nested budgets share it', () => {
    const outer = openBudget(0, undefined, 3);
    const inner = openBudget(10, outer);
    inner?.remove?.(2);
    expect(() => inner?.remove?.(2)).toThrow('4 deleted files are more than the quota of 3; raise max_deletes or delete fewer at once.');
    outer?.remove?.(1);
    expect(() => inner?.remove?.(1)).toThrow('quota of 3');
    expect(() => inner?.spend(11)).toThrow('quota of 10');
  });

  test('leaves bytes alone, and is none of a budget of bytes', () => {
    const deletes = openBudget(0, undefined, 1);
    deletes?.spend(1e9);
    expect([deletes?.countsBytes, openBudget(1, deletes)?.countsBytes]).toEqual([false, true]);
    expect(openBudget(1, undefined)?.remove).toBeUndefined();
  });
});

describe('a budget that other threads spend too', () => {
  /** The same budget, as it comes out on another thread. */
  const across = (budget: ReturnType<typeof openBudget>) => {
    const shared = budget?.share?.();
    if (shared === undefined) throw new Error('it cannot be shared');
    return openSharedBudget({ ...shared });
  };

  test('is one count wherever it is spent', () => {
    const outer = openBudget(100, undefined, 3);
    const inner = openBudget(60, outer);
    outer?.spend(20);
    const there = across(inner);
    there.spend(50);
    expect(() => inner?.spend(11)).toThrow(QuotaExceededException);
    inner?.spend(10);
    expect(() => outer?.spend(21)).toThrow(/101 bytes/);
    expect(() => there.spend(1)).toThrow(/61 bytes/);
    outer?.spend(20);
    there.remove?.(2);
    expect(() => outer?.remove?.(2)).toThrow(QuotaExceededException);
    outer?.remove?.(1);
  });

  test('takes nothing where an outer one refuses', () => {
    const outer = openBudget(10, undefined);
    const inner = openBudget(100, outer);
    const there = across(inner);
    expect(() => there.spend(11)).toThrow(/quota of 10/);
    there.spend(10);
  });
});
