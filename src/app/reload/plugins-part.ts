import type { Registrable } from '../../core/registry.ts';
import { loadPlugins } from '../../services/plugins/plugins.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Instance } from '../instance/instance.ts';
import { listPlugins } from '../plugins.ts';
import type { Part } from './change.ts';

/** The plugins of a service. */
export interface PluginsPart extends Part {
  /** Loads those of a configuration that are not loaded yet; answers their paths. Never throws: a broken plugin is its own problem. */
  load(config: LoadedConfig): Promise<readonly string[]>;
}

type Actions = ReadonlyMap<string, Registrable>;

/** Loads plugins that appear and forgets those that are gone. Code that was loaded once stays as it is until the next start. */
export const createPluginsPart = ({ registry, log }: Pick<Instance, 'registry' | 'log'>, project = process.cwd()): PluginsPart => {
  /** What each plugin offers, by its path. */
  const loaded = new Map<string, Actions>();
  /** Built-in actions that a plugin took the place of; what they were before is lost. */
  const replaced = new Set<string>();

  const load = async ({ config: { plugins } }: LoadedConfig): Promise<readonly string[]> => {
    const { replace, ...places } = plugins;
    const offered = new Map<string, Registrable>();
    const fresh = await loadPlugins({
      ...places,
      project,
      log,
      isSkipped: ({ path }) => loaded.has(path),
      register(name, what) {
        const isTaken = registry.about(name) !== undefined;
        registry.register(name, what, { replace: replace.includes(name) });
        if (isTaken) replaced.add(name);
        offered.set(name, what);
      },
    });
    const useful = fresh.filter(({ actions }) => actions.length > 0); // the others are tried again
    for (const { path, actions } of useful) loaded.set(path, new Map([...offered].filter(([name]) => actions.includes(name))));
    return useful.map(({ path }) => path);
  };

  const forget = (path: string): Actions => {
    const actions = loaded.get(path) ?? new Map();
    loaded.delete(path);
    for (const name of actions.keys()) if (!replaced.has(name)) registry.unregister(name);
    return actions;
  };

  return {
    load,
    prepare(next) {
      const gone = new Map<string, Actions>();
      let fresh: readonly string[] = [];
      return {
        async apply() {
          const found = new Set((await listPlugins({ ...next.config.plugins, project })).map(({ path }) => path));
          for (const path of [...loaded.keys()].filter((each) => !found.has(each))) {
            const actions = forget(path);
            gone.set(path, actions);
            const kept = [...actions.keys()].filter((name) => replaced.has(name));
            log('info', 'a plugin is gone', { plugin: path, actions: [...actions.keys()] });
            if (kept.length > 0) log('warn', 'built-in actions stay replaced until the next start', { plugin: path, actions: kept });
          }
          fresh = await load(next);
        },
        revert() {
          for (const path of fresh) forget(path);
          for (const [path, actions] of gone) {
            for (const [name, what] of actions) if (!replaced.has(name)) registry.register(name, what, { replace: true });
            loaded.set(path, actions);
          }
        },
      };
    },
  };
};
