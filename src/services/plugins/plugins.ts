import type { Log } from '../../core/ports.ts';
import { type FoundPlugin, findPlugins, type PluginPlaces } from './discover.ts';
import { type LoadedPlugin, loadPlugin, type Register, wordsOf } from './load-plugin.ts';

export interface PluginParts extends PluginPlaces {
  readonly register: Register;
  readonly log: Log;
  /** Passes a plugin over; none unless said. */
  isSkipped?(plugin: FoundPlugin): boolean;
}

/** Loads every plugin there is, one after the other, and says which. What is wrong with one is logged under its name. */
export const loadPlugins = async ({ register, log, isSkipped = () => false, ...places }: PluginParts): Promise<readonly LoadedPlugin[]> => {
  const loaded: LoadedPlugin[] = [];
  const found = await findPlugins(places, (plugin, fault) =>
    log('warn', `The plugin ${plugin} cannot be looked at.`, { plugin, reason: wordsOf(fault) }),
  );
  for (const each of found.filter((plugin) => !isSkipped(plugin))) {
    const plugin = await loadPlugin(each, register);
    const { package: name, version, path, actions, problems } = plugin;
    for (const reason of problems) log('warn', `The plugin ${name} has a problem.`, { plugin: name, reason });
    if (actions.length > 0 || problems.length === 0) log('info', `The plugin ${name} is loaded.`, { plugin: name, version, path, actions });
    loaded.push(plugin);
  }
  return loaded;
};
