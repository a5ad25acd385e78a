import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { JsonActionException } from '../../core/errors.ts';
import type { Registrable, Registry } from '../../core/registry.ts';
import type { RunResult } from '../../core/result.ts';
import type { Unchecked } from '../../core/unchecked.ts';
import { readJson } from '../../lib/json/read.ts';
import { type KnownKeys, unknownKeyIn, wrongSwitchIn } from '../../lib/text/known-keys.ts';
import type { ActionMap } from '../actions.generated.ts';
import { builtInFamilies } from '../catalogue.ts';
import type { RunOptions } from '../factotum.ts';
import { wishedList } from '../instance/list-wishes.ts';
import { sharedFactotum } from '../shared-factotum.ts';
import type { ActionNames, Graph, ListRequest, NodesOf, ResultOf } from '../typed/lists.ts';

/** Options of a serial run. `substitute` is accepted for older programs; references are always read. */
export interface ExecuteOptions extends RunOptions {
  readonly stopOnError?: boolean;
  readonly substitute?: boolean;
}

const EXECUTE: KnownKeys<ExecuteOptions> = {
  signal: true,
  caller: true,
  validateFirst: true,
  dryRun: true,
  stopOnError: true,
  substitute: true,
};

/** Runs a list one command after the other: `executeAction(list, validateFirst, dryRun)` or with an object of options. */
export const executeAction = <const N extends ActionNames>(
  actions: ListRequest<ActionMap, N>,
  validateFirst: boolean | ExecuteOptions = false,
  alsoDryRun = false,
): Promise<ResultOf<ActionMap, N>> => {
  const options: ExecuteOptions = typeof validateFirst === 'object' ? (validateFirst ?? {}) : { validateFirst };
  const { signal, caller, ...switches } = options;
  const fault = unknownKeyIn(options, EXECUTE, 'executeAction') ?? wrongSwitchIn({ ...switches, alsoDryRun }, 'executeAction');
  if (fault !== undefined) return Promise.reject(fault);
  const request = wishedList(actions, {
    validate_first: switches.validateFirst,
    dry_run: switches.dryRun || alsoDryRun,
    stop_on_error: switches.stopOnError,
  });
  return resultOf(sharedFactotum().run(request, { ...(signal && { signal }), ...(caller && { caller }) }));
};

/** Runs a list with several commands at once, four unless something else is said. */
export const executeActionParallel = <const N extends ActionNames>(
  actions: ListRequest<ActionMap, N>,
  maxWorkers?: number,
  dryRun = false,
): Promise<ResultOf<ActionMap, N>> => {
  const fault = wrongSwitchIn({ dryRun }, 'executeActionParallel');
  if (fault !== undefined) return Promise.reject(fault);
  return resultOf(sharedFactotum().run(wishedList(actions, { mode: 'parallel', max_workers: maxWorkers, dry_run: dryRun })));
};

/** Runs a graph, or its nodes, in the order of the dependencies, four at once unless something else is said. */
export const executeActionDag = <const N extends ActionNames>(
  graph: readonly [...NodesOf<ActionMap, N>] | Graph<ActionMap, N> | Unchecked,
  maxWorkers?: number,
  failFast?: boolean,
): Promise<ResultOf<ActionMap, N>> => {
  const fault = wrongSwitchIn({ failFast }, 'executeActionDag');
  if (fault !== undefined) return Promise.reject(fault);
  const own = Array.isArray(graph) ? { nodes: graph, fail_fast: failFast ?? true } : graph;
  return resultOf(sharedFactotum().run(wishedList(own, { max_workers: maxWorkers, fail_fast: failFast })));
};

/** The result as the compiler knows it from the names of the list. */
const resultOf = <N extends ActionNames>(result: Promise<RunResult>): Promise<ResultOf<ActionMap, N>> =>
  result as Promise<ResultOf<ActionMap, N>>; // a run has one entry for each command, with the value that its definition promises

/** Checks a list without running it; answers the names of its commands. */
export const validateAction = <const N extends ActionNames>(actions: ListRequest<ActionMap, N>): Promise<string[]> =>
  sharedFactotum().validate(actions);

/** Runs the list of each JSON file, in order; all are read before the first runs. */
export const executeFiles = async (files: readonly string[], options: RunOptions = {}): Promise<RunResult[]> => {
  const lists = await Promise.all(files.map(readList));
  const results: RunResult[] = [];
  for (const list of lists) results.push(await sharedFactotum().run(list, options));
  return results;
};

const readList = async (file: string): Promise<unknown> => {
  const bytes = await readFile(resolve(file)).catch((cause: unknown) => {
    throw new JsonActionException(`The list ${file} cannot be read; check the path.`, { cause, context: { path: file } });
  });
  return readJson(bytes, { allowBom: true, name: file });
};

/** Makes functions or definitions known under their names, at once and to every caller; replaces what had the name. */
export const addCommandToExecutor = (mapping: Readonly<Record<string, Registrable>>): void =>
  sharedFactotum().registry.registerMany(mapping, { replace: true });

/** Registers the built-in actions of one group in any registry. */
export const registerGroup =
  (group: string) =>
  (registry: Registry): void => {
    for (const family of builtInFamilies(group)) registry.registerFamily(family, { replace: true });
  };
