// Watchers that run lists when files change: start, stop, look at. They are kept and do their work in services/watchers, which actions
// reach through ctx.services. Read first: watch-start.ts.
import { defineAction, defineFamily } from '../../core/action.ts';
import { text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { watchStart } from './watch-start.ts';
import { demandWatchers, snapshot } from './watchers.ts';

const inbox = { name: 'inbox', path: 'in', action_list: [['FA_progress_list']] };

const watchStop = defineAction({
  name: 'FA_watch_stop',
  summary: 'Stops and removes a watcher and shows what it was.',
  args: { name: text('The name of the watcher.') },
  returns: snapshot,
  changesRuns: true,
  examples: [{ dirs: ['in'], after: [['FA_watch_start', inbox]], args: { name: 'inbox' } }],
  run: (ctx, { name }) => demandWatchers(ctx.services).stop(name, ctx),
});

const watchStopAll = defineAction({
  name: 'FA_watch_stop_all',
  summary: 'Stops and removes all watchers but those of the configuration, and shows what they were.',
  args: {},
  returns: shapes.list(snapshot),
  idempotent: true,
  changesRuns: true,
  examples: [{ args: {}, value: [] }],
  run: async (ctx) => [...(await demandWatchers(ctx.services).stopAll(ctx))],
});

const watchList = defineAction({
  name: 'FA_watch_list',
  summary: 'Lists the watchers, how they do and what they wait for.',
  args: {},
  returns: shapes.list(snapshot),
  idempotent: true,
  examples: [{ args: {}, value: [] }],
  run: async (ctx) => [...(await demandWatchers(ctx.services).list(ctx))],
});

export const watch = defineFamily({
  name: 'watch',
  group: 'state',
  summary: 'Lists that run when files change: start, stop, list.',
  actions: [watchStart, watchStop, watchStopAll, watchList],
});
