import type { Json } from '../errors.ts';
import type { Counts, ErrorRecord, Note, Plan, RunResult, Status } from '../result.ts';

/** Where a run stands. `dead`: given up after its attempts; `indeterminate`: a command waits for a verdict. */
export type RunState = 'queued' | 'running' | 'ok' | 'failed' | 'cancelled' | 'dead' | 'indeterminate';

/** A run as lists show it. Times are milliseconds since the epoch. */
export interface RunView {
  readonly runId: string;
  readonly state: RunState;
  readonly name: string | null;
  readonly source: string;
  readonly caller: string;
  readonly mode: string;
  readonly isDryRun: boolean;
  readonly planHash: string | null;
  /** The run that this one resumes, repeats or undoes. */
  readonly parent: string | null;
  readonly queue: string;
  readonly attempt: number;
  readonly isCancelRequested: boolean;
  readonly submittedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly durationMs: number | null;
  readonly counts: Counts | null;
  readonly error: ErrorRecord | null;
}

/** A command of a run, as it is kept. */
export interface CommandView {
  readonly index: number;
  readonly id: string | null;
  readonly action: string | null;
  readonly state: 'waiting' | 'running' | Status;
  readonly value?: unknown;
  readonly error?: ErrorRecord;
  readonly reason?: string;
  readonly notes?: readonly Note[];
  readonly plan?: Plan;
  readonly steps?: RunResult | readonly RunResult[];
  readonly durationMs?: number;
  readonly truncated?: true;
  /** Of a command that waits for a verdict: what it was given, references filled in as far as they are known. */
  readonly arguments?: unknown;
}

/** A run with everything that is known of it. */
export interface RunDetail extends RunView {
  /** What ran it: `{ factotum: '1.2.3' }`. */
  readonly versions: { readonly [part: string]: string };
  /** The list as written. */
  readonly body: Json;
  /** What it is about beside the list: `event` of a watcher, `schedule` of a job. */
  readonly named?: { readonly [name: string]: Json };
  readonly commands: readonly CommandView[];
}

/** What happened in a run, in order; `id` is where to go on. */
export type RunNews =
  | { readonly id: number; readonly kind: 'command'; readonly command: CommandView }
  | { readonly id: number; readonly kind: 'done'; readonly run: RunView };

/** Which runs to show; all that is given must hold. */
export interface RunQuery {
  readonly states?: readonly RunState[];
  readonly action?: string;
  readonly caller?: string;
  readonly since?: number;
  readonly until?: number;
  readonly text?: string;
  readonly limit?: number;
}

/** How a run is asked for. */
export interface RunRequest<Caller> {
  readonly caller: Caller;
  readonly source: string;
  /** Asked twice under one key by the same caller, it is done once. */
  readonly key?: string;
  readonly signal?: AbortSignal | undefined;
  /** Somebody waits for its end; by default it runs in the background, of which a caller has a share. */
  readonly isAwaited?: boolean;
}

/** A run that was taken. */
export interface RunTaken {
  readonly runId: string;
  /** The key was known: nothing was started. */
  readonly isDuplicate: boolean;
  /** False where the key is known with another list. */
  readonly isSameBody: boolean;
  /** Its result, once it has ended; only where it was started here and now. Rejects where the plan had changed. */
  readonly finished?: Promise<RunResult>;
}

/** Where a resumed run begins: at the first command that has not ended well, at an index, or at a node of a graph. */
export type ResumeFrom = number | string | undefined;

/**
 * The runs of the house, for callers that look at them, follow them and change their course. `Caller` is who asks, with its rights;
 * what may be shown to whom is for the door to decide, what may be run or changed for the gateway and the file port.
 */
export interface Runs<Caller> {
  /** Takes a list, durably, and runs it in the background; a list that the gateway would refuse is refused here, with the same error. */
  start(request: unknown, options: RunRequest<Caller>): Promise<RunTaken>;
  /** Null: no such run. */
  get(runId: string): Promise<RunDetail | null>;
  /** Newest first; `cursor` goes on after a page and is null after the last. */
  list(query: RunQuery, cursor?: string): Promise<{ readonly items: readonly RunView[]; readonly cursor: string | null }>;
  /** A run as lists show it; null: no such run. */
  head(runId: string): Promise<RunView | null>;
  /** What happened after the event `after`, 0 for all. With a limit: the first ones of that, at least one where there is any. */
  events(runId: string, after: number, limit?: number): Promise<readonly RunNews[]>;
  cancel(runId: string): Promise<'cancelled' | 'requested' | 'finished'>;
  /** Runs the rest of a run as a new one, whose id it answers. */
  resume(runId: string, options: RunRequest<Caller> & { readonly from?: ResumeFrom }): Promise<{ readonly runId: string }>;
  /** Takes back what a run changed, as a new run, whose id it answers. */
  undo(runId: string, options: RunRequest<Caller>): Promise<{ readonly runId: string }>;
}
