import type { Json } from '../errors.ts';
import type { StoreFile } from '../store-file.ts';
import type { AskedBy } from './asked-by.ts';

/** An item of a queue in the hands of whoever claimed it, or given up. */
export interface WorkItem {
  readonly id: number;
  /** The list as it was queued. */
  readonly action: Json;
  readonly attempts: number;
  /** ISO 8601. */
  readonly enqueued_at: string;
}

/** A list to be queued. */
export interface NewWork {
  readonly action: Json;
  /** Higher goes first. */
  readonly priority: number;
  /** Milliseconds since the epoch; null: at once. */
  readonly runAt: number | null;
}

/** Durable queues, each in a store. A null path means the store of the house, whose service runs the items by itself; all but queueing and counting is the owner's there. */
export interface Queues {
  /** Stores a list for the caller of a run, as whom it will run; the number of the item comes when it survives a power cut. */
  enqueue(work: NewWork, askedBy: AskedBy, dbPath: StoreFile | null): Promise<number>;
  /** Claims the next due item; when the time is up it is free again, unless it was acknowledged or given back. */
  dequeue(leaseS: number, askedBy: AskedBy, dbPath: StoreFile | null): Promise<WorkItem | null>;
  /** `QueueException` where the item is not claimed; so does `nack`. */
  ack(id: number, askedBy: AskedBy, dbPath: StoreFile | null): Promise<void>;
  /** Gives an item back, due after a while, or buries it. */
  nack(
    id: number,
    how: { readonly requeue: boolean; readonly reason: string; readonly delayS: number },
    askedBy: AskedBy,
    dbPath: StoreFile | null,
  ): Promise<void>;
  /** Of the queue of the house, a caller other than the owner counts its own items. */
  size(status: 'ready' | 'inflight' | 'dead', askedBy: AskedBy, dbPath: StoreFile | null): Promise<number>;
  /** Deletes all items; answers how many. */
  purge(askedBy: AskedBy, dbPath: StoreFile | null): Promise<number>;
  dead(askedBy: AskedBy, dbPath: StoreFile | null): Promise<readonly WorkItem[]>;
}
