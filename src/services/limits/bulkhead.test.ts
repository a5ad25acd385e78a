import { expect, test } from 'vitest';
import { createBulkheads } from './bulkhead.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('so many go in at once, so many wait in order, the rest is refused', async () => {
  const bulkheads = createBulkheads();
  const { signal } = new AbortController();
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const enter = (call: number) =>
    bulkheads.insideBulkhead('disk', { maxConcurrent: 1, maxWaiting: 1 }, signal, () => {
      begun.push(call);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const first = enter(1);
  const second = enter(2);
  await expect(enter(3)).rejects.toMatchObject({ type: 'RateLimitExceededException', retryable: true });
  expect(bulkheads.list()).toEqual([{ kind: 'bulkhead', name: 'disk', running: 1, waiting: 1 }]);
  ends[0]?.();
  await first;
  await settled();
  expect(begun).toEqual([1, 2]);
  ends[1]?.();
  await second;
  expect(bulkheads.list()).toEqual([]);
});

test('who is cancelled while waiting leaves the queue; a failure makes room too', async () => {
  const bulkheads = createBulkheads();
  const stop = new AbortController();
  const rule = { maxConcurrent: 1, maxWaiting: 5 };
  let fail: (fault: Error) => void = () => {};
  const first = bulkheads.insideBulkhead('disk', rule, stop.signal, () => new Promise<void>((_, reject) => (fail = reject)));
  await settled();
  const second = bulkheads.insideBulkhead('disk', rule, stop.signal, () => Promise.resolve('no'));
  stop.abort(new Error('enough'));
  await expect(second).rejects.toThrow('enough');
  fail(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  expect(await bulkheads.insideBulkhead('disk', rule, new AbortController().signal, () => Promise.resolve('yes'))).toBe('yes');
});
