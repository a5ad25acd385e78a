import { describe, expect, test } from 'vitest';
import { openSchedulerRoom, type SchedulerRoom } from '../../../test/support/scheduler-room.ts';

const at = (minute: number) => `2026-01-05T12:0${minute}:00+00:00`;

/** A job of every minute whose first run has just started; two more times have come since. */
const openBusyRoom = async (overlap: 'skip' | 'queue_one' | 'cancel_previous' | 'parallel') => {
  const room = await openSchedulerRoom('2026-01-05T11:59:30Z');
  await room.add({ name: 'job', rules: { overlap } });
  await room.time.advanceTo('2026-01-05T12:00:10Z');
  const [first] = await room.claim();
  if (first === undefined) throw new Error('The first run was not queued.');
  await room.time.advanceTo('2026-01-05T12:02:10Z');
  return { room, first };
};

const job = async (room: SchedulerRoom) => (await room.scheduler.list())[0];

describe('a time that comes while the last run goes on', () => {
  test('is skipped and counted', async () => {
    const { room, first } = await openBusyRoom('skip');
    await using _ = room;
    expect(await room.ticks()).toEqual([at(0)]);
    expect(await job(room)).toMatchObject({ running: true, runs: 1, skipped: 2, allow_overlap: false });
    await room.end(first);
    await room.time.advanceTo('2026-01-05T12:03:10Z');
    expect(await room.ticks()).toEqual([at(0), at(3)]);
    expect(room.fires).toEqual(['fired', 'skipped', 'skipped', 'fired']);
  });

  test('also when the last run only waits to be started', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job' });
    await room.time.advanceTo('2026-01-05T12:02:10Z');
    expect(await room.ticks()).toEqual([at(0)]);
  });

  test('waits, one at a time, also across a restart', async () => {
    const { room, first } = await openBusyRoom('queue_one');
    await using _ = room;
    expect(await room.ticks()).toEqual([at(0)]);
    expect(await job(room)).toMatchObject({ runs: 1, skipped: 1 });
    await room.restart();
    await room.end(first);
    expect(await room.ticks()).toEqual([at(0), at(1)]);
    expect(await job(room)).toMatchObject({ runs: 2, skipped: 1, last_run: at(1) });
  });

  test('is found to be free without a hint', async () => {
    const { room, first } = await openBusyRoom('queue_one');
    await using _ = room;
    const { runId, attempt, fence } = first;
    const counts = { ok: 1, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };
    await room.store.settle([{ runId, attempt, fence, end: 'ok', counts, durationMs: 1 }]);
    await room.time.advance(5_000);
    expect(await room.ticks()).toEqual([at(0), at(1)]);
  });

  test('cancels that run and starts when it has ended', async () => {
    const { room, first } = await openBusyRoom('cancel_previous');
    await using _ = room;
    expect((await room.store.run(first.runId))?.isCancelRequested).toBe(true);
    expect(await room.ticks()).toEqual([at(0)]);
    await room.end(first, 'cancelled');
    expect(await room.ticks()).toEqual([at(0), at(2)]);
    expect(await job(room)).toMatchObject({ runs: 2, skipped: 1 });
  });

  test('cancels a run that has not started yet and takes its place at once', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', rules: { overlap: 'cancel_previous' } });
    await room.time.advanceTo('2026-01-05T12:01:10Z');
    const states = (await room.store.runs()).items.map(({ state }) => state);
    expect(states).toEqual(['queued', 'cancelled']);
  });

  test('runs beside it', async () => {
    const { room } = await openBusyRoom('parallel');
    await using _ = room;
    expect(await room.ticks()).toEqual([at(0), at(1), at(2)]);
    expect(await job(room)).toMatchObject({ runs: 3, skipped: 0, allow_overlap: true });
  });
});
