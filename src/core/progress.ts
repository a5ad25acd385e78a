import { CancelledException } from './errors.ts';

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

/** All work under way and recently finished, by name. */
export interface ProgressRegistry {
  create(name: string, start?: ProgressStart): Progress;
  lookup(name: string): Snapshot | undefined;
  list(): Snapshot[];
  /** Asks the work to stop; false when the name is unknown. */
  cancel(name: string): boolean;
  forget(name: string): boolean;
  clearFinished(): number;
  onChange(listener: () => void): () => void;
}

interface Tracked {
  readonly start: ProgressStart;
  readonly controller: AbortController;
  readonly startedAt: number;
  transferred: number;
  status: ProgressStatus;
  finishedAt: number | undefined;
}

/** Finished entries kept for onlookers; the oldest go first. */
const KEPT_FINISHED = 1_000;

export const createProgressRegistry = (now: () => number = Date.now): ProgressRegistry => {
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

  return {
    create(wanted, start = {}) {
      const name = freeName(wanted);
      const entry: Tracked = {
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
    lookup(name) {
      const entry = entries.get(name);
      return entry && snapshot(name, entry, now());
    },
    list: () => [...entries].map(([name, entry]) => snapshot(name, entry, now())),
    cancel(name) {
      const entry = entries.get(name);
      if (entry === undefined) return false;
      if (entry.status === 'running') entry.controller.abort(cancelled(name));
      changed();
      return true;
    },
    forget(name) {
      const known = entries.delete(name);
      if (known) changed();
      return known;
    },
    clearFinished() {
      const before = entries.size;
      for (const [name, entry] of entries) if (entry.status !== 'running') entries.delete(name);
      if (entries.size < before) changed();
      return before - entries.size;
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
