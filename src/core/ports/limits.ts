import type { RetryRule } from '../retry.ts';

/** How tokens come back to a bucket. */
export interface RateRule {
  /** Tokens a second. */
  readonly rate: number;
  /** Most tokens the bucket holds; null: `rate`, but never fewer than are taken at once. */
  readonly burst: number | null;
}

/** Who wants tokens, and how patiently. */
export interface TokenRequest {
  readonly tokens: number;
  /** Null waits as long as it takes, 0 tries once. */
  readonly timeoutS: number | null;
  readonly signal: AbortSignal;
}

/** When a breaker opens, and for how long. */
export interface BreakerRule {
  /** Failures in a row. */
  readonly failureThreshold: number;
  readonly recoveryS: number;
}

export type CircuitState = 'closed' | 'open' | 'half_open';

/** What a breaker makes of a fault: `unknown` says nothing about what is behind the breaker. */
export type FaultVerdict = 'failure' | 'success' | 'unknown';

/** How many calls may be inside at once, and how many may wait for that. */
export interface BulkheadRule {
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
}

/** A limit as it is shown. */
export type LimitSnapshot =
  | { readonly kind: 'rate_limit'; readonly name: string; readonly tokens: number }
  | { readonly kind: 'circuit_breaker'; readonly name: string; readonly state: CircuitState; readonly failures: number }
  | { readonly kind: 'bulkhead'; readonly name: string; readonly running: number; readonly waiting: number };

/** Limits by name, shared by all runs of the house and kept in its store where it has one. */
export interface Limits {
  /** Takes tokens out of a bucket, in the order of asking; `RateLimitExceededException` where they do not come in time. */
  takeTokens(name: string, rule: RateRule, request: TokenRequest): Promise<void>;
  /** Does the work unless the breaker is open (`CircuitOpenException`); by default every fault but a cancellation counts. */
  throughBreaker<T>(name: string, rule: BreakerRule, work: () => Promise<T>, judge?: (fault: unknown) => FaultVerdict): Promise<T>;
  circuitState(name: string): Promise<CircuitState>;
  /** Closes a breaker and forgets its failures. */
  resetCircuit(name: string): Promise<void>;
  /** Does the work once there is room (`RateLimitExceededException` where too many wait already). */
  insideBulkhead<T>(name: string, rule: BulkheadRule, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** What is limited now; a limit that is as good as new is left out. */
  list(): Promise<readonly LimitSnapshot[]>;
}

/** What stands around every call of one action. Its retry and time limit give way to those of a command. */
export interface Guard {
  readonly retry?: RetryRule;
  /** For all attempts together. */
  readonly timeoutS?: number;
  readonly maxBytes?: number;
  /** Around each attempt. The signal that `work` gets replaces that of the command; it follows `signal`. */
  around?(work: (signal: AbortSignal) => unknown, signal: AbortSignal): Promise<unknown>;
}
