import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import type { WatcherSnapshot, WatcherState } from '../../core/ports/watchers.ts';
import type { Clock, Log, Meters } from '../../core/ports.ts';
import { boundedMap } from '../../lib/async/bounded-map.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { Watcher } from '../engine/port/shelves.ts';
import type { Store } from '../engine/port.ts';
import { createComparison, type Round } from './comparison.ts';
import { createDirty } from './dirty.ts';
import { eventsOf, type FileEvent } from './file-event.ts';
import { createHandOver } from './hand-over.ts';
import { createHints, remedyFor, type WatchDirectory } from './hints.ts';
import { createKnownTree } from './known-tree.ts';
import { createOwnChanges } from './own-changes.ts';
import { type Change, createPending } from './pending.ts';
import { createPulse } from './pulse.ts';
import { createScope, nameOf, parentOf } from './scope.ts';
import type { SetTimer } from './timer.ts';
import { notesOf, rulesOf } from './watch-notes.ts';
import { findPlace } from './watched-place.ts';

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
const LOOKS_AT_ONCE = 16;
const DELIVERED_AT_ONCE = 5_000;

/** Starts a watcher: reads its ledger, compares it with the disk, and goes on from there. */
export const openWatch = async (parts: WatchParts): Promise<Watch> => {
  const { store, stored, clock, log } = parts;
  const { isFile, isPinned } = notesOf(stored);
  const { base, realBase, only, isNetwork } = await findPlace(stored.path, isFile);
  const rules = rulesOf(stored);
  const scope = createScope({ ...rules, only });
  const quietMs = Math.max(rules.settleS, rules.debounceS) * 1000;
  const wantsHints = !rules.poll && !isNetwork;
  const known = createKnownTree();
  const pending = createPending();
  const dirty = createDirty();
  const own = createOwnChanges([base, realBase]);
  /** Runs that have ended, and whose work is to be looked at. */
  const over: RunId[] = [];
  let state: WatcherState = wantsHints ? 'watching' : 'polling';
  let message: string | null = null;
  let isClosed = false;
  let isFirstLook = true;
  let scanAt = 0;
  let heldUntil = 0;
  let hintsAgainAt = 0;
  let isWell = true;

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
    isStopped: () => isClosed,
  });
  const handOver = createHandOver({
    ...parts,
    rules,
    base,
    onTaken({ path, fingerprint, movedFrom }) {
      pending.delete(path);
      if (fingerprint === null) known.delete(path);
      else known.set(path, fingerprint);
      if (movedFrom === null) return;
      pending.delete(movedFrom);
      known.delete(movedFrom);
    },
  });

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

  /** Hints are lost now and then, or were never given: this finds what they did not tell. */
  const scanAll = async (now: number) => {
    dirty.take();
    if (state === 'degraded' && now >= hintsAgainAt) [state, message] = ['watching', null];
    const isThere = (await leadsHere()) && (await comparison.scan('', { now, isReplayed: isFirstLook && parts.isReplay }));
    if (isClosed) return;
    setMissing(!isThere);
    pending.unparkAll();
    const everyMs = (state === 'watching' ? rules.rescanS : rules.pollS) * 1000;
    // The first time earlier, so that many watchers that start together do not look together for ever.
    scanAt = now + everyMs * (isFirstLook ? shareOf(stored.name) : 1);
    if (isThere) isFirstLook = false;
  };

  const followHints = async (round: Round) => {
    for (const [directory, names] of dirty.take()) {
      if (names !== null) await boundedMap([...names], LOOKS_AT_ONCE, (name) => comparison.examine(directory, name, round));
      else if (!(await comparison.scan(directory, round))) setMissing(true);
    }
  };

  /** What the watcher's own runs left behind is looked at while it is still known whose work it is. */
  const lookAfterRuns = async (round: Round) => {
    for (const runId of over.splice(0)) {
      for (const path of own.of(runId)) await comparison.examine(parentOf(path).slice(0, -1), nameOf(path), round);
      own.delete(runId);
    }
  };

  /** The change, if the file still is as it was seen and nothing else is waited for. */
  const confirmed = async ([path, change]: [string, Change], round: Round): Promise<[string, Change][]> => {
    const look = await comparison.look(path);
    if (look !== null && change.fingerprint !== (look?.kind === 'file' ? look.fingerprint : null)) {
      comparison.note(path, look, round);
      return [];
    }
    const marker = change.fingerprint === null ? undefined : scope.markerOf(path);
    if (look !== null && (marker === undefined || (await comparison.look(marker))?.kind === 'file')) return [[path, change]];
    pending.park(path);
    return [];
  };

  const deliver = async (round: Round) => {
    if (round.now < heldUntil || state === 'missing') return;
    const quiet = pending.quiet(round.now - quietMs, DELIVERED_AT_ONCE, known);
    if (quiet.length === 0) return;
    if (await handOver.mustWait()) {
      heldUntil = round.now + RETRY_MS;
      return;
    }
    const changes = (await boundedMap(quiet, LOOKS_AT_ONCE, (each) => confirmed(each, round))).flat();
    const events = eventsOf(changes, known);
    const isWanted = ({ kind, isOwn }: FileEvent) => !isOwn && rules.events.includes(kind);
    await handOver.absorb(events.filter((event) => !isWanted(event)));
    await handOver.deliver(events.filter(isWanted));
  };

  const look = async () => {
    const round: Round = { now: clock.monotonic(), isReplayed: false };
    await lookAfterRuns(round);
    if (round.now >= scanAt || dirty.isFlooded) await scanAll(round.now);
    else if (!dirty.isEmpty) await followHints(round);
    if (!isClosed) await deliver(round);
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
        heldUntil = clock.monotonic() + RETRY_MS;
        if (isWell) log('error', 'a watcher cannot go on and tries again', { watcher: stored.name, reason: String(fault) });
        isWell = false;
      }
    },
    sleepMs() {
      if (over.length > 0) return 0;
      const now = clock.monotonic();
      const { firstSince } = pending;
      const dueAt = firstSince === undefined || state === 'missing' ? scanAt : Math.max(firstSince + quietMs, heldUntil);
      return Math.min(scanAt - now, dueAt - now, dirty.isEmpty ? Number.POSITIVE_INFINITY : GATHER_MS);
    },
  });

  await loadLedger();
  await pulse.start();
  return {
    status: () => ({ state, message, files: known.count, waiting: pending.count }),
    changedBy: own.add,
    ended(runId) {
      over.push(runId);
      heldUntil = 0;
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

/** A share of one, from a half to a whole, that belongs to a name. */
const shareOf = (name: string): number => {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1009;
  return 0.5 + sum / 2018;
};
