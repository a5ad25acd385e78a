import { describe, expect, test } from 'vitest';
import { openSchedulerRoom } from '../../../test/support/scheduler-room.ts';
import { CronException, SchedulerException } from '../../core/errors.ts';

const job = { name: 'job', cron: '0 6 * * *', timeZone: 'Europe/Vienna', actions: [['FA_progress_list']] };

describe('a new job', () => {
  test('is shown with its next time', async () => {
    await using room = await openSchedulerRoom('2026-01-05T12:00:00Z');
    const snapshot = {
      name: 'job',
      cron: '0 6 * * *',
      actions: 1,
      last_run: null,
      runs: 0,
      allow_overlap: false,
      running: false,
      skipped: 0,
      time_zone: 'Europe/Vienna',
      overlap: 'skip',
      enabled: true,
      next_run: '2026-01-06T06:00:00+01:00',
    };
    expect(await room.scheduler.add(job, 'owner')).toEqual(snapshot);
    expect(await room.scheduler.list()).toEqual([snapshot]);
    expect(await room.scheduler.remove('job')).toEqual(snapshot);
    expect(await room.scheduler.list()).toEqual([]);
  });

  test.each([
    ['an expression that cannot be read', { cron: 'nope' }, CronException],
    ['a day that never comes', { cron: '0 0 30 2 *' }, CronException],
    ['an unknown time zone', { timeZone: 'Nowhere' }, CronException],
    ['no name', { name: '' }, SchedulerException],
    ['a name of two lines', { name: 'a\nb' }, SchedulerException],
    ['something else than a list', { actions: { steps: [] } }, SchedulerException],
  ])('with %s is refused, and nothing is stored', async (_, wrong, type) => {
    await using room = await openSchedulerRoom('2026-01-05T12:00:00Z');
    await expect(room.scheduler.add({ ...job, ...wrong }, 'owner')).rejects.toThrow(type);
    expect(await room.scheduler.list()).toEqual([]);
  });

  test('gets a name once, however many ask at the same time', async () => {
    await using room = await openSchedulerRoom('2026-01-05T12:00:00Z');
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => room.scheduler.add(job, 'owner')));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each([
    [{ actions: [['FA_a'], ['FA_b']] }, 2],
    [{ nodes: [{ id: 'a', action: ['FA_a'] }] }, 1],
    [{ auto_control: [] }, 0],
  ])('may have a wrapped list: %j', async (actions, count) => {
    await using room = await openSchedulerRoom('2026-01-05T12:00:00Z');
    expect(await room.scheduler.add({ ...job, actions }, 'owner')).toMatchObject({ actions: count });
  });
});

test('an unknown job is named', async () => {
  await using room = await openSchedulerRoom('2026-01-05T12:00:00Z');
  const { remove, pause, resume, next } = room.scheduler;
  for (const ask of [remove, pause, resume])
    await expect(ask('none')).rejects.toThrow('No job is called "none"; FA_schedule_list shows all.');
  await expect(next('none', 1)).rejects.toThrow(SchedulerException);
});

test('the next times of a job can be asked for', async () => {
  await using room = await openSchedulerRoom('2026-03-27T12:00:00Z');
  await room.scheduler.add({ ...job, cron: '30 2 * * *' }, 'owner');
  expect(await room.scheduler.next('job', 3)).toEqual([
    '2026-03-28T02:30:00+01:00',
    '2026-03-29T03:00:00+02:00',
    '2026-03-30T02:30:00+02:00',
  ]);
});

