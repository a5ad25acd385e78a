import { expect, test } from 'vitest';
import { openSchedulerRoom, type SchedulerRoom } from '../../../test/support/scheduler-room.ts';
import { createScheduler } from './scheduler.ts';

/** The store as a process sees it that is killed after so many calls: later ones are neither done nor answered. */
const dyingStore = (store: SchedulerRoom['store'], calls: number): SchedulerRoom['store'] => {
  let left = calls;
  const dying = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, key, receiver) {
        const value: unknown = Reflect.get(target, key, receiver);
        if (typeof value === 'object' && value !== null) return dying(value);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]) => {
          left -= 1;
          return left < 0 ? new Promise(() => {}) : value(...args);
        };
      },
    });
  return dying(store);
};

/** Lets one process do its work until it dies, and another one take over. */
const surviveDeath = async (calls: number, overlap: 'queue_one' | 'cancel_previous' | 'parallel'): Promise<readonly string[]> => {
  await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
  const { time, store } = room;
  await room.add({ name: 'job', rules: { overlap } });
  await room.scheduler.close();
  const doomedStore = dyingStore(store, calls);
  const doomed = createScheduler({
    store: doomedStore,
    clock: time.clock,
    setTimer: time.setTimer,
    log: () => {},
    cancel: doomedStore.cancel,
  });
  void doomed.start();
  await time.advanceTo('2026-01-05T12:00:10Z');
  const claims = await room.claim();
  await time.advanceTo('2026-01-05T12:01:10Z');
  await room.restart();
  for (const claim of claims) await room.end(claim);
  await time.advance(5_000);
  return await room.ticks();
};

const LAST = '2026-01-05T12:01:00+00:00';

test.each(['queue_one', 'cancel_previous', 'parallel'] as const)(
  'with %s, a process may be killed at any call of the store',
  async (overlap) => {
    for (let calls = 0; calls < 40; calls += 1) {
      const ticks = await surviveDeath(calls, overlap);
      expect(new Set(ticks).size, `${calls} calls`).toBe(ticks.length);
      expect(ticks.at(-1), `${calls} calls`).toBe(LAST);
    }
  },
);
