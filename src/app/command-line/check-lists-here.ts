import type { ConfigException } from '../../core/errors.ts';
import { checkLists } from '../config/check-lists.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { type InstanceHereOptions, openInstanceHere } from './instance-here.ts';

/** Checks the lists of schedules and watchers with the actions that a service started here would have, those of plugins included. */
export const checkListsHere = async (
  loaded: LoadedConfig,
  options: Pick<InstanceHereOptions, 'env' | 'warn'>,
): Promise<ConfigException | undefined> => {
  if (loaded.config.schedules.length + loaded.config.watchers.length === 0) return undefined;
  const { factotum, owner } = await openInstanceHere({ ...options, loaded, log: { level: 'silent' } });
  try {
    return await checkLists(loaded, { ...factotum, caller: owner, cwd: process.cwd() });
  } finally {
    await factotum.close();
  }
};
