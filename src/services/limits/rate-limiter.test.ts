import { expect, test } from 'vitest';
import { manualTime } from '../../../test/support/manual-time.ts';
import { manualWait } from '../../../test/support/manual-wait.ts';
import { memoryStore } from '../engine/memory/memory-store.ts';
import type { Store } from '../engine/port.ts';
import { createRateLimiter } from './rate-limiter.ts';

const open = (store?: Store, time = manualTime('2026-01-01T00:00:00Z')) => {
  const limiter = createRateLimiter({ states: async () => store?.states, clock: time.clock, log: () => {}, wait: manualWait(time) });
  const { signal } = new AbortController();
  const take = (rule: { rate: number; burst?: number; tokens?: number; timeoutS?: number | null; signal?: AbortSignal; name?: string }) =>
    limiter.takeTokens(
      rule.name ?? 'mail',
      { rate: rule.rate, burst: rule.burst ?? null },
      { tokens: rule.tokens ?? 1, timeoutS: rule.timeoutS ?? null, signal: rule.signal ?? signal },
    );
  return { limiter, time, take };
};

const once = { rate: 1, burst: 1, timeoutS: 0 };

test('a full bucket gives its burst at once, and refuses the next who will not wait', async () => {
  const { take } = open();
  for (let call = 0; call < 3; call += 1) await take({ rate: 1, burst: 3, timeoutS: 0 });
  await expect(take({ rate: 1, burst: 3, timeoutS: 0 })).rejects.toMatchObject({
    type: 'RateLimitExceededException',
    retryable: true,
    context: { name: 'mail', retry_after_s: 1 },
  });
});

test('tokens come back with time, up to the burst', async () => {
  const { take, time } = open();
  await take(once);
  await time.advance(10_000);
  await take(once);
  await expect(take(once)).rejects.toThrow('no token');
});

test('those who wait go on in the order in which they asked', async () => {
  const { take, time } = open();
  const done: number[] = [];
  const calls = [1, 2, 3].map((call) => take({ rate: 1, burst: 1 }).then(() => done.push(call)));
  await time.advance(0);
  expect(done).toEqual([1]);
  await time.advance(1_000);
  expect(done).toEqual([1, 2]);
  await time.advance(1_000);
  await Promise.all(calls);
  expect(done).toEqual([1, 2, 3]);
});

test('who gives up makes room for those behind', async () => {
  const { take, time } = open();
  await take(once);
  const stop = new AbortController();
  const first = take({ rate: 1, burst: 1, signal: stop.signal });
  await time.advance(0);
  stop.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  await time.advance(1_000);
  await expect(take(once)).resolves.toBeUndefined();
});

test('who would have to wait longer than its timeout is refused at once and takes nothing', async () => {
  const { take, time } = open();
  await take(once);
  await expect(take({ rate: 1, burst: 1, timeoutS: 0.5 })).rejects.toThrow('longer than the timeout');
  await time.advance(1_000);
  await expect(take(once)).resolves.toBeUndefined();
});

test('a rate below one still lets single tokens through; more than the burst never comes', async () => {
  const { take } = open();
  await take({ rate: 0.1, timeoutS: 0 });
  await expect(take({ rate: 1, burst: 2, tokens: 3, name: 'other' })).rejects.toThrow('never holds more than 2');
});

test('what was taken is known to the next process on the same store', async () => {
  const store = memoryStore();
  const first = open(store);
  await first.take(once);
  const second = open(store, first.time);
  await expect(second.take(once)).rejects.toThrow('no token');
  expect(await second.limiter.list()).toEqual([{ kind: 'rate_limit', name: 'mail', tokens: 0 }]);
  await store.close();
});

test('a store that fails stops nobody and is complained about once', async () => {
  const store = memoryStore();
  await store.close();
  const time = manualTime('2026-01-01T00:00:00Z');
  const told: string[] = [];
  const limiter = createRateLimiter({
    states: async () => store.states,
    clock: time.clock,
    log: (_, message) => told.push(message),
    wait: manualWait(time),
  });
  const request = { tokens: 1, timeoutS: 0, signal: new AbortController().signal };
  await limiter.takeTokens('mail', { rate: 1, burst: 1 }, request);
  await expect(limiter.takeTokens('mail', { rate: 1, burst: 1 }, request)).rejects.toThrow('no token');
  expect(told).toHaveLength(1);
});

test('two processes on one store take no token twice', async () => {
  await using store = memoryStore();
  const time = manualTime('2026-01-01T00:00:00Z');
  const [one, other] = [open(store, time), open(store, time)];
  const rule = { rate: 1, burst: 10, timeoutS: 0 };
  const answers = await Promise.allSettled(Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? one : other).take(rule)));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
});

test('those who wait in two processes share the tokens that come, each in its turn', async () => {
  await using store = memoryStore();
  const time = manualTime('2026-01-01T00:00:00Z');
  const [one, other] = [open(store, time), open(store, time)];
  const done: number[] = [];
  const calls: Promise<unknown>[] = [];
  for (let call = 0; call < 6; call += 1) {
    calls.push((call % 2 === 0 ? one : other).take({ rate: 1, burst: 1 }).then(() => done.push(call)));
    await time.advance(0);
  }
  await time.advance(2_000);
  expect(done).toEqual([0, 1, 2]);
  await expect(other.take({ ...once, timeoutS: 3 })).rejects.toThrow('another 4 s');
  await time.advance(3_000);
  await Promise.all(calls);
  expect(done).toEqual([0, 1, 2, 3, 4, 5]);
});

test('who gives up in one process makes room for those of another', async () => {
  await using store = memoryStore();
  const time = manualTime('2026-01-01T00:00:00Z');
  const [one, other] = [open(store, time), open(store, time)];
  const stop = new AbortController();
  await one.take(once);
  const waiting = one.take({ rate: 1, burst: 1, signal: stop.signal });
  await time.advance(0);
  await expect(other.take({ ...once, timeoutS: 1 })).rejects.toThrow('another 2 s');
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await time.advance(1_000);
  await expect(other.take(once)).resolves.toBeUndefined();
});
