// What is under way: look, cancel, tidy up. Callers reach their own work, the owner everybody's. Actions report through ctx.progress; the registry is core/progress.ts.
import { defineAction, defineFamily } from '../../core/action.ts';
import { text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { snapshot } from './snapshot.ts';

const progressList = defineAction({
  name: 'FA_progress_list',
  summary: 'Lists the work under way and recently finished.',
  args: {},
  returns: shapes.list(snapshot),
  idempotent: true,
  examples: [{ args: {}, value: [] }],
  run: ({ services, runId }) => services.progress.seenFrom(runId).list(),
});

const progressGet = defineAction({
  name: 'FA_progress_get',
  summary: 'Tells how far one piece of work is, or null when the name is unknown.',
  args: { name: text('The name it is tracked under.') },
  returns: shapes.nullable(snapshot),
  idempotent: true,
  examples: [{ args: { name: 'nobody' }, value: null }],
  run: ({ services, runId }, { name }) => services.progress.seenFrom(runId).lookup(name) ?? null,
});

const progressCancel = defineAction({
  name: 'FA_progress_cancel',
  summary: 'Asks a piece of work to stop; false when the name is unknown.',
  args: { name: text('The name it is tracked under.') },
  returns: shapes.flag(),
  idempotent: true,
  changesRuns: true,
  examples: [{ args: { name: 'nobody' }, value: false }],
  run: ({ services, runId }, { name }) => services.progress.seenFrom(runId).cancel(name),
});

const progressForget = defineAction({
  name: 'FA_progress_forget',
  summary: 'Drops one entry from the list; tells whether it was there.',
  args: { name: text('The name it is tracked under.') },
  returns: shapes.flag(),
  idempotent: true,
  examples: [{ args: { name: 'nobody' }, value: false }],
  run: ({ services, runId }, { name }) => services.progress.seenFrom(runId).forget(name),
});

const progressClear = defineAction({
  name: 'FA_progress_clear',
  summary: 'Forgets all finished work; tells how many entries went.',
  args: {},
  returns: shapes.integer(),
  idempotent: true,
  examples: [{ args: {}, value: 0 }],
  run: ({ services, runId }) => services.progress.seenFrom(runId).clearFinished(),
});

export const progress = defineFamily({
  name: 'progress',
  group: 'state',
  summary: 'Work under way: list, look at, cancel, forget.',
  actions: [progressList, progressCancel, progressClear, progressGet, progressForget],
});
