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

type List = readonly unknown[] | { readonly [key: string]: unknown };

/** A list that is wrapped already keeps its own options; those given here are added. */
const wrap = (actions: List, options: { readonly [key: string]: unknown }): unknown => {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return Array.isArray(actions) ? { actions, ...given } : { ...actions, ...given };
};

/** Runs a list one command after the other: `executeAction(list, validateFirst, dryRun)` or with an object of options. */
export const executeAction = (actions: List, validateFirst: boolean | ExecuteOptions = false, dryRun = false): Promise<RunResult> => {
  const { signal, caller, ...options } = typeof validateFirst === 'boolean' ? { validateFirst, dryRun } : { ...validateFirst };
  const request = wrap(actions, { validate_first: options.validateFirst, dry_run: options.dryRun, stop_on_error: options.stopOnError });
  return sharedFactotum().run(request, { ...(signal && { signal }), ...(caller && { caller }) });
};

/** Runs a list with several commands at once. */
export const executeActionParallel = (actions: List, maxWorkers = 4, dryRun = false): Promise<RunResult> =>
  sharedFactotum().run(wrap(actions, { mode: 'parallel', max_workers: maxWorkers, dry_run: dryRun }));

/** Runs a graph in the order of its dependencies. */
export const executeActionDag = (nodes: readonly unknown[], maxWorkers = 4, failFast = true): Promise<RunResult> =>
  sharedFactotum().run({ nodes, max_workers: maxWorkers, fail_fast: failFast });

/** Checks a list without running it; answers the names of its commands. */
export const validateAction = (actions: List): Promise<string[]> => sharedFactotum().validate(actions);

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
