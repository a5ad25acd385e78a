import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { countCommands } from '../../core/count-commands.ts';
import type { NewWatcher, WatcherSnapshot, WatchRules } from '../../core/ports/watchers.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { Watcher } from '../engine/port/shelves.ts';
import type { Store } from '../engine/port.ts';
import { readBaseline } from './baseline.ts';
import { createScope, type Scope } from './disk/scope.ts';
import type { WatchStatus } from './watch.ts';
import { notesOf, rulesOf, toOptions, type WatchNotes } from './watch-notes.ts';
import {
  badMarker,
  badPattern,
  configuredWatcher,
  demandName,
  doubleWatcher,
  noList,
  nothingThere,
  unknownWatcher,
} from './watcher-faults.ts';

export type BookStore = Pick<Store, 'watchers' | 'ledger' | 'states'>;

/** Where a change of watchers is told to other processes on the same store. */
export const CHANGES = { kind: 'watchers', name: 'changes' } as const;

export interface BookParts {
  readonly store: BookStore;
  readonly clock: Clock;
  readonly log: Log;
  /** How a watcher does in this process; undefined where it is not at work here. */
  statusOf?(name: string): WatchStatus | undefined;
  /** Told of every change after it is stored; true where somebody acts on it here. */
  changed?(names: readonly string[]): Promise<boolean>;
}

/** The watchers as they stand in the store. A service in another process learns of changes within a minute. */
export interface WatcherBook {
  /** Refuses a watcher that could not be stored, whatever others there are. */
  check(watcher: NewWatcher): void;
  /** Stores a watcher for this caller, as whom its list will run. */
  add(watcher: NewWatcher, caller: string): Promise<WatcherSnapshot>;
  /** Shows a watcher as it was last, and removes it. */
  remove(name: string): Promise<WatcherSnapshot>;
  /** Removes all watchers but those of the configuration, or those among them that are wanted away. */
  removeAll(isWanted?: (name: string) => boolean): Promise<readonly WatcherSnapshot[]>;
  list(): Promise<readonly WatcherSnapshot[]>;
  /** The names of the watchers that a caller has stored. */
  namesOf(caller: string): Promise<readonly string[]>;
  /**
   * Makes the watchers of the configuration those that are given; answers how many there are. What known ones have seen stays seen.
   * Without a baseline nothing is read below their paths.
   */
  configure(watchers: readonly ConfiguredWatcher[], options?: { readonly hasBaseline?: boolean }): Promise<number>;
}

/** A watcher that stands in the configuration. */
export interface ConfiguredWatcher extends NewWatcher {
  readonly isEnabled: boolean;
}

/** Watchers of the configuration are the owner's. */
const OWNER_NAME = 'owner';
const TAKEN_AT_ONCE = 1000;

