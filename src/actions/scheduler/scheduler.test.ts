import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RecordedCase, replay } from '../../../test/support/differential.ts';
import { openSchedulerRoom, type SchedulerRoom } from '../../../test/support/scheduler-room.ts';
import { ActionACL } from '../../access/acl.ts';
import { type Caller, OWNER } from '../../access/caller.ts';
import { createMasker } from '../../access/mask.ts';
import { createInstance } from '../../app/create.ts';
import { buildDefaultRegistry } from '../../app/default-registry.ts';
import { createProgressRegistry } from '../../core/progress.ts';
import type { Outcome } from '../../core/result.ts';
import { createGateway, type Gateway } from '../../pipeline/gateway.ts';
import { schedulesForActions } from '../../services/scheduler/for-actions.ts';

let room: SchedulerRoom;
let gateway: Gateway;

beforeEach(async () => {
  room = await openSchedulerRoom('2026-01-05T11:59:30Z');
  const { clock } = room.time;
  const callers = new Map<string, string>();
  let runs = 0;
  const parts = {
    registry: buildDefaultRegistry(),
    progress: createProgressRegistry(clock.now),
    clock,
    log: () => {},
    masker: createMasker(),
    cwd: '/',
    metrics: { render: async () => '' },
    observer: { begun: ({ runId, caller }: { runId: string; caller: string }) => void callers.set(runId, caller), ended: () => {} },
    scheduler: schedulesForActions(
      room.scheduler,
      (runId) => callers.get(runId) ?? 'nobody',
      (_share, _askedBy, work) => work(),
    ),
    readEnv: () => ({}),
    newId: () => 'id',
    newRunId: () => `run ${++runs}`,
    runProgram: () => Promise.reject(new Error('no programs here')),
    openFiles: () => {
      throw new Error('no files here');
    },
  };
  gateway = createGateway(parts);
});

afterEach(() => room[Symbol.asyncDispose]());

const run = async (action: string, args: object = {}, caller: Caller = OWNER): Promise<Outcome | undefined> =>
  (await gateway.run([[action, args]], { caller })).results[0];

const job = { name: 'job', cron_expression: '* * * * *', action_list: [['FA_file_checksum', ['${schedule.name}.txt']]], time_zone: 'UTC' };

const recorded: readonly RecordedCase[] = JSON.parse(readFileSync('test/fixtures/differential/cases-schedule.json', 'utf8'));

describe('recorded behaviour', () => {
  test.each(recorded)('$id: $why', (each) =>
    replay(each, async (body) => ({ status: 200, body: await gateway.run(body, { caller: OWNER }) })),
  );
});

