import { defineAction } from '../../core/action.ts';
import { flag, integer, number, text } from '../../core/args.ts';
import { nothing, nullable } from '../../core/shapes.ts';
import { workItem } from './item.ts';
import { dbPath, placeOfClaimed, planChangeOfClaimed, planChangeOfExisting, queuesOf, whereKept } from './place.ts';

const queued = ['FA_queue_enqueue', { action: [['FA_progress_list']], db_path: 'queue.db' }] as const;
const claimed = [queued, ['FA_queue_dequeue', { db_path: 'queue.db' }]] as const;
const itemId = () => integer('The number of the item, as FA_queue_dequeue gave it.', { min: 1 });

export const queueDequeue = defineAction({
  name: 'FA_queue_dequeue',
  summary: 'Claims the next due item, highest priority first, then oldest; null where none is due.',
  args: {
    db_path: dbPath('writes'),
    lease_s: number('Seconds after which an item that was neither acknowledged nor given back is free again.', { default: 300, above: 0 }),
  },
  returns: nullable(workItem),
  examples: [{ after: [queued], args: { db_path: 'queue.db' } }],
  async plan(ctx, args) {
    await planChangeOfExisting(ctx, args);
    ctx.notYetKnown('which item is due');
  },
  run: (ctx, { db_path, lease_s }) => whereKept(ctx, db_path, null, (place) => queuesOf(ctx).dequeue(lease_s, ctx, place)),
});

export const queueAck = defineAction({
  name: 'FA_queue_ack',
  summary: 'Finishes a claimed item.',
  args: { item_id: itemId(), db_path: dbPath('removes') },
  returns: nothing(),
  examples: [{ after: claimed, args: { item_id: 1, db_path: 'queue.db' }, value: null }],
  plan: planChangeOfClaimed,
  async run(ctx, { item_id, db_path }) {
    await queuesOf(ctx).ack(item_id, ctx, await placeOfClaimed(ctx, db_path));
    return null;
  },
});

export const queueNack = defineAction({
  name: 'FA_queue_nack',
  summary: 'Gives a claimed item back, or buries it among the dead letters.',
  args: {
    item_id: itemId(),
    requeue: flag('Give it back; otherwise it is buried.', { default: true }),
    reason: text('Why, for whoever looks at it later.', { default: '', maxLength: 10_000, isContent: true }),
    delay: number('Seconds until it is due again.', { default: 0, min: 0 }),
    db_path: dbPath('writes'),
  },
  returns: nothing(),
  examples: [{ after: claimed, args: { item_id: 1, requeue: false, reason: 'no such customer', db_path: 'queue.db' }, value: null }],
  plan: planChangeOfClaimed,
  async run(ctx, { item_id, requeue, reason, delay, db_path }) {
    await queuesOf(ctx).nack(item_id, { requeue, reason, delayS: delay }, ctx, await placeOfClaimed(ctx, db_path));
    return null;
  },
});
