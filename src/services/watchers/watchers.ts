import type { Clock, Log, Meters } from '../../core/ports.ts';
import { boundedMap } from '../../lib/async/bounded-map.ts';
import { type SetTimer, systemTimer } from '../../lib/async/timer.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';
import { CHANGES, openWatcherBook, type WatcherBook } from './book.ts';
import { watchDirectory as hintsOfThisMachine, type WatchDirectory } from './disk/hints.ts';
import { createPulse } from './pulse.ts';
import { openWatch, type Watch } from './watch.ts';

export interface WatcherParts {
  readonly store: Pick<Store, 'watchers' | 'ledger' | 'states' | 'submit' | 'run' | 'runs'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends a run that waits or is under way. */
  cancel(runId: RunId): Promise<unknown>;
  readonly meters?: Pick<Meters, 'watchEvent'>;
  readonly setTimer?: SetTimer;
  readonly watchDirectory?: WatchDirectory;
}

/** Names a run of a watcher. */
export interface WatcherRun {
  readonly runId: RunId;
  readonly watcher: string;
}

/** Queues runs when files change. Watchers can be looked at and changed before it is started. */
export interface WatcherService extends WatcherBook, AsyncDisposable {
  /** Begins. Trees may be large, so nobody has to wait until all of them are read. */
  start(): void;
  /** A run of a watcher is about to change an absolute path: that is no news to this watcher. */
  changing(run: WatcherRun, path: string): void;
  /** A run of a watcher is over. */
  ended(run: WatcherRun): void;
  /** Queues nothing more. What happens then is found at the next start. */
  close(): Promise<void>;
}

/** Changes by other processes are noticed this soon. */
const CHANGES_LOOK_MS = 30_000;
const STARTED_AT_ONCE = 8;

export const createWatchers = (parts: WatcherParts): WatcherService => {
  const { store, clock, log, setTimer = systemTimer, meters = { watchEvent: () => {} } } = parts;
  const watches = new Map<string, { readonly stored: string; readonly watch: Watch }>();
  const turns = new Map<string, Promise<void>>();
  let isStarted = false;
  let isClosed = false;
  let knownChanges: unknown;
  let isReplay = true;

  const stop = async (name: string) => {
    const kept = watches.get(name);
    watches.delete(name);
    await kept?.watch.close();
  };

  /** Makes what is at work here what stands in the store now. */
  const takeIn = async (name: string, going: readonly RunId[]) => {
    const stored = isClosed ? null : await store.watchers.get(name);
    const written = JSON.stringify(stored);
    if (watches.get(name)?.stored === written) return;
    await stop(name);
    if (stored === null || !stored.isEnabled || isClosed) return;
    const watchDirectory = parts.watchDirectory ?? hintsOfThisMachine;
    const watch = await openWatch({ ...parts, stored, meters, setTimer, watchDirectory, going, isReplay });
    watches.set(name, { stored: written, watch });
    if (isClosed) await stop(name);
  };

  /** One after the other for each name. A watcher that cannot start keeps none of the others from it. */
  const takeInSafely = (name: string, going: readonly RunId[] = []): Promise<void> => {
    const turn = (turns.get(name) ?? Promise.resolve()).then(async () => {
      try {
        await takeIn(name, going);
      } catch (fault) {
        knownChanges = undefined; // tried again
        log('error', 'a watcher cannot be started and is tried again', { watcher: name, reason: String(fault) });
      }
      if (turns.get(name) === turn) turns.delete(name);
    });
    turns.set(name, turn);
    return turn;
  };

  const takeInAll = async () => {
    const changes = await store.states.get(CHANGES.kind, CHANGES.name);
    if (changes === knownChanges) return;
    knownChanges = changes;
    const stored = (await store.watchers.list()).map(({ name }) => name);
    const going = await goingRuns(store);
    const names = [...new Set([...stored, ...watches.keys()])];
    await boundedMap(names, STARTED_AT_ONCE, (name) => takeInSafely(name, going.get(name)));
    isReplay = false;
  };

  const pulse = createPulse({
    clock,
    setTimer,
    async work() {
      try {
        await takeInAll();
      } catch (fault) {
        knownChanges = undefined;
        log('error', 'the watchers cannot be read and are tried again', { reason: String(fault) });
      }
    },
    sleepMs: () => CHANGES_LOOK_MS,
  });

  const book = openWatcherBook({
    store,
    clock,
    log,
    statusOf: (name) => watches.get(name)?.watch.status(),
    async changed(names) {
      if (!isStarted || isClosed) return false;
      await boundedMap(names, STARTED_AT_ONCE, (name) => takeInSafely(name));
      return true;
    },
  });

  const close = async () => {
    isClosed = true;
    await pulse.close();
    await Promise.allSettled(turns.values());
    await boundedMap([...watches.keys()], STARTED_AT_ONCE, stop);
  };

  return {
    ...book,
    start() {
      if (isStarted) return;
      isStarted = true;
      void pulse.start();
    },
    changing: ({ runId, watcher }, path) => watches.get(watcher)?.watch.changedBy(runId, path),
    ended: ({ runId, watcher }) => watches.get(watcher)?.watch.ended(runId),
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** The runs of watchers that wait or are under way. */
const goingRuns = async (store: Pick<Store, 'runs'>): Promise<ReadonlyMap<string, readonly RunId[]>> => {
  const going = new Map<string, RunId[]>();
  let cursor: string | undefined;
  do {
    const page = await store.runs({ sources: ['watch'], states: ['queued', 'running'], limit: 1000 }, cursor);
    for (const { name, runId } of page.items) {
      const runs = going.get(name ?? '') ?? [];
      runs.push(runId);
      going.set(name ?? '', runs);
    }
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return going;
};
