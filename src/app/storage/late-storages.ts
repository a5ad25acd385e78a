import { parseLocation, WITHOUT_CONNECTION } from '../../lib/location/location.ts';
import type { HouseParts } from '../../pipeline/gateway.ts';
import type { Storages } from './open-storage.ts';
import type { StorageParts } from './storage-parts.ts';

/** What of storages an instance shows its commands. */
export interface LateStorages extends Required<Pick<HouseParts, 'openStorage' | 'ownConnections' | 'isLasting'>> {
  close(): Promise<void>;
}

/** The storages of one instance; their code is loaded when a location is first used. */
export const createLateStorages = (parts: StorageParts): LateStorages => {
  let opening: Promise<Storages> | undefined;
  const load = async (): Promise<Storages> => (await import('./open-storage.ts')).createStorages(parts);
  const storages = (): Promise<Storages> => {
    opening ??= load();
    return opening;
  };
  return {
    openStorage: async (location, use) => (await storages()).open(location, use),
    ownConnections: (use) => ({
      open: async (type, given) => (await storages()).own(use).open(type, given),
      close: async (type) => (await storages()).own(use).close(type),
    }),
    isLasting(written) {
      const { scheme, connection } = parseLocation(written);
      if (connection !== undefined || WITHOUT_CONNECTION.has(scheme)) return true;
      return parts.connections()?.tables[scheme]?.type === scheme;
    },
    async close() {
      await (await opening)?.close();
    },
  };
};
