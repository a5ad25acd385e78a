import { CancelledException } from './errors.ts';
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

/** Finished entries kept for onlookers; the oldest go first. */
const KEPT_FINISHED = 1_000;

/** Keeps track of work. `callerOf` names the caller of a run that is under way; without it everything is the owner's. */
export const createProgressRegistry = (
  now: () => number = Date.now,
  callerOf: (runId: string) => string | undefined = () => OWNER_NAME,
): ProgressRegistry => {
  const entries = new Map<string, Tracked>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };

  const freeName = (name: string): string => {
    if (!entries.has(name)) return name;
    for (let count = 2; ; count += 1) {
      if (!entries.has(`${name}#${count}`)) return `${name}#${count}`;
    }
  };

  const dropOldest = () => {
    let surplus = [...entries.values()].filter((entry) => entry.status !== 'running').length - KEPT_FINISHED;
    for (const [name, entry] of entries) {
      if (surplus <= 0) return;
      if (entry.status === 'running') continue;
      entries.delete(name);
      surplus -= 1;
    }
  };

  const viewOf = (belongs: (entry: Tracked) => boolean): ProgressView => {
    const find = (name: string): Tracked | undefined => {
      const entry = entries.get(name);
      return entry !== undefined && belongs(entry) ? entry : undefined;
    };
    return {
      lookup(name) {
        const entry = find(name);
        return entry && snapshot(name, entry, now());
      },
      list: () => [...entries].flatMap(([name, entry]) => (belongs(entry) ? [snapshot(name, entry, now())] : [])),
      cancel(name) {
        const entry = find(name);
        if (entry === undefined) return false;
        if (entry.status === 'running') entry.controller.abort(cancelled(name));
        changed();
        return true;
      },
      forget(name) {
        if (find(name) === undefined) return false;
        entries.delete(name);
        changed();
        return true;
      },
      clearFinished() {
        const before = entries.size;
        for (const [name, entry] of entries) if (entry.status !== 'running' && belongs(entry)) entries.delete(name);
        if (entries.size < before) changed();
        return before - entries.size;
      },
    };
  };

  const everything = viewOf(() => true);
  const seenBy = (caller: string | undefined): ProgressView =>
    caller === OWNER_NAME ? everything : viewOf((entry) => entry.caller === caller);

  return {
    ...everything,
    seenBy,
    seenFrom: (runId) => seenBy(callerOf(runId)),
    create(wanted, start = {}) {
      const name = freeName(wanted);
      const entry: Tracked = {
        caller: (start.runId === undefined ? undefined : callerOf(start.runId)) ?? OWNER_NAME,
        start,
        controller: new AbortController(),
        startedAt: now(),
        transferred: 0,
        status: 'running',
        finishedAt: undefined,
      };
      entries.set(name, entry);
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
          if (entries.size > KEPT_FINISHED) dropOldest();
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
