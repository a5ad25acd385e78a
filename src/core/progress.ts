import { CancelledException } from './errors.ts';
import { nameInSpace, nameOutOfSpace } from './name-space.ts';
import { OWNER_NAME } from './reach.ts';

/** One tracked piece of work, as shown to callers. */
export interface Snapshot {
  readonly name: string;
  readonly run_id: string | null;
  readonly action: string | null;
  readonly status: ProgressStatus;
  readonly transferred: number;
  readonly total: number | null;
  readonly unit: 'bytes' | 'items';
  /** Units a second since the start. */
  readonly rate: number;
  readonly eta_s: number | null;
  readonly started_at: string;
  readonly finished_at: string | null;
}
export type ProgressStatus = 'running' | 'done' | 'failed' | 'cancelled';

/** What work says about itself while it goes on. */
export interface Progress {
  readonly name: string;
  /** Aborted when somebody cancels this entry. */
  readonly signal: AbortSignal;
  /** Counts work done; throws `CancelledException` once the entry is cancelled. */
  advance(units: number): void;
  finish(status: Exclude<ProgressStatus, 'running'>): void;
}

export interface ProgressStart {
  readonly total?: number | undefined;
  readonly unit?: 'bytes' | 'items';
  readonly runId?: string;
  readonly action?: string;
}

/** Work under way and recently finished, by name. */
export interface ProgressView {
  lookup(name: string): Snapshot | undefined;
  list(): Snapshot[];
  /** Asks the work to stop; false when the name is unknown. */
  cancel(name: string): boolean;
  forget(name: string): boolean;
  clearFinished(): number;
}

/** All of it. Work belongs to the caller of its run; what comes from no run is the owner's. */
export interface ProgressRegistry extends ProgressView {
  create(name: string, start?: ProgressStart): Progress;
  /** What belongs to a caller, the rest being unknown to it; everything, for the owner. */
  seenBy(caller: string): ProgressView;
  /** The same for the caller of a run that is under way. */
  seenFrom(runId: string): ProgressView;
  onChange(listener: () => void): () => void;
}

interface Tracked {
  readonly caller: string;
  readonly start: ProgressStart;
  readonly controller: AbortController;
  readonly startedAt: number;
  transferred: number;
  status: ProgressStatus;
  finishedAt: number | undefined;
}

/** Finished entries of a caller that are kept for onlookers; the oldest go first. */
const KEPT_FINISHED = 1_000;

