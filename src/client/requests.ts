import type { ActionMap } from '../app/actions.generated.ts';
import type { ErrorRecord, Outcome, RunResult } from '../core/result.ts';

/** Actions by name: what a caller writes and the value that comes back. `ActionMap`, or it and a program's own actions. */
export type ActionTable<M> = { readonly [N in keyof M]: { readonly args: object; readonly value: unknown } };

/** The names of a table. */
export type NameIn<M> = keyof M & string;

/** A text that stands for a value known only when the command runs: `${results[0].value}`. */
export type Reference = `${string}\${${string}}${string}`;

/** Arguments as they stand in a list. */
type Written<A> = { readonly [K in keyof A]: [A[K]] extends [never] ? never : A[K] | Reference };

/** Whether an action can be called with no argument at all. */
type NeedsNothing<A> = Record<never, never> extends A ? true : false;

/** One command: the name of an action and its arguments, by name or in order. */
export type Command<M extends ActionTable<M> = ActionMap> = {
  [N in NameIn<M>]:
    | readonly [N, Written<M[N]['args']> | readonly unknown[]]
    | (NeedsNothing<M[N]['args']> extends true ? readonly [N] : never);
}[NameIn<M>];

/** What a wrapped list and a graph may say of themselves. */
export interface ListOptions {
  /** Check every name and argument before the first command runs. */
  readonly validate_first?: boolean;
  /** Only tell what would happen. */
  readonly dry_run?: boolean;
  readonly max_workers?: number;
  /** Run only if planning again gives this hash. */
  readonly expect_plan?: string;
  /** A label for history. */
  readonly name?: string;
  readonly quota?: { readonly max_bytes?: number; readonly max_seconds?: number };
}

/** A list with options. */
export interface WrappedList<L> extends ListOptions {
  readonly actions: L;
  readonly mode?: 'serial' | 'parallel';
  /** Leave out the rest after a failure; serial lists only. */
  readonly stop_on_error?: boolean;
}

/** Commands in the order of their dependencies. */
export interface Graph<M extends ActionTable<M> = ActionMap> extends ListOptions {
  readonly nodes: readonly GraphNode<M>[];
  /** Skip what depends on a failed node; true by default. */
  readonly fail_fast?: boolean;
}

export interface GraphNode<M extends ActionTable<M> = ActionMap> {
  readonly id: string;
  readonly action: Command<M>;
  readonly depends_on?: readonly string[];
  readonly retry?: { readonly attempts?: number; readonly backoff_s?: number; readonly cap_s?: number };
  readonly timeout_s?: number;
  /** Run it whatever became of its dependencies. */
  readonly run?: 'always';
}

/** What became of a command whose value has the type `V`. */
export type OutcomeOf<V> = Omit<Outcome, 'status' | 'value' | 'error'> &
  (
    | { readonly status: 'ok' | 'reused'; readonly value: V }
    | { readonly status: 'failed'; readonly error: ErrorRecord }
    | { readonly status: Exclude<Outcome['status'], 'ok' | 'reused' | 'failed'>; readonly error?: ErrorRecord }
  );

/** The result of a list, entry by entry with the value of its action. */
export type ResultOf<M extends ActionTable<M>, L extends readonly unknown[]> = Omit<RunResult, 'results'> & {
  readonly results: {
    readonly [I in keyof L]: L[I] extends readonly [infer N extends keyof M, ...unknown[]] ? OutcomeOf<M[N]['value']> : OutcomeOf<unknown>;
  };
};
