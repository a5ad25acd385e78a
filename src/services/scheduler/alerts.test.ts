import { describe, expect, test } from 'vitest';
import { openSchedulerRoom } from '../../../test/support/scheduler-room.ts';
import { createScheduler } from './scheduler.ts';

const DUE = '2026-01-05T12:00:00+00:00';

describe('a deadline', () => {
  test('drops a run that has not started by then, and says so', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', cron: '0 12 * * *', rules: { deadlineS: 300 } });
    await room.time.advanceTo('2026-01-05T12:04:59Z');
    expect(room.alerts).toEqual([]);
    await room.time.advanceTo('2026-01-05T12:05:00Z');
    expect(room.alerts).toMatchObject([{ kind: 'deadline', schedule: 'job', due: DUE, runId: expect.any(String) }]);
    expect((await room.store.runs()).items).toMatchObject([{ state: 'cancelled' }]);
  });

  test('leaves alone what has started', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', cron: '0 12 * * *', rules: { deadlineS: 300 } });
    await room.time.advanceTo('2026-01-05T12:01:00Z');
    await room.claim();
    await room.time.advanceTo('2026-01-05T13:00:00Z');
    expect(room.alerts).toEqual([]);
  });

  test('drops missed times that would come too late', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', cron: '0 12 * * *', rules: { catchUp: 'all', deadlineS: 300 } });
    await room.restart({ at: '2026-01-05T12:30:00Z' });
    expect(room.alerts).toEqual([
      {
        kind: 'deadline',
        schedule: 'job',
        due: DUE,
        message: `The job job could not start within 300 s of ${DUE}, so that run was dropped.`,
      },
    ]);
    expect((await room.store.runs()).items).toEqual([]);
    expect(await room.scheduler.list()).toMatchObject([{ skipped: 1, runs: 0 }]);
  });
});

test('a time that waits for its turn is reported once when it waits too long', async () => {
  await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
  await room.add({ name: 'job', rules: { overlap: 'queue_one', deadlineS: 90 } });
  await room.time.advanceTo('2026-01-05T12:00:10Z');
  await room.claim();
  await room.time.advanceTo('2026-01-05T12:02:50Z');
  expect(room.alerts.map(({ kind, due }) => [kind, due])).toEqual([['deadline', '2026-01-05T12:01:00+00:00']]);
});

test('a run that takes too long is cancelled and reported while it still runs, also after a restart', async () => {
  await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
  await room.add({ name: 'job', cron: '0 12 * * *', rules: { maxDurationS: 600 } });
  await room.time.advanceTo('2026-01-05T12:02:00Z');
  const [claim] = await room.claim();
  await room.time.advanceTo('2026-01-05T12:05:00Z');
  await room.restart();
  await room.time.advanceTo('2026-01-05T12:11:59Z');
  expect(room.alerts).toEqual([]);
  await room.time.advanceTo('2026-01-05T12:12:00Z');
  expect(room.alerts).toMatchObject([{ kind: 'max_duration', schedule: 'job', due: DUE }]);
  expect((await room.store.run(claim?.runId ?? ''))?.isCancelRequested).toBe(true);
});

describe('a job that should succeed every so often', () => {
  test('is reported when it does not, once per period', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', cron: '*/10 * * * *', rules: { expectEveryS: 3600 } });
    await room.time.advanceTo('2026-01-05T12:59:29Z');
    expect(room.alerts).toEqual([]);
    await room.time.advanceTo('2026-01-05T13:30:00Z');
    expect(room.alerts).toMatchObject([{ kind: 'expect_every', schedule: 'job' }]);
  });

  test('is not reported while it does', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', cron: '*/10 * * * *', rules: { expectEveryS: 4000 } });
    for (let hour = 12; hour < 16; hour += 1) {
      await room.time.advanceTo(`2026-01-05T${hour}:31:00Z`);
      const [claim] = await room.claim();
      if (claim !== undefined) await room.end(claim);
    }
    expect(room.alerts).toEqual([]);
    await room.time.advanceTo('2026-01-05T16:38:00Z');
    expect(room.alerts).toHaveLength(1);
  });

  test('is not reported while it is paused', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', rules: { expectEveryS: 600 } });
    await room.scheduler.pause('job');
    await room.time.advanceTo('2026-01-05T14:00:00Z');
    expect(room.alerts).toEqual([]);
  });

  test('is not reported any more when another process has removed it', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', cron: '*/10 * * * *', rules: { expectEveryS: 3600 } });
    const shell = createScheduler({ store: room.store, clock: room.time.clock, log: () => {}, cancel: room.store.cancel });
    await shell.remove('job');
    await room.time.advanceTo('2026-01-05T16:00:00Z');
    expect(room.alerts).toEqual([]);
  });
});
