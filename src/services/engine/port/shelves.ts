import type { Json } from '../../../core/errors.ts';
import type { Submission, Submitted } from './engine.ts';
import type { RunId } from './runs.ts';

/** One line of the audit log. */
export interface AuditEntry {
  readonly at: number;
  readonly action: string;
  readonly caller?: string | null;
  readonly runId?: RunId | null;
  /** What was asked, with secrets masked. */
  readonly payload: Json;
  readonly result?: Json;
  readonly error?: string | null;
  readonly durationMs?: number | null;
}

export interface Audit {
  record(entries: readonly AuditEntry[]): Promise<void>;
  /** Newest first. */
  recent(limit: number): Promise<readonly (Required<AuditEntry> & { readonly id: number })[]>;
  count(): Promise<number>;
  /** Deletes what is older than this; answers how many. */
  purge(olderThanMs: number): Promise<number>;
}

/** A claimed item of the queue, for callers that do the work themselves. */
export interface QueueItem {
  readonly id: number;
  readonly action: Json;
  /** The same without its secrets, where it holds any. */
  readonly kept?: Json;
  readonly attempts: number;
  readonly enqueuedAt: number;
}

export type QueueStatus = 'ready' | 'inflight' | 'dead';

/**
 * The queue seen as items with numbers: the same runs as `submit`, `claim` and `settle` know. Where a worker is named, what another one
 * has claimed is left alone: numbers are easily mistaken.
 */
export interface Queue {
  /** Claims the next due item until it is acknowledged, given back, or the lease passes. */
  dequeue(options: { readonly worker: string; readonly leaseMs: number; readonly queue?: string }): Promise<QueueItem | null>;
  /** False: no such item is claimed. */
  ack(id: number, worker?: string): Promise<boolean>;
  /** Gives an item back, due after a delay, or buries it. False: no such item is claimed. */
  nack(
    id: number,
    options: { readonly requeue: boolean; readonly reason: string; readonly delayMs: number; readonly worker?: string },
  ): Promise<boolean>;
  /** Of everybody, or of one caller. */
  size(status: QueueStatus, queue?: string, caller?: string): Promise<number>;
  /** Deletes all items, whatever their status; answers how many. Finished runs stay in the history. */
  purge(queue?: string, worker?: string): Promise<number>;
  dead(queue?: string): Promise<readonly QueueItem[]>;
}

/** A stored job of the scheduler. */
export interface Schedule {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string | null;
  readonly body: Json;
  /** Everything else its owner wants to know again: overlap, catch-up, jitter, alerts, rights of its maker. */
  readonly options: Json;
  readonly isEnabled: boolean;
  readonly createdAt: number;
  readonly lastSlot: number | null;
  readonly lastRunId: RunId | null;
  readonly runs: number;
  readonly skipped: number;
}

/** A stored watcher. */
export interface Watcher {
  readonly name: string;
  readonly path: string;
  readonly body: Json;
  readonly options: Json;
  readonly isEnabled: boolean;
  readonly createdAt: number;
}

/** Things with a name, put and taken as a whole. */
export interface Named<T extends { readonly name: string }> {
  put(thing: T): Promise<void>;
  get(name: string): Promise<T | null>;
  list(): Promise<readonly T[]>;
  /** What was there; null when nothing was. */
  remove(name: string): Promise<T | null>;
  removeAll(): Promise<readonly T[]>;
}

export interface Schedules extends Named<Schedule> {
  /** Counts a fire or a skip; survives kill -9, not a power cut, because `fire` decides. */
  mark(
    name: string,
    news: { readonly slot?: number; readonly runId?: RunId; readonly ran?: number; readonly skipped?: number },
  ): Promise<void>;
}

/** A file as a watcher saw it. */
export interface SeenFile {
  readonly path: string;
  /** Changes whenever the content may have: size, time, inode. */
  readonly fingerprint: string;
}

/** Which files a watcher has dealt with. */
export interface Ledger {
  /** Writes files down; answers those that were not there with this fingerprint. With a submission, its run is queued in the same moment, unless nothing is new. */
  take(
    watcher: string,
    files: readonly SeenFile[],
    submission?: Submission,
  ): Promise<{ readonly fresh: readonly SeenFile[]; readonly run: Submitted | null }>;
  /** Those of these files that are not written down with this fingerprint. */
  unknown(watcher: string, files: readonly SeenFile[]): Promise<readonly SeenFile[]>;
  /** In the order of paths, from the one after `after`; 1,000 at a time unless said. */
  list(watcher: string, options?: { readonly after?: string; readonly limit?: number }): Promise<readonly SeenFile[]>;
  forget(watcher: string, paths: readonly string[]): Promise<void>;
  clear(watcher: string): Promise<void>;
}

export interface StoredLock {
  readonly name: string;
  readonly owner: string;
  readonly fence: number;
  /** Null: until it is released. */
  readonly expiresAt: number | null;
}