/** Keeps track of work. `callerOf` names the caller of a run that is under way; without it everything is the owner's. */
export const createProgressRegistry = (
  now: () => number = Date.now,
  callerOf: (runId: string) => string | undefined = () => OWNER_NAME,
): ProgressRegistry => {
  /** By the names under which the owner sees them: those of callers with limits stand in a space of each. */
  const entries = new Map<string, Tracked>();
  /** How many finished entries each caller has. */
  const finished = new Map<string, number>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };

  const keptAs = (caller: string, name: string): string => (caller === OWNER_NAME ? name : nameInSpace(caller, name));

  const freeName = (caller: string, name: string): string => {
    if (!entries.has(keptAs(caller, name))) return name;
    for (let count = 2; ; count += 1) {
      if (!entries.has(keptAs(caller, `${name}#${count}`))) return `${name}#${count}`;
    }
  };

  const drop = (kept: string, { caller, status }: Tracked) => {
    entries.delete(kept);
    if (status === 'running') return;
    const left = (finished.get(caller) ?? 1) - 1;
    if (left === 0) finished.delete(caller);
    else finished.set(caller, left);
  };

  /** Of each caller its own oldest, so that nobody's work pushes out what others look for. */
  const keepFinished = (caller: string) => {
    const count = (finished.get(caller) ?? 0) + 1;
    finished.set(caller, count);
    if (count <= KEPT_FINISHED) return;
    for (const [kept, entry] of entries) if (entry.caller === caller && entry.status !== 'running') return drop(kept, entry);
  };

  /** What a caller sees, by the names that it gave; everything, for the owner. */
  const viewOf = (caller: string): ProgressView => {
    const belongs = (entry: Tracked) => caller === OWNER_NAME || entry.caller === caller;
    const find = (name: string): Tracked | undefined => entries.get(keptAs(caller, name));
    const shownAs = (kept: string) => nameOutOfSpace(caller, kept);
    return {
      lookup(name) {
        const entry = find(name);
        return entry && snapshot(name, entry, now());
      },
      list: () => [...entries].flatMap(([kept, entry]) => (belongs(entry) ? [snapshot(shownAs(kept), entry, now())] : [])),
      cancel(name) {
        const entry = find(name);
        if (entry === undefined) return false;
        if (entry.status === 'running') entry.controller.abort(cancelled(name));
        changed();
        return true;
      },
      forget(name) {
        const entry = find(name);
        if (entry === undefined) return false;
        drop(keptAs(caller, name), entry);
        changed();
        return true;
      },
      clearFinished() {
        const before = entries.size;
        for (const [kept, entry] of entries) if (entry.status !== 'running' && belongs(entry)) drop(kept, entry);
        if (entries.size < before) changed();
        return before - entries.size;
      },
    };
  };

  const everything = viewOf(OWNER_NAME);
  const seenBy = (caller: string): ProgressView => (caller === OWNER_NAME ? everything : viewOf(caller));

  return {
    ...everything,
    seenBy,
    seenFrom(runId) {
      const caller = callerOf(runId);
      return caller === undefined ? NOTHING : seenBy(caller);
    },
    create(wanted, start = {}) {
      const caller = (start.runId === undefined ? undefined : callerOf(start.runId)) ?? OWNER_NAME;
      const name = freeName(caller, wanted);
      const entry: Tracked = {
        caller,
        start,
        controller: new AbortController(),
        startedAt: now(),
        transferred: 0,
        status: 'running',
        finishedAt: undefined,
      };
      const kept = keptAs(caller, name);
      entries.set(kept, entry);
      changed();
      return {
        name,
        signal: entry.controller.signal,
        advance(units) {
          if (entry.controller.signal.aborted) throw cancelled(name);
          entry.transferred += units;
          if (listeners.size > 0) changed();
        },
        finish(status) {
          if (entry.status !== 'running') return;
          entry.status = entry.controller.signal.aborted ? 'cancelled' : status;
          entry.finishedAt = now();
          if (entries.get(kept) === entry) keepFinished(caller); // unless it was forgotten meanwhile
          changed();
        },
      };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** What is seen from a run that is not under way. */
const NOTHING: ProgressView = {
  lookup: () => undefined,
  list: () => [],
  cancel: () => false,
  forget: () => false,
  clearFinished: () => 0,
};

const cancelled = (name: string) => new CancelledException(`The work called ${name} was cancelled.`, { context: { progress: name } });

const snapshot = (name: string, { start, startedAt, transferred, status, finishedAt }: Tracked, now: number): Snapshot => {
  const elapsedS = Math.max(0, ((finishedAt ?? now) - startedAt) / 1000);
  const rate = elapsedS > 0 ? transferred / elapsedS : 0;
  const left = start.total === undefined ? undefined : Math.max(0, start.total - transferred);
  return {
    name,
    run_id: start.runId ?? null,
    action: start.action ?? null,
    status,
    transferred,
    total: start.total ?? null,
    unit: start.unit ?? 'bytes',
    rate: Math.round(rate * 100) / 100,
    eta_s: status === 'running' && left !== undefined && rate > 0 ? Math.round((left / rate) * 10) / 10 : null,
    started_at: new Date(startedAt).toISOString(),
    finished_at: finishedAt === undefined ? null : new Date(finishedAt).toISOString(),
  };
};
