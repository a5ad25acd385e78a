import { flag, integer, json, paths } from '../../core/args.ts';
import { callableLater } from '../library/arguments.ts';
import {
  executeAction,
  executeActionDag,
  executeActionParallel,
  executeFiles,
  type ListOrGraph,
  validateAction,
} from '../library/library.ts';

/** A list, wrapped or not, or a graph: the executor judges it, so it is taken as it is. */
const actions = ['actions', json('The list.')] as const;
const asList = (given: unknown): ListOrGraph => given as ListOrGraph; // the executor refuses what is none

/** Runs a list one command after the other; `substitute` has no effect, since references are always read. */
export const execute_action = callableLater(
  'execute_action',
  [
    actions,
    ['validate_first', flag('Check the whole list before its first command runs.', { default: false })],
    ['dry_run', flag('Only tell what would happen.', { default: false })],
    ['substitute', flag('For older programs.', { default: true })],
  ],
  (given) => executeAction(asList(given.actions), given.validate_first, given.dry_run),
);

/** Runs a list with several commands at once. */
export const execute_action_parallel = callableLater(
  'execute_action_parallel',
  [
    actions,
    ['max_workers', integer('How many run at once.', { default: null, min: 1 })],
    ['dry_run', flag('Only tell what would happen.', { default: false })],
  ],
  (given) => executeActionParallel(asList(given.actions), given.max_workers ?? undefined, given.dry_run),
);

/** Runs a graph in the order of its dependencies. */
export const execute_action_dag = callableLater(
  'execute_action_dag',
  [
    ['nodes', json('The nodes, or a graph.')],
    ['max_workers', integer('How many run at once.', { default: null, min: 1 })],
    ['fail_fast', flag('Skip what depends on a node that failed.', { default: null })],
  ],
  ({ nodes, max_workers, fail_fast }) => executeActionDag(asList(nodes), max_workers ?? undefined, fail_fast ?? undefined),
);

/** Checks a list without running it; answers the names of its commands. */
export const validate_action = callableLater('validate_action', [actions], (given) => validateAction(asList(given.actions)));

/** Runs the list of each JSON file, in order; all are read before the first runs. */
export const execute_files = callableLater('execute_files', [['execute_files_list', paths('The files.')]], ({ execute_files_list }) =>
  executeFiles(execute_files_list),
);
