import type { ShareLimits } from './caller-limits.ts';
import type { Json } from './errors.ts';
import type { AuditLog } from './ports/audit.ts';
import type { Configuration } from './ports/config.ts';
import type { Monitors } from './ports/integrity.ts';
import type { Limits } from './ports/limits.ts';
import type { Locks } from './ports/locks.ts';
import type { Notifications } from './ports/notify.ts';
import type { Queues } from './ports/queue.ts';
import type { Schedules } from './ports/scheduler.ts';
import type { Tracing } from './ports/tracing.ts';
import type { TransferNotes } from './ports/transfers.ts';
import type { Watchers } from './ports/watchers.ts';
import type { ProgressRegistry } from './progress.ts';
import type { Registry } from './registry.ts';
import type { RunResult } from './result.ts';

/** Time as the house sees it; tests hand in their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds on a clock that never jumps. */
  monotonic(): number;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Where the house says what it does. Never a secret: arguments are logged as written. */
export type Log = (level: LogLevel, message: string, fields?: { readonly [key: string]: Json | undefined }) => void;

/** A program to run: an argument list, never a shell line. */
export interface ProgramRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd?: string;
  /** The whole environment of the program; left out: what the caller's kind inherits. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly captureOutput?: boolean;
  readonly maxOutputBytes?: number;
  readonly signal: AbortSignal;
}

/** How a program ended. */
export interface ProgramResult {
  readonly returncode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** Output beyond the cap was dropped. */
  readonly truncated: boolean;
}

export type RunProgram = (request: ProgramRequest) => Promise<ProgramResult>;

/** A run that was let in. */
export interface RunBegun {
  readonly runId: string;
  /** The caller's name. */
  readonly caller: string;
  /** The door it came through. */
  readonly source: string;
  /** The list as it came. */
  readonly request: unknown;
  readonly startedAt: Date;
  /** Whoever started it keeps its record in the store while it goes; others need not. */
  readonly isStored?: boolean;
  /** What its caller may have of what is shared; left out, the usual. */
  readonly policy?: ShareLimits | undefined;
  /** Where it stands among the runs under way; looked after by whoever keeps them. */
  place?: number;
}

/** Told of every run that was let in and of its end; nested lists belong to their run. */
export interface RunObserver {
  begun(run: RunBegun): void;
  /** Without a result where the plan had changed, so that nothing was run. A promise is waited for before anybody gets the result; it must not reject. */
  ended(run: RunBegun, result: RunResult | undefined): void | Promise<void>;
}

/** What services tell of themselves, for whoever collects figures. */
export interface Meters {
  queueDepth(queue: string, depth: number): void;
  scheduleFired(result: string): void;
  watchEvent(kind: string): void;
  notified(sink: string, result: string): void;
  transferred(backend: string, direction: 'upload' | 'download', bytes: number): void;
}

/** The figures of the house as text, in the exposition format of Prometheus. */
export interface MetricsText {
  render(): Promise<string>;
}

/** What outlives a call, reached by actions through these ports. */
export interface Services {
  readonly registry: Registry;
  readonly progress: ProgressRegistry;
  readonly metrics: MetricsText;
  /** Left out where no file can be applied. */
  readonly config?: Configuration | undefined;
  /** Left out where the house keeps none of these. */
  readonly limits?: Limits | undefined;
  readonly locks?: Locks | undefined;
  readonly audit?: AuditLog | undefined;
  readonly tracing?: Tracing | undefined;
  /** Left out where nobody is told of anything. */
  readonly notify?: Notifications | undefined;
  /** Left out where nothing can be queued. */
  readonly queue?: Queues | undefined;
  /** Left out where no store keeps jobs. */
  readonly scheduler?: Schedules | undefined;
  /** Left out where no store keeps watchers or monitors. */
  readonly watchers?: Watchers | undefined;
  readonly integrity?: Monitors | undefined;
  /** Left out where a transfer that was broken off begins anew. */
  readonly transfers?: TransferNotes | undefined;
}
