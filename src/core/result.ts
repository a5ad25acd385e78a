import type { Json } from './errors.ts';

/** What became of one command. */
export type Status = 'ok' | 'failed' | 'skipped' | 'planned' | 'reused' | 'cancelled' | 'indeterminate';

/** How often each status occurred in a list. */
export type Counts = Record<Status, number>;

/** The wire form of an error. */
export interface ErrorRecord {
  readonly type: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly context: { readonly [key: string]: Json };
}

/** Something worth knowing that is no failure, such as `truncated` or `skipped`; docs/explanation/lists-and-results.md has all kinds. */
export interface Note {
  readonly kind: string;
  readonly message: string;
  readonly [key: string]: Json;
}

/** One thing a command would do. `bytes` where it is known. */
export interface Effect {
  readonly kind: 'create' | 'overwrite' | 'delete' | 'read' | 'network' | 'execute';
  readonly target: string;
  readonly bytes?: number;
}

/** What a dry run knows of one command. `complete: false`: more than this may happen. */
export interface Plan {
  readonly arguments: unknown;
  readonly effects: readonly Effect[];
  readonly complete?: false;
  /** Arguments whose value only a real run gets. */
  readonly unknown?: readonly string[];
  readonly steps?: RunResult | readonly RunResult[];
}

/** One command of a finished list, in the order of the request. */
export interface Outcome {
  readonly index: number;
  readonly id?: string;
  readonly action: string | null;
  readonly status: Status;
  readonly value?: unknown;
  readonly error?: ErrorRecord;
  readonly reason?: string;
  readonly plan?: Plan;
  readonly notes?: readonly Note[];
  /** Results of the nested list or lists that the command ran. */
  readonly steps?: RunResult | readonly RunResult[];
  readonly duration_ms: number;
}

/** The result of a run, the same at every door. */
export interface RunResult {
  readonly run_id: string;
  readonly ok: boolean;
  readonly status: 'ok' | 'failed' | 'cancelled';
  readonly counts: Counts;
  readonly duration_ms: number;
  readonly plan_hash?: string;
  readonly results: readonly Outcome[];
}
