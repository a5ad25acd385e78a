import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigException } from '../../core/errors.ts';
import { startsAtHome } from '../../core/starts-at-home.ts';
import { translate } from '../../lib/fs/faults.ts';
import type { Config } from './config.generated.ts';
import { DEFAULTS, PATHS, VARIABLES } from './derived.generated.ts';
import { type ConfigSearch, findConfigFile } from './find-file.ts';
import type { ConfigFile } from './read-toml.ts';
import { type ConfigTree, overlay, rewriteTexts } from './tree.ts';
import { readVariables, variablesIn } from './variables.ts';

/** A type whose every part may be left out. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> | undefined }
    : T;

/** Where to look, and what is stronger than the file. */
export interface SettingsOptions extends ConfigSearch {
  readonly flags?: DeepPartial<Config>;
}

/** A configuration as loaded, and what it was made of. */
export interface Settings {
  readonly config: Config;
  /** The file and what it holds, where there is one. */
  readonly path?: string;
  readonly text?: string;
  /** What was written, without defaults. */
  readonly written: ConfigTree;
}

const MAX_BYTES = 1024 * 1024;

/** Loads the configuration: flags before variables before the file before defaults. The schema is loaded only if anything is set. */
export const loadSettings = async ({ flags = {}, ...search }: SettingsOptions): Promise<Settings> => {
  const { env, cwd } = search;
  const file = readFile(findConfigFile(search));
  const variables = variablesIn(env, VARIABLES);
  if (file === undefined && variables.length === 0 && Object.keys(flags).length === 0) return { config: DEFAULTS, written: {} };
  const [{ readConfig }, { readToml }] = await Promise.all([import('./read.ts'), import('./read-toml.ts')]);
  const fromFile = file === undefined ? {} : anchored(readToml(file), dirname(file.path));
  const written = overlay(fromFile, anchored(overlay(readVariables(env, variables), flags), cwd));
  const config = readConfig(written, { flags, variables, file });
  return { config, written, ...file };
};

/** Paths count from where they are written: the directory of the file, or the working directory. */
const anchored = (tree: ConfigTree, base: string): ConfigTree =>
  rewriteTexts(tree, PATHS, (path) => (path === '' || startsAtHome(path) ? path : resolve(base, path)));

const readFile = (path: string | undefined): ConfigFile | undefined => {
  if (path === undefined) return undefined;
  try {
    if (statSync(path).size > MAX_BYTES) throw new ConfigException(`${path} is larger than a configuration can be; name another file.`);
    return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)) };
  } catch (fault) {
    if (fault instanceof ConfigException) throw fault;
    const said = fault instanceof TypeError ? `${path} is not UTF-8; save it in that encoding.` : translate(fault, { path }).message;
    throw new ConfigException(`The configuration cannot be read: ${said}`, { cause: fault, context: { path } });
  }
};
