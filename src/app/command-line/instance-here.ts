import { type Caller, OWNER } from '../../access/caller.ts';
import type { Log } from '../../core/ports.ts';
import { mayHavePlugins } from '../../services/plugins/glance.ts';
import type { Config, LoadedConfig } from '../config/load-config.ts';
import { createInstance } from '../create.ts';
import type { Instance, InstanceOptions, StateOptions } from '../instance/instance.ts';

export interface InstanceHereOptions extends Pick<InstanceOptions, 'log' | 'journalOf' | 'settleRun'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Left out: there is none, or none that matters. */
  readonly loaded: LoadedConfig | undefined;
  /** Told of plugins that are broken. */
  warn(message: string): void;
}

/** An instance of the command line. */
export interface InstanceHere {
  readonly factotum: Instance;
  /** The user at the keyboard, with the limits that `[policy]` sets the owner. */
  readonly owner: Caller;
}

/** Makes an instance in the working directory, as the configuration wants it, with the plugins of the project. */
export const openInstanceHere = async ({ env, loaded, warn, ...options }: InstanceHereOptions): Promise<InstanceHere> => {
  const made = await makeInstance(loaded, { ...options, state: stateOf(loaded, env) });
  await loadPluginsOf(loaded?.config.plugins, made.factotum, warn);
  return made;
};

/** What few directories have is not loaded elsewhere. */
const makeInstance = async (loaded: LoadedConfig | undefined, options: InstanceOptions): Promise<InstanceHere> => {
  if (loaded === undefined) return { factotum: createInstance(options), owner: OWNER };
  const { createConfigured, localOwnerOf } = await import('../configured.ts');
  return { factotum: createConfigured(loaded, options), owner: localOwnerOf(loaded) };
};

/** What is queued, scheduled or watched here is stored for the service, which does it; people are told by the sinks that it has. */
const stateOf = (loaded: LoadedConfig | undefined, env: InstanceHereOptions['env']): StateOptions => ({
  open: async () => (await import('../state/user-store.ts')).openUserStore(loaded?.config.store ?? {}, env),
  isServing: false,
  keepsHistory: false,
  ...(loaded && {
    sinks: loaded.config.notify.sinks,
    resolveSecret: loaded.resolve,
    dedupMs: loaded.config.defaults.dedup_seconds * 1000,
  }),
});

const loadPluginsOf = async (
  plugins: Config['plugins'] | undefined,
  { registry }: Instance,
  warn: (message: string) => void,
): Promise<void> => {
  const project = process.cwd();
  const { discover = true, paths = [] } = plugins ?? {};
  if (paths.length === 0 && !(discover && mayHavePlugins(project))) return;
  const log: Log = (level, message, fields) => level === 'warn' && warn(`${message} ${String(fields?.reason ?? '')}`.trimEnd());
  await (await import('../plugins.ts')).loadPluginsInto({ registry, log }, { project, ...plugins });
};