/** Locks by name, for holders that keep their own identity. */
export interface Locks {
  /** Null: somebody else has it. Its owner gets it again with the same fence and a new end. */
  acquire(lock: { readonly name: string; readonly owner: string; readonly ttlMs: number | null }): Promise<StoredLock | null>;
  /** Null: not, or no longer, this owner's. */
  refresh(lock: { readonly name: string; readonly owner: string; readonly ttlMs: number | null }): Promise<StoredLock | null>;
  release(lock: { readonly name: string; readonly owner: string }): Promise<boolean>;
  get(name: string): Promise<StoredLock | null>;
  list(): Promise<readonly StoredLock[]>;
}

/** How far a transfer got. */
export interface TransferState {
  readonly key: string;
  readonly state: Json;
  readonly updatedAt: number;
}

export interface Transfers {
  put(key: string, state: Json): Promise<void>;
  get(key: string): Promise<TransferState | null>;
  list(): Promise<readonly TransferState[]>;
  remove(key: string): Promise<boolean>;
}

/** A message on its way to one sink. */
export interface OutboxMessage {
  readonly id: number;
  readonly sink: string;
  readonly payload: Json;
  readonly attempts: number;
  readonly createdAt: number;
  readonly dueAt: number;
  readonly error: string | null;
}

export interface Notifications {
  /** Whether a message may be sent, and how many like it were held back since the last one sent. Inside the window of the last sent one it may not. */
  admit(digest: string, windowMs: number): Promise<{ readonly isNew: boolean; readonly heldBack: number }>;
  forgetAll(): Promise<number>;
  post(messages: readonly { readonly sink: string; readonly payload: Json; readonly dueAt?: number }[]): Promise<readonly number[]>;
  /** Due messages, which come again after the lease unless settled. */
  due(options: { readonly max: number; readonly leaseMs: number }): Promise<readonly OutboxMessage[]>;
  sent(id: number): Promise<void>;
  failed(id: number, news: { readonly error: string; readonly retryAt: number | null }): Promise<void>;
  waiting(): Promise<number>;
}

/** The inverse of one change, kept before the change is made. */
export interface UndoEntry {
  readonly index: number;
  readonly inverse: Json;
  /** What is kept aside for it. */
  readonly bytes: number;
}

export type UndoState = 'pending' | 'undone' | 'refused';

export interface Undo {
  /** Adds entries after those that are there; answers the number of the last. */
  append(runId: RunId, entries: readonly UndoEntry[]): Promise<number>;
  /** Latest first. */
  list(runId: RunId): Promise<readonly (UndoEntry & { readonly number: number; readonly state: UndoState })[]>;
  mark(runId: RunId, numbers: readonly number[], state: UndoState): Promise<void>;
  /** What is kept aside in all, and by which runs, oldest first; for changes that are undone nothing is. */
  usage(): Promise<{
    readonly bytes: number;
    readonly files: number;
    /** `caller` is null where the run itself is not known any more. */
    readonly runs: readonly {
      readonly runId: RunId;
      readonly caller: string | null;
      readonly bytes: number;
      readonly files: number;
      readonly at: number;
    }[];
  }>;
  remove(runId: RunId): Promise<number>;
}

/** A plan that waits for a yes, or has it. */
export interface ApprovedPlan {
  readonly planHash: string;
  readonly caller: string;
  readonly summary: Json;
  readonly proposedAt: number;
  readonly approvedBy: string | null;
  readonly approvedAt: number | null;
  readonly expiresAt: number | null;
}

export interface Approvals {
  /** Puts a plan up for approval; known ones stay as they are. Of each caller the newest 100 wait. */
  propose(plan: { readonly planHash: string; readonly caller: string; readonly summary: Json }): Promise<void>;
  /** Says yes to a caller who proposed this plan, or to all who did; empty: nobody did. */
  approve(planHash: string, by: string, ttlMs: number, caller?: string): Promise<readonly ApprovedPlan[]>;
  /** Uses up the approval of this caller; false where there is none that still holds. */
  consume(planHash: string, caller: string): Promise<boolean>;
  list(): Promise<readonly ApprovedPlan[]>;
  /** Takes proposals and approvals back, those of one caller or all; answers how many. */
  revoke(planHash: string, caller?: string): Promise<number>;
}

/** What a service keeps under its own kind and a name: breakers, limits, monitors, sinks. */
export interface States {
  put(kind: string, name: string, state: Json): Promise<void>;
  get(kind: string, name: string): Promise<Json | null>;
  /** Puts `after` where `before` stands and nothing else, so that nobody's change is lost; null is nothing. False: something else stands there. */
  swap(kind: string, name: string, before: Json, after: Json): Promise<boolean>;
  list(kind: string): Promise<readonly { readonly name: string; readonly state: Json }[]>;
  remove(kind: string, name: string): Promise<boolean>;
}

/** Everything that is kept beside runs. */
export interface Shelves {
  readonly audit: Audit;
  readonly queue: Queue;
  readonly schedules: Schedules;
  readonly watchers: Named<Watcher>;
  readonly ledger: Ledger;
  readonly locks: Locks;
  readonly transfers: Transfers;
  readonly notifications: Notifications;
  readonly undo: Undo;
  readonly approvals: Approvals;
  readonly states: States;
}
