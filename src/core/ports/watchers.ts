import type { KeptNames } from '../context.ts';
import type { Json } from '../errors.ts';
import type { AskedBy } from './asked-by.ts';

/** What references in the list of a watcher may name. */
export const EVENT_NAMES: KeptNames = new Map([
  ['event', ['watcher', 'kind', 'path', 'relative', 'moved_from', 'size', 'replayed', 'paths', 'files']],
]);

/** What can happen to a file. */
export type WatchKind = 'created' | 'modified' | 'deleted' | 'moved';

/** What happens to events while the list of a watcher still runs. */
export type OnBusy = 'queue' | 'coalesce' | 'drop' | 'restart';

/** How a watcher behaves. */
export interface WatchRules {
  readonly events: readonly WatchKind[];
  readonly recursive: boolean;
  /** Globs of files that count, relative to the path; none means all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** A file counts when size and time have not changed for this long. */
  readonly settleS: number;
  /** A file counts when another one of this name, with `*` for its own, stands beside it; null: at once. */
  readonly readyMarker: string | null;
  /** Events of one file this close together are one. */
  readonly debounceS: number;
  /** Files handed to one run at most. */
  readonly batch: number;
  readonly onBusy: OnBusy;
  /** How often the tree is compared as a whole. */
  readonly rescanS: number;
  /** Look regularly instead of waiting for hints of the system. */
  readonly poll: boolean;
  readonly pollS: number;
}

/** A watcher as somebody asks for it. */
export interface NewWatcher {
  readonly name: string;
  /** A file or directory; absolute. */
  readonly path: string;
  /** A list of commands, or a wrapped one, as written. */
  readonly actions: Json;
  readonly rules?: Partial<WatchRules>;
  /** The path was judged as it is now: nothing is seen there once it leads elsewhere. */
  readonly isPinned?: boolean;
}

/**
 * What a watcher does: `watching` by hints of the system, `polling` because it was told to or lies on a network mount, `degraded` where
 * the system gives no more hints, `missing` while its path is not there, `idle` where no service watches in this process.
 */
export type WatcherState = 'watching' | 'polling' | 'degraded' | 'missing' | 'idle';

/** A watcher as it is shown. */
export interface WatcherSnapshot {
  readonly name: string;
  readonly path: string;
  /** Sorted. */
  readonly events: readonly WatchKind[];
  readonly recursive: boolean;
  /** False: stopped, or switched off in the configuration. */
  readonly running: boolean;
  /** How many commands its list has. */
  readonly actions: number;
  readonly state: WatcherState;
  /** What is wrong and what helps; null when all is well. */
  readonly message: string | null;
  /** How many files it knows. */
  readonly files: number;
  /** How many changes wait to be handed to a run. */
  readonly waiting: number;
}

/** The watchers of the house, for actions: the owner's are all of them, those of others what they stored. What is unknown, double or malformed gives a `TriggerException`. */
export interface Watchers {
  /** Refuses a watcher that could not be stored, whatever others there are. */
  check(watcher: NewWatcher): void | Promise<void>;
  /** Stores a watcher for the caller of a run, as whom its list will run; the answer comes when it survives a power cut. */
  start(watcher: NewWatcher, askedBy: AskedBy): Promise<WatcherSnapshot>;
  stop(name: string, askedBy: AskedBy): Promise<WatcherSnapshot>;
  /** Stops and removes all watchers but those of the configuration. */
  stopAll(askedBy: AskedBy): Promise<readonly WatcherSnapshot[]>;
  list(askedBy: AskedBy): Promise<readonly WatcherSnapshot[]>;
}
