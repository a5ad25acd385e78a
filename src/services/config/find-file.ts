import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { homeDirectory } from '../../lib/fs/home-directory.ts';

/** Where a configuration is looked for. */
export interface ConfigSearch {
  /** The file that `--config` names. */
  readonly path?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

const NAME = 'factotum.toml';

/** The configuration file that counts, or undefined; one that was named counts even if nothing is there. */
export const findConfigFile = ({ path, env, cwd }: ConfigSearch): string | undefined => {
  const named = path ?? (env.FACTOTUM_CONFIG || undefined);
  if (named !== undefined) return resolve(cwd, named);
  return [join(cwd, NAME), join(configDirectory(env), NAME)].find((file) => existsSync(file));
};

/** Where the configuration of this user lies; a relative `XDG_CONFIG_HOME` is to be ignored. */
export const configDirectory = ({ XDG_CONFIG_HOME: wanted = '', HOME: home = '' }: ConfigSearch['env']): string =>
  join(isAbsolute(wanted) ? wanted : join(isAbsolute(home) ? home : homeDirectory(), '.config'), 'factotum');
