import { ConfigException, type Json } from '../../core/errors.ts';
import { locate, visible } from '../../lib/json/locate.ts';
import type { Config } from './config.generated.ts';
import { explain, type Fault } from './explain.ts';
import { findKeys, type KeyPlaces, placeOf } from './key-places.ts';
import { parseConfig } from './parse.ts';
import { type ConfigFile, excerptAt } from './read-toml.ts';
import { type ConfigTree, keyName, valueAt } from './tree.ts';
import type { Variable } from './variables.ts';

/** Where the values of a configuration come from, the strongest first. */
export interface Origins {
  readonly flags: ConfigTree;
  readonly variables: readonly Variable[];
  readonly file: ConfigFile | undefined;
}

/** A fault with the place where it has to be mended. */
export interface PlacedFault extends Fault {
  /** `factotum.toml:3:1`, the name of a variable, or the command line. */
  readonly place: string;
  /** In the text of the file. */
  readonly offset?: number | undefined;
}

/** Checks the whole tree; throws a `ConfigException` that names every fault and shows the first. */
export const readConfig = (tree: ConfigTree, origins: Origins): Config => {
  const { config, issues } = parseConfig(tree);
  if (config !== undefined) return config;
  throw refusal(placeFaults(explain(issues, tree), origins), origins.file);
};

/** Where faults have to be mended, in the order of the file. */
export const placeFaults = (faults: readonly Fault[], origins: Origins): PlacedFault[] => {
  const places = findKeys(origins.file?.text ?? '');
  return faults.map((fault) => placed(fault, places, origins)).sort((a, b) => (a.offset ?? -1) - (b.offset ?? -1));
};

const placed = (fault: Fault, places: KeyPlaces, { flags, variables, file }: Origins): PlacedFault => {
  const [section, key] = fault.path;
  if (valueAt(flags, fault.path) !== undefined) return { ...fault, place: 'command line' };
  const variable = variables.find((each) => each.section === section && each.key === key);
  if (variable !== undefined) return { ...fault, place: variable.name };
  if (file === undefined) return { ...fault, place: 'configuration' };
  const offset = placeOf(places, fault.path);
  if (offset === undefined) return { ...fault, place: visible(file.path) };
  const { line, column } = locate(file.text, offset);
  return { ...fault, offset, place: `${visible(file.path)}:${line}:${column}` };
};

/** The error that names every fault and shows the first. */
export const refusal = (faults: readonly PlacedFault[], file: ConfigFile | undefined): ConfigException => {
  const [first] = faults;
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more; \`factotum config check\` shows all)`;
  return new ConfigException(`${first?.place}: ${visible(first?.words ?? '')}${more}`, {
    context: {
      key: keyName(first?.path ?? []),
      ...(file !== undefined && { path: file.path, ...placeIn(file.text, first?.offset) }),
      faults: faults.map(({ path, place, words }) => ({ key: keyName(path), place, message: visible(words) })),
    },
  });
};

const placeIn = (text: string, offset: number | undefined): { readonly [key: string]: Json } => {
  if (offset === undefined) return {};
  const { line, column } = locate(text, offset);
  return { line, column, excerpt: { ...excerptAt(text, offset) } };
};
