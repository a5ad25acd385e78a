import type { StepsPlace } from '../../core/effects.ts';
import type { Registry } from '../../core/registry.ts';
import type { Command, Written } from '../run.ts';
import { readCommand } from './read-command.ts';

/** Called with the name of a command; the same name several times in a row may be told once. */
type Visit = (name: string) => void;

/** All commands, or only those that run: not what is merely checked. */
type Which = 'all' | 'that run';

/**
 * Visits the name of every command at every depth, following the arguments that hold steps and nothing else:
 * the same text in a data argument is data. Lists that exist only after substitution are met when they run.
 */
export const visitNames = (commands: readonly Command[], registry: Registry, visit: Visit, which: Which = 'all'): void => {
  let last: string | undefined;
  const nested: Command[] = [];
  const look = ({ name, given }: Command) => {
    if (name === null) return;
    if (name !== last) {
      visit(name);
      last = name;
    }
    if (given !== undefined) gatherNested(name, given, { registry, which }, nested);
  };
  for (const command of commands) look(command);
  for (let command = nested.pop(); command !== undefined; command = nested.pop()) look(command);
};

/** Visits the commands themselves in the same way; on its own, because every list pays for the visit of its names. */
export const visitCommands = (
  commands: readonly Command[],
  registry: Registry,
  visit: (command: Command) => void,
  which: Which = 'all',
): void => {
  const waiting = [...commands];
  for (let command = waiting.pop(); command !== undefined; command = waiting.pop()) {
    visit(command);
    const { name, given } = command;
    if (name !== null && given !== undefined) gatherNested(name, given, { registry, which }, waiting);
  }
};

interface Gathering {
  readonly registry: Registry;
  readonly which: Which;
}

const gatherNested = (name: string, given: Exclude<Written, undefined>, { registry, which }: Gathering, into: Command[]) => {
  const places = registry.about(name)?.steps;
  if (places === undefined || places.length === 0) return;
  for (const place of places) {
    if (place.areChecked && which === 'that run') continue;
    const value = givenAt(given, place);
    if (place.form === 'name') {
      // Lists may hide among the arguments of the action that is named.
      const own = place.given === undefined ? undefined : givenAt(given, place.given);
      if (typeof value === 'string') into.push(readCommand(typeof own === 'object' && own !== null ? [value, own] : [value], 0));
    } else {
      // One by one: a list may be longer than a call has room for arguments.
      for (const command of commandsOf(value)) into.push(command);
    }
  }
};

/** What a command was given for a place of nested commands, by position or by name. */
export const givenAt = (given: Written, { key, at }: Pick<StepsPlace, 'key' | 'at'>): unknown => {
  if (given === undefined) return undefined;
  if (Array.isArray(given)) return given[at];
  return Object.hasOwn(given, key) ? (given as { readonly [key: string]: unknown })[key] : undefined; // an object: Array.isArray does not narrow readonly lists
};

/** The arguments of a command that are its own: nested lists are left out, for their references are read when they run. */
export const withoutNested = ({ name, given }: Command, registry: Registry): unknown => {
  const lists = (registry.about(name ?? '')?.steps ?? []).filter((place) => typeof givenAt(given, place) === 'object');
  if (given === undefined || lists.length === 0) return given;
  return Object.entries(given).flatMap(([key, value]) =>
    lists.some((place) => key === (Array.isArray(given) ? String(place.at) : place.key)) ? [] : [value],
  );
};

/** The commands of a nested list in any of its forms, without judging the form: that is for the list's own turn. */
export const commandsOf = (list: unknown): readonly Command[] => {
  if (Array.isArray(list)) return commandsIn(list);
  if (typeof list !== 'object' || list === null) return [];
  const body = list as { readonly [key: string]: unknown };
  return ['actions', 'auto_control', 'nodes'].flatMap((key) =>
    Object.hasOwn(body, key) && Array.isArray(body[key]) ? commandsIn(body[key]) : [],
  );
};

/** Holes are malformed commands, as they are when the list runs; `map` would pass over them. */
const commandsIn = (items: readonly unknown[]): readonly Command[] =>
  Array.from(items, (item, index) => readCommand(isNode(item) ? item.action : item, index));

const isNode = (item: unknown): item is { readonly action: unknown } =>
  typeof item === 'object' && item !== null && !Array.isArray(item) && Object.hasOwn(item, 'action');
