import type { ErrorRecord, Outcome, RunResult } from '../../core/result.ts';
import type { Unchecked } from '../../core/unchecked.ts';
import type { ActionMap } from '../actions.generated.ts';
import type { ActionTable, CommandOf, NameIn } from './commands.ts';

/** The names of a list, in order: what the compiler reads of it first. */
export type NamesIn<M> = readonly NameIn<M>[];

/** Names of known actions. */
export type ActionNames = NamesIn<ActionMap>;

/** The commands of a list by their names. */
export type ListOf<M extends ActionTable<M>, N extends NamesIn<M>> = { readonly [At in keyof N]: CommandOf<M, N[At]> };

// A list is spelt out as a tuple, because the compiler would look for names among the keys of a wrapped list or a graph too.

/** What can be run: a list, a list with options, or a graph; `unchecked` makes one of what comes from outside. */
export type ListRequest<M extends ActionTable<M>, N extends NamesIn<M>> =
  | readonly [...ListOf<M, N>]
  | WrappedList<ListOf<M, N>>
  | Graph<M, N>
  | Unchecked;

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
export interface Graph<M extends ActionTable<M> = ActionMap, N extends NamesIn<M> = NamesIn<M>> extends ListOptions {
  readonly nodes: NodesOf<M, N>;
  /** Skip what depends on a failed node; true by default. */
  readonly fail_fast?: boolean;
}

/** The nodes of a graph by the names of their actions. */
export type NodesOf<M extends ActionTable<M>, N extends NamesIn<M>> = { readonly [At in keyof N]: GraphNode<M, N[At]> };

export interface GraphNode<M extends ActionTable<M> = ActionMap, N extends NameIn<M> = NameIn<M>> {
  readonly id: string;
  readonly action: CommandOf<M, N>;
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

/** The result of a list: entry by entry with the value of its action where the list is written out, else as of any list. */
export type ResultOf<M extends ActionTable<M>, N extends NamesIn<M>> = number extends N['length']
  ? RunResult
  : Omit<RunResult, 'results'> & { readonly results: { readonly [At in keyof N]: OutcomeOf<M[N[At]]['value']> } };
