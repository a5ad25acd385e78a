import { describe, expect, test } from 'vitest';
import { openSchedulerRoom } from '../../../test/support/scheduler-room.ts';
import { scheduledRunId } from './run-id.ts';
import { createScheduler } from './scheduler.ts';

const at = (time: string) => `2026-01-05T${time}:00+00:00`;

describe('a job that is due', () => {
  test('is queued once at each of its minutes, with its name and tick for the list', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', actions: [['FA_create_file', { file_path: '${schedule.name}' }]] });
    await room.time.advanceTo('2026-01-05T12:00:59Z');
    const [claim] = await room.claim();
    expect(claim).toMatchObject({
      runId: scheduledRunId('job', Date.parse('2026-01-05T12:00Z')),
      source: 'schedule',
      caller: 'owner',
      name: 'job',
      body: [['FA_create_file', { file_path: '${schedule.name}' }]],
      options: { named: { schedule: { name: 'job', tick: at('12:00') } } },
    });
    expect(await room.ticks()).toEqual([at('12:00')]);
  });

  test('has its times in its own time zone, whatever the clocks do', async () => {
    await using room = await openSchedulerRoom('2026-03-28T12:00:00Z');
    await room.add({ name: 'fixed', cron: '30 2 * * *', timeZone: 'Europe/Berlin' });
    await room.add({ name: 'hourly', cron: '0 1-4 * * sun', timeZone: 'Europe/Berlin', rules: { overlap: 'parallel' } });
    await room.time.advanceTo('2026-03-29T12:00:00Z');
    expect(await room.ticks()).toEqual([
      '2026-03-29T01:00:00+01:00',
      '2026-03-29T03:00:00+02:00',
      '2026-03-29T03:00:00+02:00',
      '2026-03-29T04:00:00+02:00',
    ]);
  });

  test('runs as whoever stored it', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.scheduler.add({ name: 'job', cron: '* * * * *', actions: [['FA_progress_list']] }, 'reader');
    await room.time.advanceTo('2026-01-05T12:00:00Z');
    expect(await room.claim()).toMatchObject([{ caller: 'reader' }]);
  });

  test('starts later by up to its jitter, which is the same after a restart', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    const names = Array.from({ length: 20 }, (_, number) => `job ${number}`);
    for (const name of names) await room.add({ name, cron: '0 12 * * *', rules: { jitterS: 600 } });
    await room.time.advanceTo('2026-01-05T12:00:00Z');
    const { items } = await room.store.runs({ limit: 100 });
    const delays = items.map(({ runAt }) => runAt - Date.parse('2026-01-05T12:00Z'));
    expect(items).toHaveLength(20);
    expect(new Set(delays).size).toBeGreaterThan(15);
    for (const delay of delays) expect(delay >= 0 && delay < 600_000).toBe(true);
  });

  test('is not run again when the clock is set back', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', rules: { overlap: 'parallel' } });
    await room.time.advanceTo('2026-01-05T12:02:30Z');
    room.time.jumpTo('2026-01-05T12:00:30Z');
    await room.time.advanceTo('2026-01-05T12:04:00Z');
    expect(await room.ticks()).toEqual([at('12:00'), at('12:01'), at('12:02'), at('12:03'), at('12:04')]);
    expect(await room.scheduler.list()).toMatchObject([{ runs: 5, last_run: at('12:04') }]);
  });

  test('goes on when the clock had been years ahead', async () => {
    await using room = await openSchedulerRoom('2031-01-05T11:59:30Z');
    await room.add({ name: 'job', rules: { overlap: 'parallel' } });
    await room.time.advanceTo('2031-01-05T12:00:00Z');
    room.time.jumpTo('2026-01-05T12:00:30Z');
    await room.time.advanceTo('2026-01-05T12:03:00Z');
    expect((await room.ticks()).slice(0, 3)).toEqual([at('12:01'), at('12:02'), at('12:03')]);
  });

  test('never needs a timer of more than a minute', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'yearly', cron: '0 0 1 1 *', rules: { expectEveryS: 1e9, maxDurationS: 1e9 } });
    await room.time.advance(600_000);
    expect(room.time.longestTimerMs).toBe(60_000);
  });
});

