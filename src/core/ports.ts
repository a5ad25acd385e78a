import type { Json } from './errors.ts';
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
}

/** Told of every run that was let in and of its end; nested lists belong to their run. */
export interface RunObserver {
  begun(run: RunBegun): void;
  /** Without a result where the plan had changed, so that nothing was run. */
  ended(run: RunBegun, result: RunResult | undefined): void;
}

/** What services tell of themselves, for whoever collects figures. */
export interface Meters {
  queueDepth(queue: string, depth: number): void;
  scheduleFired(result: string): void;
  watchEvent(kind: string): void;
  notified(sink: string, result: string): void;
  transferred(backend: string, direction: 'upload' | 'download', bytes: number): void;
  breakerChanged(name: string, state: 'closed' | 'half_open' | 'open'): void;
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
}
