import type { RunResult } from '../../core/result.ts';
import { executeAction, executeActionDag, executeActionParallel } from '../library/library.ts';
import { readArguments } from './keywords.ts';

type List = Parameters<typeof executeAction>[0];

/** Options of `execute_action`; `substitute` is accepted and has no effect, since references are always read. */
export interface ExecuteActionOptions {
  readonly validate_first?: boolean;
  readonly dry_run?: boolean;
  readonly substitute?: boolean;
}

const EXECUTE = { validate_first: 'boolean', dry_run: 'boolean', substitute: 'boolean' } as const;

/** Runs a list one command after the other. */
export const execute_action = async (
  actions: List,
  validate_first?: boolean | ExecuteActionOptions,
  dry_run?: boolean | ExecuteActionOptions,
): Promise<RunResult> => {
  const options = readArguments<ExecuteActionOptions>('execute_action', EXECUTE, [validate_first, dry_run]);
  return executeAction(actions, options.validate_first ?? false, options.dry_run ?? false);
};

interface ParallelOptions {
  readonly max_workers?: number;
  readonly dry_run?: boolean;
}

/** Runs a list with several commands at once. */
export const execute_action_parallel = async (
  actions: List,
  max_workers?: number | ParallelOptions,
  dry_run?: boolean | ParallelOptions,
): Promise<RunResult> => {
  const kinds = { max_workers: 'number', dry_run: 'boolean' } as const;
  const options = readArguments<ParallelOptions>('execute_action_parallel', kinds, [max_workers, dry_run]);
  return executeActionParallel(actions, options.max_workers, options.dry_run ?? false);
};

interface DagOptions {
  readonly max_workers?: number;
  readonly fail_fast?: boolean;
}

/** Runs a graph in the order of its dependencies. */
export const execute_action_dag = async (
  nodes: List,
  max_workers?: number | DagOptions,
  fail_fast?: boolean | DagOptions,
): Promise<RunResult> => {
  const kinds = { max_workers: 'number', fail_fast: 'boolean' } as const;
  const options = readArguments<DagOptions>('execute_action_dag', kinds, [max_workers, fail_fast]);
  return executeActionDag(nodes, options.max_workers, options.fail_fast);
};
