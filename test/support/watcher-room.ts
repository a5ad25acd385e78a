import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { NewWatcher, WatchRules } from '../../src/core/ports/watchers.ts';
import { memoryStore } from '../../src/services/engine/memory/memory-store.ts';
import type { Claim } from '../../src/services/engine/port/engine.ts';
import type { Store } from '../../src/services/engine/port.ts';
import type { HintListener, WatchDirectory } from '../../src/services/watchers/disk/hints.ts';
import type { ShownEvent } from '../../src/services/watchers/events/file-event.ts';
import { createWatchers, type WatcherService } from '../../src/services/watchers/watchers.ts';
import { manualTime } from './manual-time.ts';
import { type TempDir, tempDir } from './temp-dir.ts';

/** Watchers on a real directory and a store of their own, in time that a test moves, with hints that it gives. */
export interface WatcherRoom extends AsyncDisposable {
  /** What is watched. */
  readonly dir: TempDir;
  readonly store: Store;
  readonly watchers: WatcherService;
  readonly lines: readonly string[];
  /** Kinds of events, as figures count them. */
  readonly counted: readonly string[];
  /** Every timer that was ever asked for was at most this long. */
  readonly longestTimerMs: number;
  /** Makes the system refuse hints from now on; null: no longer. */
  refuseHints(code: string | null): void;
  /** Lets a watcher `w` watch the directory, unless something else is said. */
  add(rules?: Partial<WatchRules>, watcher?: Partial<NewWatcher>): Promise<void>;
  /** Writes a file and tells of it. */
  write(name: string, content: string): void;
  move(from: string, to: string): void;
  remove(name: string): void;
  makeDir(name: string): void;
  /** Tells that something may have happened to a name. Like those of the system, hints belong to the directory that was opened, not to its name. */
  hint(name: string): void;
  /** What hints at names in a directory that was opened, wherever it is now. */
  hintsOf(path: string): (name: string) => void;
  /** Tells, as every open directory does of itself, that something happened to it. */
  hintRoot(): void;
  /** Lets time pass until everything that is due is done. */
  pass(ms: number): Promise<void>;
  /** Ends the service as if its process had gone, and starts another one on the same store. */
  restart(meanwhile?: () => void): Promise<void>;
  /** Takes all runs that wait, as a dispatcher does. */
  claim(): Promise<readonly Claim[]>;
  end(claim: Claim, end?: 'ok' | 'cancelled'): Promise<void>;
  /** The events of all runs ever queued, in order: `created a.txt`, `moved a.txt > b.txt`. */
  told(): Promise<readonly string[]>;
  /** The events of all runs ever queued as their lists see them. */
  events(): Promise<readonly ShownEvent[]>;
}

const COUNTS = { ok: 1, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };
const STEP_MS = 100;

/** A directory that comes after another one may get its number, but not its time of birth. */
const identityOf = (path: string): string => {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? 'nothing' : `${stats.ino}-${stats.birthtimeNs}`;
};

/** Opens a room; the service is started. */
export const openWatcherRoom = async (files: Readonly<Record<string, string>> = {}): Promise<WatcherRoom> => {
  // Looking at files takes real time, in which the clock of the room stands still.
  const time = manualTime('2026-01-05T12:00:00Z', () => idle());
  const dir = tempDir(files);
  const store = memoryStore({ now: time.clock.now });
  const lines: string[] = [];
  const counted: string[] = [];
  const listeners = new Map<string, HintListener>();
  /** A service or watcher at work has set no timer. */
  const timers = new Set<object>();
  let opened = 0;
  let refusal: string | null = null;

  const setTimer = (work: () => void, ms: number) => {
    const timer = {};
    timers.add(timer);
    const stop = time.setTimer(() => {
      timers.delete(timer);
      work();
    }, ms);
    return () => {
      timers.delete(timer);
      stop();
    };
  };
  const watchDirectory: WatchDirectory = (path, listener) => {
    if (refusal !== null) throw Object.assign(new Error(refusal), { code: refusal });
    const id = identityOf(path);
    listeners.set(id, listener);
    return () => listeners.delete(id);
  };
  const open = () =>
    createWatchers({
      store,
      clock: time.clock,
      setTimer,
      watchDirectory,
      log: (level, message) => lines.push(`${level}: ${message}`),
      cancel: store.cancel,
      meters: { watchEvent: (kind) => counted.push(kind) },
    });

  let watchers = open();
  const idle = async () => {
    while (timers.size < opened) await new Promise((resolve) => setImmediate(resolve));
  };
  const countOpen = async () => {
    opened = 1 + (await watchers.list()).filter(({ state }) => state !== 'idle').length;
  };
  const hint = (name: string) => listeners.get(identityOf(dirname(dir.at(name))))?.hinted(basename(name));
  const events = async () => {
    const { items } = await store.runs({ sources: ['watch'], limit: 1000 });
    const records = await Promise.all([...items].sort((one, other) => one.itemId - other.itemId).map(({ runId }) => store.run(runId)));
    // As the service writes them.
    return records.flatMap((record) => (record?.options as { named: { event: ShownEvent } } | undefined)?.named.event ?? []);
  };
  watchers.start();

  return {
    dir,
    store,
    get watchers() {
      return watchers;
    },
    lines,
    counted,
    get longestTimerMs() {
      return time.longestTimerMs;
    },
    hintsOf: (path) => listeners.get(identityOf(path))?.hinted ?? (() => {}),
    hintRoot() {
      for (const { hinted } of listeners.values()) hinted(basename(dir.path));
    },
    refuseHints(code) {
      refusal = code;
    },
    async add(rules = {}, watcher = {}) {
      await watchers.add({ name: 'w', path: dir.path, actions: [['FA_progress_list']], rules, ...watcher }, 'owner');
    },
    hint,
    write(name, content) {
      dir.write(name, content);
      hint(name);
    },
    move(from, to) {
      renameSync(dir.at(from), dir.at(to));
      hint(from);
      hint(to);
    },
    remove(name) {
      rmSync(dir.at(name), { recursive: true });
      hint(name);
    },
    makeDir(name) {
      mkdirSync(dir.at(name));
      hint(name);
    },
    async pass(ms) {
      await countOpen();
      for (let left = ms; left > 0; left -= STEP_MS) {
        await idle();
        await time.advance(Math.min(left, STEP_MS));
      }
      await idle();
    },
    async restart(meanwhile = () => {}) {
      await watchers.close();
      timers.clear();
      meanwhile();
      watchers = open();
      watchers.start();
      opened = 1;
      await idle(); // the service rests once its watchers are at work
    },
    claim: () => store.claim({ worker: 'test', max: 100, leaseMs: 86_400_000 }),
    async end({ runId, attempt, fence, name }, end = 'ok') {
      await store.settle([{ runId, attempt, fence, end, counts: COUNTS, durationMs: 1 }]);
      watchers.ended({ runId, watcher: name ?? '' });
    },
    events,
    told: async () =>
      (await events()).flatMap(({ kind, files: all }) =>
        all.map(({ relative, moved_from }) => `${kind} ${moved_from === null ? '' : `${basename(moved_from)} > `}${relative}`),
      ),
    async [Symbol.asyncDispose]() {
      await watchers.close();
      await store.close();
      dir[Symbol.dispose]();
    },
  };
};
