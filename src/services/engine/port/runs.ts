import type { Json } from '../../../core/errors.ts';
import type { Counts, ErrorRecord, Note, Plan, RunResult, Status } from '../../../core/result.ts';

export type RunId = string;

/** Where a run stands. `dead`: given up after its attempts; `indeterminate`: a command waits for a verdict. */
export type RunState = 'queued' | 'running' | 'ok' | 'failed' | 'cancelled' | 'dead' | 'indeterminate';

/** Where a command stands; `waiting` and `running` before it has a result. */
export type CommandState = 'waiting' | 'running' | Status;

/** What asked for the run. */
export type RunSource = 'cli' | 'library' | 'http' | 'tcp' | 'mcp' | 'dashboard' | 'schedule' | 'watch' | 'queue' | 'undo' | 'resume';

/** What a run is, before anything is known of how it went. Times are milliseconds since the epoch. */
export interface RunFacts {
  readonly source: RunSource;
  readonly caller: string;
  /** The list as written, never with references filled in. Of a run that is over, mask secrets before handing it over. */
  readonly body: Json;
  /** The list without its secrets, where it holds any: this is shown of it, and stays when the run is over. */
  readonly kept?: Json;
  /** What the runner must know beyond the list: the event, the schedule, the rights of its maker. */
  readonly options?: Json;
  readonly name?: string | null;
  readonly mode?: string;
  readonly isDryRun?: boolean;
  readonly planHash?: string | null;
  readonly parent?: RunId | null;
  /** What its caller may have of the store: runs that wait, and bytes. Left out: as much as there is room for. */
  readonly share?: { readonly queued: number; readonly storedBytes: number };
  readonly versions?: { readonly [part: string]: string };
}

/** A run as lists show it. */
export interface Run extends Required<Omit<RunFacts, 'body' | 'kept' | 'options' | 'share'>> {
  readonly runId: RunId;
  /** The same run as a number, for callers that know queue items by one. */
  readonly itemId: number;
  readonly key: string | null;
  readonly queue: string;
  readonly priority: number;
  readonly state: RunState;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly owner: string | null;
  readonly leaseUntil: number | null;
  readonly isCancelRequested: boolean;
  readonly runAt: number;
  readonly submittedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly durationMs: number | null;
  readonly counts: Counts | null;
  /** Why the last attempt ended, where that is no command's own error. */
  readonly error: ErrorRecord | null;
}

/** A run with everything that is known of it. */
export interface RunRecord extends Run, Pick<RunFacts, 'kept'> {
  readonly body: Json;
  readonly options: Json;
  /** In the order of the list. */
  readonly commands: readonly CommandRecord[];
}

/** What is to be known of a command before it starts. */
export interface CommandPlan {
  readonly index: number;
  readonly id?: string | null;
  readonly action: string | null;
  /** Whether running it again is harmless: recovery repeats only such commands. */
  readonly isIdempotent: boolean;
}

/** News of one command. What is left out stays as it was. */
export interface CommandChange extends Partial<Omit<CommandPlan, 'index'>> {
  readonly index: number;
  readonly state: CommandState;
  readonly value?: unknown;
  readonly error?: ErrorRecord;
  readonly reason?: string;
  readonly notes?: readonly Note[];
  readonly plan?: Plan;
  readonly steps?: RunResult | readonly RunResult[];
  readonly startedAt?: number;
  readonly durationMs?: number;
  /** The value is only the beginning of what it was, or something that came with it was too long to be kept. */
  readonly truncated?: true;
}

/** One command of a run, as stored. */
export interface CommandRecord extends CommandPlan, CommandChange {
  readonly id: string | null;
  readonly action: string | null;
  readonly isIdempotent: boolean;
  /** The attempt of the run that wrote this. */
  readonly attempt: number;
  /** The value, or what came with it, was over 1 MiB and is cut. */
  readonly truncated?: true;
}

/** A run that is over, in one piece, as one-shots and direct calls record it. */
export interface FinishedRun extends RunFacts {
  readonly runId: RunId;
  readonly state: 'ok' | 'failed' | 'cancelled';
  readonly startedAt: number;
  readonly durationMs: number;
  readonly counts: Counts;
  readonly error?: ErrorRecord;
  readonly commands: readonly (CommandChange & Pick<CommandPlan, 'action'>)[];
}

/** Which runs to show. All that is given must hold. */
export interface RunFilter {
  readonly states?: readonly RunState[];
  readonly sources?: readonly RunSource[];
  readonly caller?: string;
  readonly queue?: string;
  /** The list names this action, at any depth. */
  readonly action?: string;
  readonly parent?: RunId;
  readonly since?: number;
  readonly until?: number;
  /** Stands somewhere in the list as written or in the run's name; the case of ASCII letters does not count. */
  readonly text?: string;
  /** 50 unless said; 1,000 at most. */
  readonly limit?: number;
}

/** Some of many, newest first; `cursor` asks for the next ones and is null after the last. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly cursor: string | null;
}

/** What happened in a run, in order; `id` is where to go on. */
export type RunEvent =
  | { readonly id: number; readonly kind: 'command'; readonly command: CommandRecord }
  | { readonly id: number; readonly kind: 'done'; readonly run: Run };