describe('a paused job', () => {
  test('has no runs, also after a restart, until it is resumed; nothing is made up for', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', rules: { catchUp: 'all', overlap: 'parallel' } });
    expect(await room.scheduler.pause('job')).toMatchObject({ enabled: false, next_run: null });
    await room.time.advanceTo('2026-01-05T12:01:30Z');
    await room.restart({ at: '2026-01-05T12:05:30Z' });
    expect(await room.ticks()).toEqual([]);
    expect(await room.scheduler.resume('job')).toMatchObject({ enabled: true, next_run: '2026-01-05T12:06:00+00:00' });
    await room.time.advanceTo('2026-01-05T12:06:30Z');
    expect(await room.ticks()).toEqual(['2026-01-05T12:06:00+00:00']);
  });

  test('loses what waited for its last run', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', rules: { overlap: 'queue_one' } });
    await room.time.advanceTo('2026-01-05T12:01:10Z');
    const [claim] = await room.claim();
    await room.scheduler.pause('job');
    if (claim !== undefined) await room.end(claim);
    await room.time.advance(60_000);
    expect(await room.ticks()).toHaveLength(1);
  });

  test('can be waited for until nothing of it goes on', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job', rules: { overlap: 'parallel' } });
    await room.time.advanceTo('2026-01-05T12:01:10Z');
    const claims = await room.claim();
    await room.scheduler.pause('job');
    let isDrained = false;
    const draining = room.scheduler.drained('job', AbortSignal.timeout(60_000)).then(() => {
      isDrained = true;
    });
    for (const claim of claims) {
      await room.time.advance(1_000);
      expect(isDrained).toBe(false);
      await room.end(claim);
    }
    await room.time.advance(1_000);
    await draining;
  });

  test('gives up waiting when it is told to', async () => {
    await using room = await openSchedulerRoom('2026-01-05T11:59:30Z');
    await room.add({ name: 'job' });
    await room.time.advanceTo('2026-01-05T12:00:10Z');
    const stop = new AbortController();
    const draining = room.scheduler.drained('job', stop.signal);
    stop.abort(new Error('enough'));
    await expect(draining).rejects.toThrow('enough');
  });
});

describe('jobs of the configuration', () => {
  const configured = { ...job, isEnabled: true };

  test('come and go with it, and leave the others alone', async () => {
    await using room = await openSchedulerRoom('2026-01-05T12:00:00Z');
    await room.add({ name: 'mine' });
    await room.scheduler.configure([configured, { ...configured, name: 'other' }]);
    await room.scheduler.configure([configured]);
    expect((await room.scheduler.list()).map(({ name }) => name)).toEqual(['job', 'mine']);
    await expect(room.scheduler.remove('job')).rejects.toThrow(/stands in the configuration/);
    expect((await room.scheduler.removeAll()).map(({ name }) => name)).toEqual(['mine']);
    expect((await room.scheduler.list()).map(({ name }) => name)).toEqual(['job']);
  });

  test('keep counts and pauses when it is read again', async () => {
    await using room = await openSchedulerRoom('2026-01-06T04:59:30Z');
    await room.scheduler.configure([configured]);
    await room.time.advanceTo('2026-01-06T05:00:00Z');
    await room.scheduler.pause('job');
    await room.scheduler.configure([{ ...configured, actions: [] }]);
    expect(await room.scheduler.list()).toMatchObject([{ runs: 1, enabled: false, actions: 0 }]);
    await room.scheduler.resume('job');
    await room.scheduler.configure([{ ...configured, isEnabled: false }]);
    expect(await room.scheduler.list()).toMatchObject([{ runs: 1, enabled: false }]);
    await expect(room.scheduler.resume('job')).rejects.toThrow(/switched off in the configuration/);
  });

  test('have no missed times from before they were given other ones', async () => {
    await using room = await openSchedulerRoom('2026-01-05T12:00:00Z');
    const often = { ...configured, cron: '* * * * *', rules: { catchUp: 'all' as const } };
    await room.scheduler.configure([{ ...often, cron: '0 0 1 1 *' }]);
    room.time.jumpTo('2026-01-06T12:00:30Z');
    await room.scheduler.configure([often]);
    await room.time.advance(1_000);
    expect(await room.ticks()).toEqual([]);
  });
});
