import { beforeEach, expect, test, vi } from 'vitest';
import { createStoreWatch } from './store-watch.ts';

let nowMs: number;
let tries: { resolve(): void; reject(fault: Error): void }[];
let ask: () => Promise<string | undefined>;
beforeEach(() => {
  nowMs = 0;
  tries = [];
  const probe = () => new Promise<void>((resolve, reject) => tries.push({ resolve, reject }));
  ask = createStoreWatch({ store: { probe }, clock: { monotonic: () => nowMs } });
});

const last = () => tries.at(-1) ?? expect.fail('nobody tried');

test('tries the store once for many who ask, and again after two seconds', async () => {
  const answers = Promise.all([ask(), ask(), ask()]);
  last().resolve();
  expect(await answers).toEqual([undefined, undefined, undefined]);
  for (nowMs = 0; nowMs < 2_000; nowMs += 1) expect(await ask()).toBeUndefined();
  expect(tries).toHaveLength(1);
  const again = ask();
  last().resolve();
  expect([await again, tries.length]).toEqual([undefined, 2]);
});

test('says why it takes nothing, and that it does again', async () => {
  const first = ask();
  last().reject(new Error('No space is left.'));
  expect(await first).toBe('No space is left.');
  expect(await ask()).toBe('No space is left.');
  nowMs += 2_000;
  const healed = ask();
  last().resolve();
  expect(await healed).toBeUndefined();
});

test('does not wait for ever for a store that somebody keeps locked', async () => {
  vi.useFakeTimers();
  try {
    const waiting = ask();
    nowMs += 1_000;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await waiting).toMatch(/^It does not answer/);
    const second = ask();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([await second, tries.length]).toEqual([expect.stringMatching(/^It does not answer/), 1]);
    last().resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(await ask()).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
