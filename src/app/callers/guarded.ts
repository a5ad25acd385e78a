import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Guarded } from '../../access/guard-files.ts';
import { homeDirectory } from '../../lib/fs/home-directory.ts';
import { stateDirectory } from '../../lib/fs/state-directory.ts';
import { installedAt } from '../../services/plugins/discover.ts';
import { pluginCode } from '../../services/plugins/plugin-code.ts';
import type { Config, LoadedConfig } from '../config/load-config.ts';

/**
 * What of the house callers with limits leave alone. Whoever could write the configuration, the certificate or code of the next start
 * would grant itself what it likes; whoever could read the store or the secrets would know what others did and can do.
 */
export const guardedOf = (
  { config, path, secretFiles }: Pick<LoadedConfig, 'config' | 'path' | 'secretFiles'>,
  { cwd, roots = [] }: { readonly cwd: string; readonly roots?: readonly string[] },
): Guarded => {
  const { http, plugins, store } = config;
  const { fixed, shut } = houseFiles({ cwd, plugins, storeFile: store.path });
  const trust = trustOf(config);
  const foundNext = [cwd, ...roots].map((directory) => join(directory, 'factotum.toml'));
  return {
    fixed: [...fixed, ...foundNext, ...given(path, http.tls_cert), ...trust.fixed],
    shut: [...shut, ...secretFiles(), ...given(http.tls_key), ...trust.shut],
  };
};

/** What is guarded whatever is configured: the code that runs here, that of plugins, and the state. */
export const houseFiles = ({
  cwd,
  plugins = {},
  storeFile,
}: {
  readonly cwd: string;
  readonly plugins?: Partial<Config['plugins']>;
  readonly storeFile?: string | undefined;
}): Required<Guarded> => {
  const { discover = true, paths = [] } = plugins;
  return {
    fixed: [OWN_CODE, ...installedAt(OWN_CODE, ''), ...pluginCode({ project: cwd, discover, paths })],
    shut: [stateDirectory(process.env, homeDirectory()), ...given(storeFile).map(dirname)],
  };
};

/** Of the built command all of it, with the compiled code that it keeps. */
const OWN_CODE = dirname(fileURLToPath(import.meta.url));

/** Files that say whom connections and sinks trust, and those they log in with. */
const trustOf = ({ connections, notify }: Config): Required<Guarded> => {
  const tables: readonly Readonly<Record<string, unknown>>[] = [...Object.values(connections), ...notify.sinks];
  const filesAt = (...keys: readonly string[]) =>
    tables.flatMap((table) => keys.map((key) => table[key])).filter((file) => typeof file === 'string');
  return { fixed: filesAt('known_hosts', 'ca_file'), shut: filesAt('key_filename', 'token_path', 'credentials_path') };
};

const given = (...paths: readonly (string | undefined)[]): readonly string[] => paths.filter((path) => path !== undefined);
