import { dirname } from 'node:path';
import type { Instance } from '../instance/instance.ts';
import { listDefaultsOf, networkSettingsOf } from './list-defaults.ts';
import { type LoadedConfig, loadConfig } from './load-config.ts';

export interface ApplyParts extends Pick<Instance, 'adjust' | 'state'> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Makes the sinks, defaults and private hosts of a file those of an instance; answers how many sinks there are. Nothing changes unless all of it can. */
export const applyConfig = async (path: string, { adjust, state, env }: ApplyParts): Promise<number> => {
  const loaded = await loadToApply(path, env);
  const { notify, defaults } = loaded.config;
  (await state()).notifier.configure(notify.sinks, { dedupMs: defaults.dedup_seconds * 1000, resolveSecret: loaded.resolve });
  const connections = { tables: loaded.config.connections, resolve: loaded.resolve };
  adjust({ defaults: listDefaultsOf(loaded.config), guards: defaults.actions, outbound: networkSettingsOf(loaded.config), connections });
  return notify.sinks.length;
};

/** Refuses a file that cannot be applied; for plans, which change nothing. */
export const checkConfig = async (path: string, { env }: Pick<ApplyParts, 'env'>): Promise<void> => void (await loadToApply(path, env));

const loadToApply = async (path: string, env: ApplyParts['env']): Promise<LoadedConfig> => {
  const loaded = await loadConfig({ path, env, cwd: dirname(path) });
  await loaded.resolveSection('notify');
  return loaded;
};
