import { expect, test } from 'vitest';
import type { Grant } from '../../core/files.ts';
import { openTally } from '../fs/walk-tally.ts';
import { type BatchCrew, shareBatches } from './share-batches.ts';

const grant: Grant = { root: '/', access: 'read', byHandles: false, dry: false, counters: new SharedArrayBuffer(16) };

/** Squares numbers; tells who did it. */
const crew = (options: Partial<BatchCrew<number, string>> = {}) => {
  const taken = new Map<number, string>();
  const whole: BatchCrew<number, string> = {
    grant,
    batches: [1, 2, 3, 4, 5, 6],
    *here(batch) {
      for (let step = 0; step < 20; step += 1) yield;
      return `here ${batch * batch}`;
    },
    help: async (batch) => `there ${batch * batch}`,
    take: (batch, result) => void taken.set(batch, result),
    helpers: 2,
    patienceMs: 0,
    signal: new AbortController().signal,
    ...options,
  };
  return { taken, run: () => shareBatches(whole) };
};

const numbersOf = (taken: ReadonlyMap<number, string>) =>
  [...taken].toSorted(([a], [b]) => a - b).map(([, result]) => result.split(' ')[1]);

test('every batch is worked on once, by whoever is free', async () => {
  const { taken, run } = crew();
  await run();
  expect(numbersOf(taken)).toEqual(['1', '4', '9', '16', '25', '36']);
  expect(new Set([...taken.values()].map((result) => result.split(' ')[0]))).toEqual(new Set(['here', 'there']));
});

test('little work stays on this thread', async () => {
  const { taken, run } = crew({ patienceMs: 60_000 });
  await run();
  expect([...taken.values()].every((result) => result.startsWith('here'))).toBe(true);
});

test('a fault of a helper is told, and everybody is stopped', async () => {
  const { run } = crew({ help: () => Promise.reject(new Error('lost')) });
  await expect(run()).rejects.toThrow('lost');
  expect(openTally(grant).isStopped()).toBe(true);
});

test('work that was stopped before can go on under the same grant', async () => {
  openTally(grant).stop();
  const { taken, run } = crew();
  await run();
  expect(taken.size).toBe(6);
});

test('a cancelled signal stops the work and closes what it held', async () => {
  const controller = new AbortController();
  let isClosed = false;
  const { taken, run } = crew({
    helpers: 0,
    signal: controller.signal,
    *here() {
      try {
        for (;;) yield;
      } finally {
        isClosed = true;
      }
    },
  });
  const running = run();
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  expect([isClosed, taken.size]).toEqual([true, 0]);
});
