import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { JsonActionException } from '../../core/errors.ts';
import type { Registrable, Registry } from '../../core/registry.ts';
import type { RunResult } from '../../core/result.ts';
import { readJson } from '../../lib/json/read.ts';
import { builtInFamilies } from '../catalogue.ts';
import type { RunOptions } from '../factotum.ts';
import { sharedFactotum } from '../shared-factotum.ts';

/** Options of a serial run. `substitute` is accepted for older programs; references are always read. */
export interface ExecuteOptions extends RunOptions {
  readonly validateFirst?: boolean;
  readonly dryRun?: boolean;
  readonly stopOnError?: boolean;
  readonly substitute?: boolean;
}

/** A list, wrapped or not, or a graph. */
export type ListOrGraph = readonly unknown[] | { readonly [key: string]: unknown };

/** What a call may say of a list, in the words of a wrapped one. */
interface ListWishes {
  readonly mode?: 'parallel';
  readonly validate_first?: boolean | undefined;
  readonly dry_run?: boolean | undefined;
  readonly stop_on_error?: boolean | undefined;
  readonly fail_fast?: boolean | undefined;
  readonly max_workers?: number | undefined;
}

/**
 * A list with what the call says of it. Where both say something the stricter holds: what either wants only planned, checked first or
 * stopped is, and the smaller number of workers counts. What is wrong in the list stays there, to be refused.
 */
const wrap = (list: ListOrGraph, { mode, max_workers, ...switches }: ListWishes): unknown => {
  const own: { readonly [key: string]: unknown } = Array.isArray(list) ? { actions: list } : { ...list };
  const wanted = Object.entries(switches).filter(([key, value]) => value === true && (own[key] === undefined || own[key] === false));
  return {
    ...own,
    ...(mode !== undefined && !Object.hasOwn(own, 'nodes') && { mode }), // a graph has its own order
    ...Object.fromEntries(wanted),
    ...(max_workers !== undefined && { max_workers: narrower(own.max_workers, max_workers) }),
  };
};

const narrower = (own: unknown, wanted: number): unknown => (typeof own === 'number' ? Math.min(own, wanted) : (own ?? wanted));

/** Runs a list one command after the other: `executeAction(list, validateFirst, dryRun)` or with an object of options. */
export const executeAction = (
  actions: ListOrGraph,
  validateFirst: boolean | ExecuteOptions = false,
  dryRun = false,
): Promise<RunResult> => {
  const { signal, caller, ...options } = typeof validateFirst === 'boolean' ? { validateFirst, dryRun } : { ...validateFirst };
  const request = wrap(actions, { validate_first: options.validateFirst, dry_run: options.dryRun, stop_on_error: options.stopOnError });
  return sharedFactotum().run(request, { ...(signal && { signal }), ...(caller && { caller }) });
};

/** Runs a list with several commands at once, four unless something else is said. */
export const executeActionParallel = (actions: ListOrGraph, maxWorkers?: number, dryRun = false): Promise<RunResult> =>
  sharedFactotum().run(wrap(actions, { mode: 'parallel', max_workers: maxWorkers, dry_run: dryRun }));

/** Runs a graph, or its nodes, in the order of the dependencies, four at once unless something else is said. */
export const executeActionDag = (graph: ListOrGraph, maxWorkers?: number, failFast?: boolean): Promise<RunResult> => {
  const own = Array.isArray(graph) ? { nodes: graph, fail_fast: failFast ?? true } : graph;
  return sharedFactotum().run(wrap(own, { max_workers: maxWorkers, fail_fast: failFast }));
};

/** Checks a list without running it; answers the names of its commands. */
export const validateAction = (actions: ListOrGraph): Promise<string[]> => sharedFactotum().validate(actions);

/** Runs the list of each JSON file, in order; all are read before the first runs. */
export const executeFiles = async (files: readonly string[]): Promise<RunResult[]> => {
  const lists = await Promise.all(files.map(readList));
  const results: RunResult[] = [];
  for (const list of lists) results.push(await sharedFactotum().run(list));
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
