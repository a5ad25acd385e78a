import { defineAction } from '../../core/action.ts';
import { oneOf } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { workItem } from './item.ts';
import { dbPath, lookWhereKept, planChangeOfExisting, planLook, queuesOf, whereKept } from './place.ts';

const queued = [['FA_queue_enqueue', { action: [['FA_progress_list']], db_path: 'queue.db' }]] as const;

export const queueSize = defineAction({
  name: 'FA_queue_size',
  summary: 'Counts the items that wait, are claimed or were given up.',
  args: {
    status: oneOf('Which items.', ['ready', 'inflight', 'dead'], { default: 'ready' }),
    db_path: dbPath('reads'),
  },
  returns: shapes.integer(),
  idempotent: true,
  examples: [{ after: queued, args: { db_path: 'queue.db' }, value: 1 }],
  plan: planLook,
  run: (ctx, { status, db_path }) => lookWhereKept(ctx, db_path, 0, (place) => queuesOf(ctx).size(status, ctx, place)),
});

export const queueDeadLetters = defineAction({
  name: 'FA_queue_dead_letters',
  summary: 'Lists the items that were buried or given up.',
  args: { db_path: dbPath('reads') },
  returns: shapes.list(workItem),
  idempotent: true,
  examples: [{ after: queued, args: { db_path: 'queue.db' }, value: [] }],
  plan: planLook,
  run: (ctx, { db_path }) => lookWhereKept(ctx, db_path, [], async (place) => [...(await queuesOf(ctx).dead(ctx, place))]),
});

export const queuePurge = defineAction({
  name: 'FA_queue_purge',
  summary: 'Deletes all items, whatever their state; tells how many.',
  args: { db_path: dbPath('removes') },
  returns: shapes.integer(),
  idempotent: true,
  examples: [{ after: queued, args: { db_path: 'queue.db' }, value: 1 }],
  plan: planChangeOfExisting,
  run: (ctx, { db_path }) => whereKept(ctx, db_path, 0, (place) => queuesOf(ctx).purge(ctx, place)),
});
