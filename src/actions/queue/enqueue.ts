import { defineAction } from '../../core/action.ts';
import { integer, number, steps } from '../../core/args.ts';
import { countCommands } from '../../core/count-commands.ts';
import { type Json, QueueException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { dbPath, placeOf, planChange, queuesOf } from './place.ts';

export const queueEnqueue = defineAction({
  name: 'FA_queue_enqueue',
  summary: 'Puts a list on the durable queue and gives the number of the item.',
  args: {
    action: steps('The list; its references are read when it runs.', { areKept: true }),
    priority: integer('Higher goes first.', { default: 0 }),
    run_at: number('When it is due, in seconds since 1970; null: at once.', { default: null, min: 0 }),
    db_path: dbPath('writes'),
  },
  returns: shapes.integer(),
  examples: [
    {
      about: 'A queue in a file of its own; without `db_path` the service runs the list.',
      args: { action: [['FA_copy_file', { file_path: 'a.txt', target_path: 'b.txt' }]], priority: 5, db_path: 'queue.db' },
      value: 1,
    },
  ],
  plan(ctx, { action, db_path }) {
    demandList(action as Json); // as below
    ctx.demandKeepable(action);
    return planChange(ctx, db_path);
  },
  async run(ctx, { action, priority, run_at, db_path }) {
    const list = action as Json; // it came in as JSON and arrives as written
    demandList(list); // before a store is made for it
    ctx.demandKeepable(list);
    const work = { action: list, priority, runAt: run_at === null ? null : run_at * 1000 };
    return queuesOf(ctx).enqueue(work, { runId: ctx.runId }, await placeOf(ctx, db_path));
  },
});

/** A command alone would wait, fail as a list of malformed ones and end as a dead letter. */
const demandList = (list: Json): void => {
  if (countCommands(list) !== undefined) return;
  throw new QueueException(
    'Only lists can be queued; give an array of commands, also around a single one ([["FA_…", {…}]]), or an object with `actions` or `nodes`.',
    { context: { argument: 'action' } },
  );
};
