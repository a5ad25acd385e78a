import { flag, integer, json, paths } from '../../core/args.ts';
import { type Unchecked, unchecked } from '../../core/unchecked.ts';
import type { ActionMap } from '../actions.generated.ts';
import { type CallOf, callableLater, type KeywordsOf, readArguments } from '../library/arguments.ts';
import { executeAction, executeActionDag, executeActionParallel, executeFiles, validateAction } from '../library/library.ts';
import type { ActionNames, Graph, ListRequest, NodesOf, ResultOf } from '../typed/lists.ts';

/** A list, wrapped or not, or a graph: the executor judges it, so it is taken as it is. */
const actions = ['actions', json('The list.')] as const;

const SERIAL = [
  ['validate_first', flag('Check the whole list before its first command runs.', { default: false })],
  ['dry_run', flag('Only tell what would happen.', { default: false })],
  ['substitute', flag('For older programs.', { default: true })],
] as const;

/** Runs a list one command after the other; `substitute` has no effect, since references are always read. */
export const execute_action = async <const N extends ActionNames>(
  list: ListRequest<ActionMap, N> | ({ readonly actions: ListRequest<ActionMap, N> } & KeywordsOf<typeof SERIAL>),
  ...rest: CallOf<typeof SERIAL>
): Promise<ResultOf<ActionMap, N>> => {
  const given = readArguments('execute_action', [actions, ...SERIAL], [list, ...rest]);
  return executeAction<N>(unchecked(given.actions), given.validate_first, given.dry_run);
};

const PARALLEL = [
  ['max_workers', integer('How many run at once.', { default: null, min: 1 })],
  ['dry_run', flag('Only tell what would happen.', { default: false })],
] as const;

/** Runs a list with several commands at once. */
export const execute_action_parallel = async <const N extends ActionNames>(
  list: ListRequest<ActionMap, N> | ({ readonly actions: ListRequest<ActionMap, N> } & KeywordsOf<typeof PARALLEL>),
  ...rest: CallOf<typeof PARALLEL>
): Promise<ResultOf<ActionMap, N>> => {
  const given = readArguments('execute_action_parallel', [actions, ...PARALLEL], [list, ...rest]);
  return executeActionParallel<N>(unchecked(given.actions), given.max_workers ?? undefined, given.dry_run);
};

const GRAPH = [
  ['max_workers', integer('How many run at once.', { default: null, min: 1 })],
  ['fail_fast', flag('Skip what depends on a node that failed.', { default: null })],
] as const;

/** Runs a graph in the order of its dependencies. */
export const execute_action_dag = async <const N extends ActionNames>(
  graph:
    | readonly [...NodesOf<ActionMap, N>]
    | Graph<ActionMap, N>
    | Unchecked
    | ({ readonly nodes: NodesOf<ActionMap, N> | Unchecked } & KeywordsOf<typeof GRAPH>),
  ...rest: CallOf<typeof GRAPH>
): Promise<ResultOf<ActionMap, N>> => {
  const { nodes, max_workers, fail_fast } = readArguments(
    'execute_action_dag',
    [['nodes', json('The nodes, or a graph.')], ...GRAPH],
    [graph, ...rest],
  );
  return executeActionDag<N>(unchecked(nodes), max_workers ?? undefined, fail_fast ?? undefined);
};

/** Checks a list without running it; answers the names of its commands. */
export const validate_action = async <const N extends ActionNames>(
  list: ListRequest<ActionMap, N> | { readonly actions: ListRequest<ActionMap, N> },
  ...rest: []
): Promise<string[]> => validateAction(unchecked(readArguments('validate_action', [actions], [list, ...rest]).actions));

/** Runs the list of each JSON file, in order; all are read before the first runs. */
export const execute_files = callableLater('execute_files', [['execute_files_list', paths('The files.')]], ({ execute_files_list }) =>
  executeFiles(execute_files_list),
);
