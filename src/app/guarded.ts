import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Guarded } from '../access/guard-files.ts';
import { stateDirectory } from '../services/engine/state-directory.ts';
import type { LoadedConfig } from './load-config.ts';

const CONFIG_NAME = 'factotum.toml';

/**
 * What of the house callers with limits leave alone. Whoever could write the configuration, the certificate or the code of a plugin would
 * grant itself what it likes from the next start on; whoever could read the store or the secrets would know what others did and can do.
 */
export const guardedOf = (
  { config, path, secretFiles }: Pick<LoadedConfig, 'config' | 'path' | 'secretFiles'>,
  { cwd, roots = [] }: { readonly cwd: string; readonly roots?: readonly string[] },
): Guarded => {
  const { http, plugins, store } = config;
  return {
    fixed: [
      ...given(path, http.tls_cert, http.tls_key),
      ...[cwd, ...roots].map((directory) => join(directory, CONFIG_NAME)), // found at the next start
      ...plugins.paths,
      ...(plugins.discover ? [join(cwd, 'node_modules')] : []),
    ],
    shut: [...statePlaces(store.path), ...secretFiles()],
  };
};

/** Where state lies: that of this user, and that of a store somewhere else. */
export const statePlaces = (storeFile: string | undefined): readonly string[] => [
  stateDirectory(process.env, homedir()),
  ...given(storeFile).map(dirname),
];

const given = (...paths: readonly (string | undefined)[]): readonly string[] => paths.filter((path) => path !== undefined);
