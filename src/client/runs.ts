import type { RunState } from '../core/ports/runs.ts';
import type { Counts, ErrorRecord, Outcome } from '../core/result.ts';

export type { RunState };

/** A run as lists show it. Times are ISO 8601. */
export interface RunSummary {
  readonly run_id: string;
  readonly state: RunState;
  readonly name: string | null;
  readonly source: string;
  readonly caller: string;
  readonly mode: string;
  readonly dry_run: boolean;
  readonly plan_hash: string | null;
  /** The run that this one resumes, repeats or undoes. */
  readonly parent: string | null;
  readonly queue: string;
  readonly attempt: number;
  readonly cancel_requested: boolean;
  readonly submitted_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly duration_ms: number | null;
  readonly counts: Counts | null;
  readonly error: ErrorRecord | null;
}

/** A command of a run; it may still wait or run. */
export type CommandEntry = Omit<Outcome, 'status'> & {
  readonly status: Outcome['status'] | 'waiting' | 'running';
  readonly truncated?: true;
  /** Of a command that waits for a verdict: what it was given, as far as it is known. */
  readonly arguments?: unknown;
};

/** A run with everything that is known of it. */
export interface RunRecord extends RunSummary {
  /** What ran it: `{ factotum: '1.2.3' }`. */
  readonly versions: { readonly [part: string]: string };
  /** The list as written. */
  readonly request: unknown;
  /** The event that a watcher saw, of its runs. */
  readonly event?: { readonly [key: string]: unknown };
  /** The job and the time it is about, of scheduled runs. */
  readonly schedule?: { readonly [key: string]: unknown };
  readonly results: readonly CommandEntry[];
}

/** Some of many, newest first; `cursor` asks for the next ones and is null after the last. */
export interface RunsPage {
  readonly runs: readonly RunSummary[];
  readonly cursor: string | null;
}

/** Which runs to show; all that is given must hold. */
export interface RunsQuery {
  readonly status?: RunState | readonly RunState[];
  readonly action?: string;
  readonly caller?: string;
  /** ISO 8601. */
  readonly since?: string;
  readonly until?: string;
  /** Stands somewhere in the list as written or in the run's name. */
  readonly text?: string;
  readonly cursor?: string | null;
  readonly limit?: number;
}

/** What the server answers when it has taken a wish. */
export interface Accepted {
  readonly run_id: string;
  readonly outcome?: 'cancelled' | 'requested' | 'finished';
}

/** Where a run, or something of it, is found. */
export const runPath = (runId: string, part?: string): string => `runs/${encodeURIComponent(runId)}${part === undefined ? '' : `/${part}`}`;

/** A query as it stands in an address. */
export const textOf = (query: RunsQuery): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0 ? '' : `?${given.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`).join('&')}`;
};
