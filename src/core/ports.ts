import type { Json } from './errors.ts';
import type { ProgressRegistry } from './progress.ts';
import type { Registry } from './registry.ts';

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

/** What outlives a call, reached by actions through these ports. */
export interface Services {
  readonly registry: Registry;
  readonly progress: ProgressRegistry;
}
