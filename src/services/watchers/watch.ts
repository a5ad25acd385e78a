import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { WatcherSnapshot, WatcherState } from '../../core/ports/watchers.ts';
import type { Clock, Log, Meters } from '../../core/ports.ts';
import { boundedMap } from '../../lib/async/bounded-map.ts';
import type { SetTimer } from '../../lib/async/timer.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { Watcher } from '../engine/port/shelves.ts';
import type { Store } from '../engine/port.ts';
import { createComparison, type Round } from './disk/comparison.ts';
import { createDirty } from './disk/dirty.ts';
import { createHints, remedyFor, type WatchDirectory } from './disk/hints.ts';
import { createKnownTree } from './disk/known-tree.ts';
import { createScope, nameOf, parentOf } from './disk/scope.ts';
import { findPlace } from './disk/watched-place.ts';
import { createDelivery } from './events/delivery.ts';
import { createEchoes } from './events/echoes.ts';
import { createOwnChanges } from './events/own-changes.ts';
import { createPending } from './events/pending.ts';
import { createPulse } from './pulse.ts';
import { notesOf, rulesOf } from './watch-notes.ts';

export interface WatchParts {
  readonly store: Pick<Store, 'ledger' | 'submit' | 'run'>;
  readonly stored: Watcher;
  readonly clock: Clock;
  readonly log: Log;
  readonly meters: Pick<Meters, 'watchEvent'>;
  readonly setTimer: SetTimer;
  readonly watchDirectory: WatchDirectory;
  cancel(runId: RunId): Promise<unknown>;
  /** Runs of the watcher that wait or are under way. */
  readonly going: readonly RunId[];
  /** The first look finds what happened while nobody watched. */
  readonly isReplay: boolean;
}

/** How a watcher does. */
export type WatchStatus = Pick<WatcherSnapshot, 'state' | 'message' | 'files' | 'waiting'>;

/** One watcher at work. */
export interface Watch {
  status(): WatchStatus;
  /** A run of this watcher is about to change a path. */
  changedBy(runId: RunId, path: string): void;
  /** A run of this watcher has ended. */
  ended(runId: RunId): void;
  close(): Promise<void>;
}

/** Hints come in swarms; they are looked at together. */
const GATHER_MS = 100;
const RETRY_MS = 5_000;
/** Nobody makes the house look at a tree more often. */
const LEAST_PAUSE_MS = 100;
const LOOKS_AT_ONCE = 16;

