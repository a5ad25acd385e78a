import type { Log } from '../core/ports.ts';
import type { Registrable, Registry } from '../core/registry.ts';
import { demandKnownKeys, type KnownKeys } from '../lib/text/known-keys.ts';
import { type FoundPlugin, findPlugins } from '../services/plugins/discover.ts';
import type { LoadedPlugin, Register } from '../services/plugins/load-plugin.ts';
import { loadPackage } from '../services/plugins/package-loader.ts';
import { loadPlugins } from '../services/plugins/plugins.ts';
import { sharedFactotum } from './shared-factotum.ts';

export type { FoundPlugin, LoadedPlugin };

/** Which plugins are loaded, in the words of `[plugins]`. */
export interface PluginOptions {
  /** The working project; by default the working directory. */
  readonly project?: string;
  /** Look among the direct dependencies of the project; true unless said. */
  readonly discover?: boolean;
  /** Directories that are packages or hold some. */
  readonly paths?: readonly string[];
  /** Names that exist already and that a plugin may take. */
  readonly replace?: readonly string[];
}

/** Loads plugins into an instance and tells what came of each; never throws. */
export const loadPluginsInto = (
  { registry, log }: { readonly registry: Registry; readonly log: Log },
  { replace = [], ...places }: PluginOptions = {},
): Promise<readonly LoadedPlugin[]> =>
  loadPlugins({ ...placesOf(places), log, register: (name, what) => registry.register(name, what, { replace: replace.includes(name) }) });

/** The plugins there are; none of their code is run. */
export const listPlugins = (options: Omit<PluginOptions, 'replace'> = {}): Promise<readonly FoundPlugin[]> =>
  findPlugins(placesOf(options), () => {});

/** Loads plugins into the shared instance. */
export const loadEntryPointPlugins = async (options: PluginOptions = {}): Promise<readonly LoadedPlugin[]> => {
  demandKnownKeys(options, OPTIONS, 'loadEntryPointPlugins');
  return loadPluginsInto(sharedFactotum(), options);
};

const OPTIONS: KnownKeys<PluginOptions> = { project: true, discover: true, paths: true, replace: true };

/** Hands the actions of every plugin to a function of the program, or to the shared instance; answers how many were taken. */
export const handOverPlugins = async (
  take: (mapping: Readonly<Record<string, Registrable>>) => void = (mapping) => sharedFactotum().registry.registerMany(mapping),
): Promise<number> => {
  const loaded = await loadPlugins({ ...placesOf({}), log: sharedFactotum().log, register: (name, what) => take({ [name]: what }) });
  return loaded.reduce((sum, { actions }) => sum + actions.length, 0);
};

/**
 * Registers the functions of an installed package as `<package>_<member>` in the shared instance; answers how many, 0 where it cannot
 * be imported. No list and no server reaches this: it runs code that is only named.
 */
export const addPackageToExecutor = (name: string, project = process.cwd()): Promise<number> => {
  const { registry, log } = sharedFactotum();
  return loadPackage(name, { project, log, register: registerAgain(registry) });
};

/** What a program registered may be replaced, a built-in action not. */
const registerAgain =
  (registry: Registry): Register =>
  (name, what) =>
    registry.register(name, what, { replace: registry.about(name)?.family === 'registered' });

const placesOf = ({ project = process.cwd(), discover = true, paths = [] }: Omit<PluginOptions, 'replace'>) => ({
  project,
  discover,
  paths,
});
