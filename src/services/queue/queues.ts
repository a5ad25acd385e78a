import { FileAutomationException, type Json, PolicyException, QueueException, QuotaExceededException } from '../../core/errors.ts';
import type { AskedBy } from '../../core/ports/asked-by.ts';
import type { Queues, WorkItem } from '../../core/ports/queue.ts';
import type { StoreFile } from '../../core/store-file.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { QueueItem } from '../engine/port/shelves.ts';
import type { Store } from '../engine/port.ts';

type QueueStore = Pick<Store, 'submit' | 'queue'>;

export interface QueuesParts {
  /** The store of the house, where it has one. */
  readonly store: QueueStore | undefined;
  /** Opens the store in a file that a caller names; closed again after the call. */
  openStore(file: StoreFile): Promise<QueueStore & Pick<Store, 'close'>>;
  /** Whose run this is. */
  callerOf(runId: RunId): string;
  /** Takes secrets out of what is only looked at. */
  mask(value: unknown): unknown;
}

const OWNER_NAME = 'owner';
/** Who has what was claimed by an action. */
const WORKER = 'caller';

/** Queues as actions see them: items with numbers. */
export const createQueues = ({ store, openStore, callerOf, mask }: QueuesParts): Queues => {
  const ask = async <T>(dbPath: StoreFile | null, work: (store: QueueStore) => Promise<T>): Promise<T> => {
    if (dbPath === null) {
      if (store === undefined) throw noStore();
      return work(store).catch(unreachable);
    }
    const opened = await openStore(dbPath).catch(unreachable);
    try {
      return await work(opened).catch(unreachable);
    } finally {
      await opened.close();
    }
  };

  /** Items are everybody's; only the owner may see or touch those of others. */
  const askAsOwner = <T>({ runId }: AskedBy, dbPath: StoreFile | null, work: (store: QueueStore) => Promise<T>): Promise<T> => {
    if (dbPath === null && callerOf(runId) !== OWNER_NAME) throw notYours();
    return ask(dbPath, work);
  };

  const demandClaimed = async (id: number, isDone: Promise<boolean>): Promise<void> => {
    if (!(await isDone)) throw notClaimed(id);
  };

  return {
    enqueue: async ({ action, priority, runAt }, { runId }, dbPath) =>
      ask(dbPath, async ({ submit }) => {
        const caller = callerOf(runId);
        return (await submit({ source: 'queue', caller, body: action, priority, parent: runId, ...(runAt !== null && { runAt }) })).itemId;
      }),
    dequeue: async (leaseS, askedBy, dbPath) =>
      askAsOwner(askedBy, dbPath, async ({ queue }) => {
        const item = await queue.dequeue({ worker: WORKER, leaseMs: leaseS * 1000 });
        return item === null ? null : toWork(item);
      }),
    ack: async (id, askedBy, dbPath) => askAsOwner(askedBy, dbPath, ({ queue }) => demandClaimed(id, queue.ack(id, WORKER))),
    nack: async (id, { requeue, reason, delayS }, askedBy, dbPath) =>
      askAsOwner(askedBy, dbPath, ({ queue }) =>
        demandClaimed(id, queue.nack(id, { requeue, reason, delayMs: delayS * 1000, worker: WORKER })),
      ),
    size: async (status, { runId }, dbPath) => {
      const caller = callerOf(runId);
      const isOfOthers = dbPath === null && caller !== OWNER_NAME;
      return ask(dbPath, ({ queue }) => (isOfOthers ? queue.size(status, undefined, caller) : queue.size(status)));
    },
    purge: async (askedBy, dbPath) => askAsOwner(askedBy, dbPath, ({ queue }) => queue.purge(undefined, WORKER)),
    dead: async (askedBy, dbPath) =>
      askAsOwner(askedBy, dbPath, async ({ queue }) => {
        const items = await queue.dead();
        // Whoever keeps a queue of their own queues a dead letter again by its list; that of the service is driven again by its id.
        return items.map((item) => toWork(dbPath === null ? { ...item, action: mask(item.kept ?? item.action) as Json } : item)); // masking keeps the shape
      }),
  };
};

const toWork = ({ id, action, attempts, enqueuedAt }: QueueItem): WorkItem => ({
  id,
  action,
  attempts,
  enqueued_at: new Date(enqueuedAt).toISOString(),
});

const noStore = () =>
  new QueueException('There is no queue here; run it through factotum serve, use createFactotum({ store }), or give db_path.');

const notYours = () =>
  new PolicyException(
    'The queue of the service holds the lists of others too, so only its owner may look into it; use a db_path of your own.',
    {
      context: { rule: 'owner', argument: 'db_path' },
    },
  );

const notClaimed = (id: number) =>
  new QueueException(`Item ${id} is not claimed, or no longer; claim it with FA_queue_dequeue first.`, { context: { item_id: id } });

const unreachable = (cause: unknown): never => {
  if (cause instanceof QueueException || cause instanceof QuotaExceededException) throw cause;
  throw new QueueException(`The queue cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
    ...(cause instanceof FileAutomationException && { context: cause.context, retryable: cause.retryable }),
  });
};
