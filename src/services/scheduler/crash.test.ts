import { expect, test } from 'vitest';
import { dyingStore } from '../../../test/support/dying-store.ts';
import { openSchedulerRoom } from '../../../test/support/scheduler-room.ts';
import { createScheduler } from './scheduler.ts';

/** Lets one process do its work until it dies, and another one take over. */
const surviveDeath = async (
  calls: number,
  side: 'before' | 'after',
  overlap: 'queue_one' | 'cancel_previous' | 'parallel',
): Promise<readonly string[]> => {
  await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
  const { time, store } = room;
  await room.add({ name: 'job', rules: { overlap } });
  await room.scheduler.close();
  const { store: doomedStore } = dyingStore(store, calls, side);
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

const SIDES = ['before', 'after'] as const;
const OVERLAPS = ['queue_one', 'cancel_previous', 'parallel'] as const;

test.each(OVERLAPS.flatMap((overlap) => SIDES.map((side) => [overlap, side] as const)))(
  'with %s, a process may be killed %s any call of the store',
  async (overlap, side) => {
    for (let calls = 0; calls < 40; calls += 1) {
      const ticks = await surviveDeath(calls, side, overlap);
      expect(new Set(ticks).size, `${calls} calls`).toBe(ticks.length);
      expect(ticks.at(-1), `${calls} calls`).toBe(LAST);
    }
  },
);