export const openWatcherBook = ({ store, clock, log, statusOf = () => undefined, changed: tell }: BookParts): WatcherBook => {
  const { watchers, ledger } = store;
  let last: Promise<unknown> = Promise.resolve();

  /** One change after the other, so that two watchers cannot get the same name. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  };

  const changed = async (names: readonly string[]): Promise<void> => {
    const isHeard = (await tell?.(names)) === true;
    if (!isHeard) await store.states.put(CHANGES.kind, CHANGES.name, randomUUID());
  };

  const shown = (stored: Watcher): WatcherSnapshot => snapshotOf(stored, statusOf(stored.name));

  const prepare = async (watcher: NewWatcher, notes: Pick<WatchNotes, 'caller' | 'isConfigured'>): Promise<Watcher> => {
    demandSound(watcher);
    const stats = await stat(watcher.path).catch(() => undefined);
    if (stats === undefined && !notes.isConfigured) throw nothingThere(watcher.name, watcher.path);
    return {
      name: watcher.name,
      path: watcher.path,
      body: watcher.actions,
      options: toOptions({
        ...notes,
        rules: watcher.rules ?? {},
        isFile: stats?.isFile() ?? false,
        isPinned: watcher.isPinned ?? false,
      }),
      isEnabled: true,
      createdAt: clock.now(),
    };
  };

  /** What is there already is no news; the watcher counts only once that is written down. */
  const takeBaseline = async (stored: Watcher, isNews: (path: string) => boolean = () => false): Promise<void> => {
    const files = (await readBaseline(stored, log)).filter(({ path }) => !isNews(path));
    for (let at = 0; at < files.length; at += TAKEN_AT_ONCE) await ledger.take(stored.name, files.slice(at, at + TAKEN_AT_ONCE));
  };

  const drop = async (names: readonly string[]) => {
    await Promise.all(names.map((name) => watchers.remove(name)));
    await changed(names);
    for (const name of names) await ledger.clear(name);
  };

  /** What a watcher would have told before, it still tells; what only its new rules see, or no longer see, is no news. */
  const changeScope = async (fresh: Watcher, before: Scope): Promise<void> => {
    const now = scopeOf(fresh);
    for (let after: string | undefined = ''; after !== undefined; ) {
      const files = await ledger.list(fresh.name, { after });
      const unseen = files.map(({ path }) => path).filter((path) => !now.sees(path));
      if (unseen.length > 0) await ledger.forget(fresh.name, unseen);
      after = files.at(-1)?.path;
    }
    await takeBaseline(fresh, before.sees);
  };

  const beginAnew = async (fresh: Watcher): Promise<void> => {
    await ledger.clear(fresh.name);
    await takeBaseline(fresh);
  };

  /** Tells whether anything is new. */
  const reconfigure = async (fresh: Watcher, known: Watcher | undefined, hasBaseline: boolean): Promise<boolean> => {
    if (known !== undefined && isSame(known, fresh)) return false;
    const isSamePlace = known?.path === fresh.path && notesOf(known).isFile === notesOf(fresh).isFile;
    if (hasBaseline && !isSamePlace) await beginAnew(fresh);
    else if (hasBaseline && known !== undefined && !isSame(scopeRules(known), scopeRules(fresh))) await changeScope(fresh, scopeOf(known));
    await watchers.put(known === undefined ? fresh : { ...fresh, createdAt: known.createdAt });
    return true;
  };

  return {
    check: demandSound,

    add: (watcher, caller) =>
      inTurn(async () => {
        const stored = await prepare(watcher, { caller, isConfigured: false });
        if ((await watchers.get(watcher.name)) !== null) throw doubleWatcher(watcher.name);
        await beginAnew(stored);
        await watchers.put(stored);
        await changed([stored.name]);
        return shown(stored);
      }),

    remove: (name) =>
      inTurn(async () => {
        const stored = await watchers.get(name);
        if (stored === null) throw unknownWatcher(name);
        if (notesOf(stored).isConfigured) throw configuredWatcher(name);
        const snapshot = shown(stored);
        await drop([name]);
        return { ...snapshot, running: false };
      }),

    removeAll: (isWanted = () => true) =>
      inTurn(async () => {
        const removable = (await watchers.list()).filter((stored) => !notesOf(stored).isConfigured && isWanted(stored.name));
        const snapshots = removable.map((stored) => ({ ...shown(stored), running: false }));
        await drop(removable.map(({ name }) => name));
        return snapshots;
      }),

    list: async () => (await watchers.list()).map(shown),

    namesOf: async (caller) => (await watchers.list()).filter((stored) => notesOf(stored).caller === caller).map(({ name }) => name),

    configure: (wanted, { hasBaseline = true } = {}) =>
      inTurn(async () => {
        const known = new Map((await watchers.list()).map((stored) => [stored.name, stored]));
        const names = new Set(wanted.map(({ name }) => name));
        const gone = [...known.values()].filter((stored) => notesOf(stored).isConfigured && !names.has(stored.name));
        const news: string[] = [];
        for (const { isEnabled, ...watcher } of wanted) {
          const fresh = await prepare(watcher, { caller: OWNER_NAME, isConfigured: true });
          if (await reconfigure({ ...fresh, isEnabled }, known.get(watcher.name), hasBaseline)) news.push(watcher.name);
        }
        if (gone.length > 0) await drop(gone.map(({ name }) => name));
        if (news.length > 0) await changed(news);
        return wanted.length;
      }),
  };
};

const demandSound = ({ name, actions, rules = {} }: NewWatcher): void => {
  demandName(name);
  if (countCommands(actions) === undefined) throw noList(name);
  const { readyMarker = null, include = [], exclude = [] } = rules;
  if (readyMarker !== null && !/^(?=..)[^*/]*\*[^*/]*$/s.test(readyMarker)) throw badMarker(name, readyMarker);
  try {
    createScope({ include, exclude, recursive: true, readyMarker, only: undefined });
  } catch (fault) {
    throw badPattern(name, fault);
  }
};

const snapshotOf = (stored: Watcher, status: WatchStatus | undefined): WatcherSnapshot => {
  const { events, recursive } = rulesOf(stored);
  return {
    name: stored.name,
    path: stored.path,
    events: [...new Set(events)].sort(),
    recursive,
    running: stored.isEnabled,
    actions: countCommands(stored.body) ?? 0,
    ...(status ?? { state: 'idle', message: null, files: 0, waiting: 0 }),
  };
};

/** Whether two watchers, or parts of them, say the same; when they were made does not count. */
const isSame = (one: object, other: object): boolean =>
  JSON.stringify({ ...one, createdAt: 0 }) === JSON.stringify({ ...other, createdAt: 0 });

/** What decides which files a watcher sees. */
const scopeRules = (stored: Watcher): Pick<WatchRules, 'include' | 'exclude' | 'recursive' | 'readyMarker'> => {
  const { include, exclude, recursive, readyMarker } = rulesOf(stored);
  return { include, exclude, recursive, readyMarker };
};

const scopeOf = (stored: Watcher): Scope =>
  createScope({ ...rulesOf(stored), only: notesOf(stored).isFile ? basename(stored.path) : undefined });
