import type { HouseParts } from '../../pipeline/gateway.ts';
import type { NetworkSettings } from '../factotum.ts';
import type { StorageOpener } from './open-storage.ts';

/** The storages of one instance; their code is loaded when a location is first used. */
export const createLateStorages = (settings: () => NetworkSettings): NonNullable<HouseParts['openStorage']> => {
  let opening: Promise<StorageOpener> | undefined;
  const load = async (): Promise<StorageOpener> => (await import('./open-storage.ts')).createStorageOpener(settings);
  return async (location, use) => {
    opening ??= load();
    return (await opening)(location, use);
  };
};