/** Starts a watcher: reads its ledger, compares it with the disk, and goes on from there. */
export const openWatch = async (parts: WatchParts): Promise<Watch> => {
  const { store, stored, clock, log } = parts;
  const { isFile, isPinned } = notesOf(stored);
  const { base, realBase, only, isNetwork } = await findPlace(stored.path, isFile);
  const rules = rulesOf(stored);
  const scope = createScope({ ...rules, only });
  const wantsHints = !rules.poll && !isNetwork;
  const known = createKnownTree();
  const pending = createPending();
  const dirty = createDirty();
  const own = createOwnChanges([base, realBase]);
  const echoes = createEchoes();
  /** Runs that have ended, and whose work is to be looked at. */
  const over: RunId[] = [];
  let state: WatcherState = wantsHints ? 'watching' : 'polling';
  let message: string | null = null;
  let isClosed = false;
  let isFirstLook = true;
  let scanAt = 0;
  let hintsAgainAt = 0;
  let isWell = true;
  let openedPlace: string | undefined;

  const hints = createHints({
    base,
    watchDirectory: parts.watchDirectory,
    hinted(directory, name) {
      dirty.add(directory, name);
      // A directory tells of its own end by its own name.
      if (name === basename(directory === '' ? base : directory)) dirty.add(directory, null);
      pulse.wakeIn(GATHER_MS);
    },
    refused(fault) {
      if (state === 'degraded') return;
      state = 'degraded';
      message = remedyFor(fault);
      hintsAgainAt = clock.monotonic() + rules.rescanS * 1000;
      log('warn', message, { watcher: stored.name, path: stored.path });
      hints.close('');
      pulse.wakeIn(rules.pollS * 1000);
    },
  });
  const comparison = createComparison({
    base,
    scope,
    known,
    pending,
    log,
    hints: {
      open(directory) {
        if (wantsHints && state !== 'degraded') hints.open(directory);
      },
      close: hints.close,
    },
    isOwn: own.has,
    onForeign: echoes.changed,
    isStopped: () => isClosed,
  });
  const delivery = createDelivery({ ...parts, rules, base, scope, known, pending, comparison, echoes });

  const loadLedger = async () => {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const files = await store.ledger.list(stored.name, { after });
      for (const { path, fingerprint } of files) known.set(path, fingerprint);
      after = files.at(-1)?.path;
    }
  };

  const setMissing = (isMissing: boolean) => {
    if (isMissing === (state === 'missing')) return;
    state = isMissing ? 'missing' : wantsHints ? 'watching' : 'polling';
    message = isMissing ? `Nothing is at ${base}; what is known of it stays until it is there again.` : null;
    log(isMissing ? 'warn' : 'info', message ?? 'what is watched is there again', { watcher: stored.name, path: stored.path });
    if (isMissing) hints.close('');
    scanAt = Math.min(scanAt, clock.monotonic() + rules.pollS * 1000);
  };

  const leadsHere = async (): Promise<boolean> => !isPinned || (await realpath(base).catch(() => undefined)) === base;

  /** Hints come from the directories that were opened. Others may have taken their names since, or so much happened that some are unknown. */
  const dropStaleHints = async (areStale: boolean) => {
    const place = await placeOf(base);
    if (areStale || place !== openedPlace) hints.close('');
    openedPlace = place;
  };

  /** Hints are lost now and then, or were never given: this finds what they did not tell. */
  const scanAll = async (now: number, areHintsStale: boolean) => {
    dirty.take();
    await dropStaleHints(areHintsStale);
    if (state === 'degraded' && now >= hintsAgainAt) [state, message] = ['watching', null];
    const isThere = (await leadsHere()) && (await comparison.scan('', { now, isReplayed: isFirstLook && parts.isReplay }));
    if (isClosed) return;
    setMissing(!isThere);
    pending.unparkAll();
    const everyMs = Math.max(LEAST_PAUSE_MS, (state === 'watching' ? rules.rescanS : rules.pollS) * 1000);
    // The first time earlier, so that many watchers that start together do not look together for ever.
    scanAt = now + everyMs * (isFirstLook ? shareOf(stored.name) : 1);
    if (isThere) isFirstLook = false;
  };

  const followHints = async (round: Round) => {
    if (!(await leadsHere())) return scanAll(round.now, true);
    for (const [directory, names] of dirty.take()) {
      if (names === null && directory === '') return scanAll(round.now, true);
      if (names !== null) await boundedMap([...names], LOOKS_AT_ONCE, (name) => comparison.examine(directory, name, round));
      else await comparison.scan(directory, round);
    }
  };

  /** What the watcher's own runs left behind is looked at while it is still known whose work it is. */
  const lookAfterRuns = async (round: Round) => {
    for (const runId of over.splice(0)) {
      echoes.ended(runId, round.now);
      for (const path of own.of(runId)) await comparison.examine(parentOf(path).slice(0, -1), nameOf(path), round);
      own.delete(runId);
    }
  };

  const look = async () => {
    const round: Round = { now: clock.monotonic(), isReplayed: false };
    await lookAfterRuns(round);
    if (round.now >= scanAt || dirty.isFlooded) await scanAll(round.now, dirty.isFlooded);
    else if (!dirty.isEmpty) await followHints(round);
    if (!isClosed && state !== 'missing') await delivery.deliver(round);
  };

  const pulse = createPulse({
    clock,
    setTimer: parts.setTimer,
    /** A watcher that cannot go on disturbs no other; what it has seen stays pending. */
    async work() {
      try {
        await look();
        if (!isWell) log('info', 'a watcher works again', { watcher: stored.name });
        isWell = true;
      } catch (fault) {
        delivery.holdUntil(clock.monotonic() + RETRY_MS);
        if (isWell) log('error', 'a watcher cannot go on and tries again', { watcher: stored.name, reason: String(fault) });
        isWell = false;
      }
    },
    sleepMs() {
      if (over.length > 0) return 0;
      const now = clock.monotonic();
      const dueAt = state === 'missing' ? scanAt : Math.min(scanAt, delivery.nextAt);
      return Math.min(dueAt - now, dirty.isEmpty ? Number.POSITIVE_INFINITY : GATHER_MS);
    },
  });

  await loadLedger();
  await pulse.start();
  return {
    status: () => ({ state, message, files: known.count, waiting: pending.count }),
    changedBy: own.add,
    ended(runId) {
      over.push(runId);
      delivery.holdUntil(0);
      pulse.wakeIn(0);
    },
    async close() {
      isClosed = true;
      hints.close('');
      await pulse.close();
      hints.close('');
    },
  };
};

/** Which directory a path leads to; undefined where that cannot be told. */
const placeOf = async (path: string): Promise<string | undefined> => {
  const found = await stat(path).catch(() => undefined);
  return found && `${found.dev}-${found.ino}`;
};

/** A share of one, from a half to a whole, that belongs to a name. */
const shareOf = (name: string): number => {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1009;
  return 0.5 + sum / 2018;
};