describe('after a restart', () => {
  test('jobs and counts are there, and the time that has just come is not lost', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:58:30Z');
    await room.add({ name: 'job', rules: { overlap: 'parallel' } });
    await room.time.advanceTo('2026-01-05T11:59:30Z');
    await room.restart({ at: '2026-01-05T12:00:40Z' });
    expect(await room.ticks()).toEqual([at('11:59'), at('12:00')]);
    expect(await room.scheduler.list()).toMatchObject([{ name: 'job', runs: 2, last_run: at('12:00') }]);
  });

  test('a time that was queued just before is not queued again', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', rules: { overlap: 'parallel' } });
    // As if the process had gone between the two writes of a fire.
    await room.store.fire('job', Date.parse('2026-01-05T12:00Z'), {
      runId: scheduledRunId('job', Date.parse('2026-01-05T12:00Z')),
      source: 'schedule',
      caller: 'owner',
      body: [],
    });
    await room.restart({ at: '2026-01-05T12:00:10Z' });
    expect((await room.store.runs()).items).toHaveLength(1);
    expect(room.fires).toEqual(['duplicate']);
  });

  test.each([
    { catchUp: 'none', ticks: [] },
    { catchUp: 'latest', ticks: [at('12:00')] },
    { catchUp: 'all', ticks: [at('10:00'), at('11:00'), at('12:00')] },
  ] as const)('missed times are made up for: $catchUp', async ({ catchUp, ticks }) => {
    await using room = await openSchedulerRoom('2026-01-05T09:30:00Z');
    await room.add({ name: 'job', cron: '0 * * * *', rules: { catchUp, overlap: 'parallel' } });
    await room.restart({ at: '2026-01-05T12:30:00Z' });
    expect(await room.ticks()).toEqual(ticks);
    await room.restart();
    expect(await room.ticks()).toEqual(ticks);
  });

  test('only so many times within a window are made up for', async () => {
    await using room = await openSchedulerRoom('2025-01-05T09:30:00Z');
    await room.add({ name: 'window', rules: { catchUp: 'all', overlap: 'parallel', catchUpWindowS: 155, catchUpMax: 50 } });
    await room.add({ name: 'most', rules: { catchUp: 'all', overlap: 'parallel', catchUpMax: 3 } });
    await room.restart({ at: '2026-01-05T12:30:30Z' });
    expect(await room.scheduler.list()).toMatchObject([
      { name: 'most', runs: 4 },
      { name: 'window', runs: 3 },
    ]);
  });

  test('missed times run one after the other unless the job may overlap itself', async () => {
    await using room = await openSchedulerRoom('2026-01-05T09:30:00Z');
    await room.add({ name: 'job', cron: '0 * * * *', rules: { catchUp: 'all' } });
    await room.restart({ at: '2026-01-05T11:30:00Z' });
    const [first, ...others] = await room.claim();
    expect(others).toEqual([]);
    if (first !== undefined) await room.end(first);
    expect(await room.ticks()).toEqual([at('10:00'), at('11:00')]);
  });
});

describe('changes', () => {
  test('by another process are seen: removed at once, added within a minute', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'gone' });
    const shell = createScheduler({ store: room.store, clock: room.time.clock, log: () => {}, cancel: room.store.cancel });
    await shell.remove('gone');
    await shell.add({ name: 'new', cron: '* * * * *', timeZone: 'UTC', actions: [] }, 'owner');
    await room.time.advanceTo('2026-01-05T12:01:00Z');
    const { items } = await room.store.runs();
    expect(new Set(items.map(({ name }) => name))).toEqual(new Set(['new']));
  });
});

test.each(['schedules', 'states'] as const)(
  'a store that does not answer for %s is told once, and nothing on time is lost',
  async (shelf) => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job' });
    const { get } = room.store[shelf];
    Object.assign(room.store[shelf], { get: () => Promise.reject(new Error('disk full')) });
    await room.time.advanceTo('2026-01-05T12:00:30Z');
    Object.assign(room.store[shelf], { get });
    await room.time.advanceTo('2026-01-05T12:00:40Z');
    expect(room.lines).toEqual(['error: the scheduler cannot go on and tries again', 'info: the scheduler works again']);
    expect(await room.ticks()).toEqual([at('12:00')]);
  },
);

test('ten thousand idle jobs are not looked at', async () => {
  await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
  const jobs = Array.from({ length: 10_000 }, (_, number) => ({
    name: `job-${number}`,
    cron: `${number % 60} 3 1 ${(number % 11) + 2} *`,
    timeZone: 'UTC',
    actions: [['FA_progress_list']],
    isEnabled: true,
  }));
  expect(await room.scheduler.configure(jobs)).toBe(10_000);
  await room.time.advance(0);
  let looks = 0;
  const { get, list } = room.store.schedules;
  const counted =
    <A extends readonly unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      looks += 1;
      return call(...args);
    };
  Object.assign(room.store.schedules, { get: counted(get), list: counted(list) });
  await room.time.advance(3_600_000);
  expect(looks).toBe(0);
});
