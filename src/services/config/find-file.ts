import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

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
  const user = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return [join(cwd, NAME), join(user, 'factotum', NAME)].find((file) => existsSync(file));
};
