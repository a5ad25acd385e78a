// Jobs that run lists at set times: store, look at, pause, remove. They are kept and fired by services/scheduler, which actions reach
// through ctx.services; what an expression means is in lib/cron. Read first: schedule-add.ts.
import { defineAction, defineFamily } from '../../core/action.ts';
import { flag, integer, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { cronMatch } from './cron-match.ts';
import { scheduleAdd } from './schedule-add.ts';
import { demandScheduler, snapshot } from './snapshot.ts';

const job = { name: 'backup', cron_expression: '0 3 * * *', action_list: [['FA_progress_list']] };
const stored = [['FA_schedule_add', job]] as const;
const name = text('The name of the job.');

const scheduleRemove = defineAction({
  name: 'FA_schedule_remove',
  summary: 'Removes a job and shows what it was.',
  args: { name },
  returns: snapshot,
  changesRuns: true,
  examples: [{ after: stored, args: { name: 'backup' } }],
  run: (ctx, args) => demandScheduler(ctx.services).remove(args.name, ctx),
});

const scheduleRemoveAll = defineAction({
  name: 'FA_schedule_remove_all',
  summary: 'Removes all jobs but those of the configuration, and shows what they were.',
  args: {},
  returns: shapes.list(snapshot),
  idempotent: true,
  changesRuns: true,
  examples: [{ args: {}, value: [] }],
  run: async (ctx) => [...(await demandScheduler(ctx.services).removeAll(ctx))],
});

const scheduleList = defineAction({
  name: 'FA_schedule_list',
  summary: 'Lists the jobs with their counts and next times.',
  args: {},
  returns: shapes.list(snapshot),
  idempotent: true,
  examples: [{ args: {}, value: [] }],
  run: async (ctx) => [...(await demandScheduler(ctx.services).list(ctx))],
});

const scheduleNext = defineAction({
  name: 'FA_schedule_next',
  summary: 'Tells when a job runs next.',
  args: { name, count: integer('How many times to tell.', { default: 5, min: 1, max: 1000 }) },
  returns: shapes.list(shapes.text()),
  idempotent: true,
  examples: [{ after: stored, args: { name: 'backup', count: 2 } }],
  run: async (ctx, args) => [...(await demandScheduler(ctx.services).next(args.name, args.count, ctx))],
});

const schedulePause = defineAction({
  name: 'FA_schedule_pause',
  summary: 'Keeps a job from starting until it is resumed, also after a restart.',
  args: { name, drain: flag('Wait until no run of the job goes on.', { default: false }) },
  returns: snapshot,
  idempotent: true,
  changesRuns: true,
  examples: [{ after: stored, args: { name: 'backup' } }],
  async run(ctx, args) {
    const scheduler = demandScheduler(ctx.services);
    const paused = await scheduler.pause(args.name, ctx);
    if (!args.drain) return paused;
    await scheduler.drained(args.name, ctx.signal, ctx);
    return { ...paused, running: false };
  },
});

const scheduleResume = defineAction({
  name: 'FA_schedule_resume',
  summary: 'Lets a paused job start again; times that passed meanwhile are not made up for.',
  args: { name },
  returns: snapshot,
  idempotent: true,
  changesRuns: true,
  examples: [{ after: [...stored, ['FA_schedule_pause', { name: 'backup' }]], args: { name: 'backup' } }],
  run: (ctx, args) => demandScheduler(ctx.services).resume(args.name, ctx),
});

export const scheduler = defineFamily({
  name: 'scheduler',
  group: 'state',
  summary: 'Lists that run at set times: add, list, pause, remove.',
  actions: [scheduleAdd, scheduleRemove, scheduleRemoveAll, scheduleList, scheduleNext, schedulePause, scheduleResume, cronMatch],
});