describe('FA_schedule_add', () => {
  test.each<[string, readonly unknown[], RegExp]>([
    ['an action that there is not', [['FA_file_cheksum', ['a']]], /did you mean FA_file_checksum/],
    ['an argument that there is not', [['FA_file_checksum', { path: 'a', algoritm: 'md5' }]], /did you mean algorithm/],
    ['what only watchers have', [['FA_file_checksum', ['${event.path}']]], /only in the list of a watcher/],
    ['a fault inside', [['FA_for_each', { items: [1], actions: [['FA_none']] }]], /FA_none/],
  ])('refuses a list with %s, in a dry run too', async (_, action_list, words) => {
    const refused = { status: 'failed', error: { type: 'ValidationException', message: expect.stringMatching(words) } };
    expect(await run('FA_schedule_add', { ...job, action_list })).toMatchObject(refused);
    const dry = await gateway.run({ actions: [['FA_schedule_add', { ...job, action_list }]], dry_run: true }, { caller: OWNER });
    expect(dry.results[0]).toMatchObject(refused);
    expect(await run('FA_schedule_list')).toMatchObject({ value: [] });
  });

  test('stores the list as written, for whoever asked', async () => {
    const reader: Caller = { ...OWNER, name: 'reader', acl: new ActionACL({ allow: ['FA_schedule_*', 'FA_file_checksum'] }) };
    expect(await run('FA_schedule_add', job, reader)).toMatchObject({ status: 'ok', value: { name: 'job', overlap: 'skip' } });
    await room.time.advanceTo('2026-01-05T12:00:00Z');
    expect(await room.claim()).toMatchObject([{ caller: 'reader', body: job.action_list }]);
  });

  test('refuses a caller that could not run the list itself', async () => {
    const reader: Caller = { ...OWNER, name: 'reader', acl: new ActionACL({ allow: ['FA_schedule_*'] }) };
    await expect(run('FA_schedule_add', job, reader)).rejects.toThrow(/may not run FA_file_checksum/);
    expect(await room.scheduler.list()).toEqual([]);
  });

  test.each([
    [{ allow_overlap: true }, 'parallel'],
    [{ allow_overlap: true, overlap: 'queue_one' }, 'queue_one'],
    [{ overlap: 'cancel_previous' }, 'cancel_previous'],
  ])('reads %j as %s', async (given, overlap) => {
    expect(await run('FA_schedule_add', { ...job, ...given })).toMatchObject({ value: { overlap } });
  });

  test('stores nothing in a dry run but finds what is wrong', async () => {
    const dry = (args: object) => gateway.run({ actions: [['FA_schedule_add', args]], dry_run: true }, { caller: OWNER });
    expect(await dry(job)).toMatchObject({ ok: true, results: [{ status: 'planned' }] });
    expect(await dry({ ...job, cron_expression: '0 0 31 4 *' })).toMatchObject({ results: [{ error: { type: 'CronException' } }] });
    expect(await room.scheduler.list()).toEqual([]);
  });

  test('knows that references to the schedule have a value', async () => {
    const list = { actions: [['FA_schedule_add', job]], validate_first: true };
    expect(await gateway.run(list, { caller: OWNER })).toMatchObject({ ok: true });
  });
});

test('FA_schedule_pause waits for what goes on, if it is asked to, and FA_schedule_resume ends it', async () => {
  await run('FA_schedule_add', job);
  await room.time.advanceTo('2026-01-05T12:00:10Z');
  const [claim] = await room.claim();
  const pausing = run('FA_schedule_pause', { name: 'job', drain: true });
  await room.time.advance(1_000);
  if (claim !== undefined) await room.end(claim);
  await room.time.advance(1_000);
  expect(await pausing).toMatchObject({ status: 'ok', value: { enabled: false, running: false } });
  expect(await run('FA_schedule_resume', { name: 'job' })).toMatchObject({ value: { enabled: true } });
});

test('FA_schedule_next, FA_schedule_list and FA_schedule_remove_all show jobs', async () => {
  await run('FA_schedule_add', job);
  expect(await run('FA_schedule_next', { name: 'job', count: 2 })).toMatchObject({
    value: ['2026-01-05T12:00:00+00:00', '2026-01-05T12:01:00+00:00'],
  });
  expect(await run('FA_schedule_list')).toMatchObject({ value: [{ name: 'job' }] });
  expect(await run('FA_schedule_remove_all')).toMatchObject({ value: [{ name: 'job' }] });
  expect(await run('FA_schedule_list')).toMatchObject({ value: [] });
});

describe('FA_cron_match', () => {
  test.each([
    ['2026-03-04 05:06', undefined, true],
    ['2026-03-04T05:06:59.5', undefined, true],
    ['2026-03-04T04:06Z', 'Europe/Berlin', true],
    ['2026-03-04T05:06+02:00', 'Europe/Berlin', false],
    ['2026-03-04T00:06-0400', 'Europe/Berlin', true],
  ])('reads %s in %s', async (moment, time_zone, value) => {
    expect(await run('FA_cron_match', { cron_expression: '6 5 * * *', moment, ...(time_zone && { time_zone }) })).toMatchObject({ value });
  });

  test.each(['now', '2026-02-30T05:06', '2026-03-04', '2026-03-04T25:06', ''])('refuses %j as a moment', async (moment) => {
    expect(await run('FA_cron_match', { cron_expression: '* * * * *', moment })).toMatchObject({ error: { type: 'ArgumentException' } });
  });
});

test('without a store jobs are kept for as long as the instance lives', async () => {
  await using factotum = createInstance({ log: { level: 'silent' } });
  const { results } = await factotum.run([['FA_schedule_add', job], ['FA_schedule_list']]);
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
  expect(results[1]?.value).toHaveLength(1);
});
