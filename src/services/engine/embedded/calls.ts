import type { CommandChange } from '../port/runs.ts';
import type { Asked } from './repositories.ts';

/**
 * What a call does to the store. `read`: nothing. `history`: survives the end of the process. `promise`: somebody is told that it
 * is done and relies on it, so it survives a power cut too (one sync of the disk for all that are committed together).
 */
export type CallKind = 'read' | 'history' | 'promise';

export type ShelfName = keyof Asked;

/** One thing asked of the store, as it travels between threads. */
export interface Call {
  readonly shelf: ShelfName;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly now: number;
}

type Kinds<T> = { readonly [M in keyof T]: T[M] extends (...args: infer A) => unknown ? CallKind | ((...args: A) => CallKind) : never };

const named = { put: 'promise', get: 'read', list: 'read', remove: 'promise', removeAll: 'promise' } as const;

/** Every call and its kind; the names in here are the calls there are. */
export const KINDS: { readonly [S in ShelfName]: Kinds<Asked[S]> } = {
  runs: {
    submit: 'promise',
    claim: 'history',
    abandon: 'history',
    heartbeat: 'history',
    settle: 'promise',
    record: 'history',
    draft: 'history',
    takeIn: 'promise',
    cancel: 'promise',
    verdict: 'promise',
    deadLetters: 'read',
    redrive: 'promise',
    fire: 'promise',
    run: 'read',
    head: 'read',
    runs: 'read',
    events: 'read',
    health: 'read',
    probe: 'history',
    indexSlice: 'history',
    pruneSlice: 'history',
  },
  // The start of a command that may not be repeated must be known before it takes effect; the rest can be done again.
  nodes: {
    plan: 'history',
    record: (_claim, changes) => (changes.some(mustBeKnown) ? 'promise' : 'history'),
    list: 'read',
  },
  audit: { record: 'history', recent: 'read', count: 'read', purge: 'history' },
  queue: { dequeue: 'promise', ack: 'promise', nack: 'promise', size: 'read', purge: 'promise', dead: 'read' },
  schedules: { ...named, mark: 'history' },
  watchers: named,
  ledger: { take: 'promise', unknown: 'read', list: 'read', forget: 'history', clear: 'promise' },
  locks: { acquire: 'promise', refresh: 'history', release: 'history', get: 'read', list: 'read' },
  transfers: { put: 'history', get: 'read', list: 'read', remove: 'history' },
  notifications: {
    admit: 'history',
    forgetAll: 'history',
    post: 'promise',
    due: 'history',
    sent: 'history',
    failed: 'history',
    waiting: 'read',
  },
  undo: { append: 'history', list: 'read', mark: 'history', usage: 'read', remove: 'history' },
  approvals: { propose: 'promise', approve: 'promise', consume: 'promise', list: 'read', revoke: 'promise' },
  states: { put: 'promise', get: 'read', swap: 'promise', list: 'read', remove: 'promise' },
};

/**
 * Reads that may take long. Where the store has a thread for them they wait for nobody but each other, and nobody waits for them; all
 * other reads are quick and stay with the writer.
 */
const LONG_READS: { readonly [S in ShelfName]?: readonly (keyof Asked[S])[] } = {
  runs: ['runs', 'deadLetters', 'events'],
  audit: ['recent', 'count'],
  queue: ['dead'],
};

/** Whether a call belongs to the thread of readers. */
export const isLongRead = (shelf: ShelfName, method: string): boolean =>
  (LONG_READS[shelf] as readonly string[] | undefined)?.includes(method) ?? false; // names of methods are texts

const mustBeKnown = ({ state, isIdempotent }: CommandChange): boolean => state === 'running' && isIdempotent !== true;

/** The kind of one call. */
export const kindOf = ({ shelf, method, args }: Call): CallKind => {
  // A call is made from the names of this very table, with the arguments that its method takes.
  const kind = (KINDS[shelf] as Readonly<Record<string, CallKind | ((...args: readonly unknown[]) => CallKind)>>)[method];
  return typeof kind === 'function' ? kind(...args) : (kind ?? 'promise');
};
