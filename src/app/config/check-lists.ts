import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Caller, OWNER } from '../../access/caller.ts';
import type { KeptNames } from '../../core/context.ts';
import { type ConfigException, FileAutomationException, type Json, JsonActionException } from '../../core/errors.ts';
import { SCHEDULE_NAMES } from '../../core/ports/scheduler.ts';
import { EVENT_NAMES } from '../../core/ports/watchers.ts';
import { findValue } from '../../lib/json/find-value.ts';
import { locate, visible } from '../../lib/json/locate.ts';
import { readJson } from '../../lib/json/read.ts';
import type { Problem } from '../../pipeline/list/validate.ts';
import type { PlacedFault } from '../../services/config/read.ts';
import { keyName } from '../../services/config/tree.ts';
import type { Instance } from '../instance/instance.ts';
import { filesIn, placeInList } from './list-places.ts';
import type { LoadedConfig } from './load-config.ts';

export interface ListChecker extends Pick<Instance, 'gateway' | 'registry'> {
  /** As whom the lists run; the owner unless said. */
  readonly caller?: Caller | undefined;
  /** Relative paths of files with lists count from here. */
  readonly cwd: string;
}

type Path = readonly (string | number)[];

/**
 * Checks the lists of schedules and watchers, and those in files that they name, as `validate_first` does: names, arguments and references
 * at every depth. Answers the error that names every fault with its place; undefined where there is none.
 */
export const checkLists = async ({ config, path, text }: LoadedConfig, checker: ListChecker): Promise<ConfigException | undefined> => {
  const lists = [
    ...config.schedules.map(({ actions }, at) => ({ actions, key: ['schedules', at, 'actions'], kept: SCHEDULE_NAMES })),
    ...config.watchers.map(({ actions }, at) => ({ actions, key: ['watchers', at, 'actions'], kept: EVENT_NAMES })),
  ];
  if (lists.length === 0) return undefined;
  const found: Fault[] = [];
  const files = new Set<string>();
  for (const { actions, key, kept } of lists) {
    found.push(...(await problemsOf(actions, kept, checker)).map(({ at, words }) => ({ path: [...key, ...at], words })));
    for (const file of filesIn(actions, checker.registry)) found.push(...(await faultsInFile(file, { kept, key, seen: files }, checker)));
  }
  if (found.length === 0) return undefined;
  const { placeFaults, refusal } = await import('../../services/config/read.ts');
  const file = path === undefined || text === undefined ? undefined : { path, text };
  const here = found.filter((fault) => fault.place === undefined).map(named);
  const elsewhere = found.flatMap((fault): PlacedFault[] => (fault.place === undefined ? [] : [{ ...named(fault), place: fault.place }]));
  return refusal([...placeFaults(here, { flags: {}, variables: [], file }), ...elsewhere], file);
};

/** Something wrong with a list of the configuration, or with a file that it names: then the place is known already. */
interface Fault {
  readonly path: Path;
  readonly words: string;
  readonly place?: string;
}

/** The words begin with the list they are about; messages tell commands of one list apart. */
const named = ({ path, words }: Fault) => ({ path, words: `${keyName(path.slice(0, 3))}: ${words}` });

interface FileOrder {
  readonly kept: KeptNames;
  /** The list that names the file. */
  readonly key: Path;
  readonly seen: Set<string>;
}

const faultsInFile = async (file: string, order: FileOrder, checker: ListChecker): Promise<Fault[]> => {
  const path = resolve(checker.cwd, file);
  if (order.seen.has(path)) return [];
  order.seen.add(path);
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return []; // it may be made before the list runs
  const fault = (words: string, place: string): Fault => ({ path: order.key, words, place });
  let list: unknown;
  try {
    list = readJson(bytes, { allowBom: true, name: file });
  } catch (caught) {
    if (!(caught instanceof JsonActionException)) throw caught;
    const { line, column } = caught.context;
    return [fault(caught.message, line === undefined ? visible(path) : `${visible(path)}:${String(line)}:${String(column)}`)];
  }
  const text = bytes.toString('utf8');
  const here = (await problemsOf(list, order.kept, checker)).map(({ at, words }) => {
    const { line, column } = locate(text, findValue(text, at));
    return fault(words, `${visible(path)}:${line}:${column}`);
  });
  for (const next of filesIn(list, checker.registry)) here.push(...(await faultsInFile(next, order, checker)));
  return here;
};

/** What is wrong with a list, and where in it. */
const problemsOf = async (
  list: unknown,
  kept: KeptNames,
  { gateway, registry, caller = OWNER }: ListChecker,
): Promise<readonly { readonly at: Path; readonly words: string }[]> => {
  try {
    await gateway.inspect(list, caller, kept);
    return [];
  } catch (fault) {
    if (!(fault instanceof FileAutomationException)) throw fault;
    const { problems } = fault.context;
    if (!Array.isArray(problems)) return [{ at: [], words: fault.message }];
    return problems.filter(isProblem).map((problem) => ({ at: placeInList(list, problem, registry), words: problem.message }));
  }
};

const isProblem = (value: Json): value is Problem => typeof value === 'object' && value !== null && 'at' in value && 'message' in value;
