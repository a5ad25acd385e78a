import type { Caller } from '../../access/caller.ts';
import { StorageException } from '../../core/errors.ts';
import type { Foresight } from '../../core/planning.ts';
import type { Storage, StoragePlace } from '../../core/storage.ts';
import { type Location, parseLocation } from '../../lib/location/location.ts';
import type { StorageUse } from '../../pipeline/run.ts';
import { localPath, openLocal } from '../../storage/backends/local.ts';
import { createMemory, type Memory, openMemory } from '../../storage/backends/memory.ts';
import { guarded } from '../../storage/guarded.ts';
import { withLayers } from '../../storage/layers/layers.ts';
import { type PlannedItems, planStorage } from '../../storage/planned.ts';
import type { NetworkSettings } from '../factotum.ts';

/** Opens the storage behind a location for one command of one caller. */
export type StorageOpener = (written: string, use: StorageUse) => Promise<StoragePlace>;

/** `settings` is asked each time: they may change while the instance runs. */
export const createStorageOpener = (settings: () => NetworkSettings): StorageOpener => {
  const memories = new Map<string, Memory>();
  const plans = new WeakMap<Foresight, PlannedItems>();

  /** What one caller keeps in the memory of this process nobody else sees. */
  const memoryOf = ({ name }: Caller): Memory => {
    const memory = memories.get(name) ?? createMemory();
    memories.set(name, memory);
    return memory;
  };

  /** What may happen or not begins with what is planned by then, and adds nothing to it. */
  const plannedIn = (foresight: Foresight): PlannedItems => {
    const items = plans.get(foresight) ?? new Map(foresight.forkedFrom && plannedIn(foresight.forkedFrom));
    plans.set(foresight, items);
    return items;
  };

  /** Of a URL everything behind the scheme is the path; hosts are judged by the caller's rights when they are asked. */
  const openSource = async (scheme: 'http' | 'https', { caller }: StorageUse): Promise<Storage> => {
    const [{ openHttp }, { createNetwork }] = await Promise.all([
      import('../../storage/backends/http/http.ts'),
      import('../../lib/net/network.ts'),
    ]);
    const { privateHosts = [], lookup, dial, ca } = settings();
    const network = createNetwork({ ...(lookup && { lookup }), ...(dial && { dial }) });
    const world = { location: `${scheme}:/`, network, rules: { privateHosts }, clock: { now: Date.now } };
    return openHttp({ demandHost: caller.policy?.demandHost, ca }, world);
  };

  const openBackend = async ({ scheme }: Location, use: StorageUse, written: string): Promise<Storage> => {
    if (scheme === 'mem') return openMemory({ memory: memoryOf(use.caller) });
    if (scheme === 'http' || scheme === 'https') return openSource(scheme, use);
    throw new StorageException(`No backend of this version reaches ${scheme}://; use a local path or mem://.`, {
      context: { code: 'unsupported', location: written },
    });
  };

  return async (written, use) => {
    const location = parseLocation(written);
    const { isDirectory } = location;
    const { caller, budget, foresight, files } = use;
    // The file port of the run knows rules, budget and plan by itself.
    if (location.scheme === 'local')
      return { storage: openLocal(files, { isPlan: foresight !== undefined }), path: localPath(location.path, files), isDirectory };
    const isUrl = location.scheme === 'http' || location.scheme === 'https';
    const opened = await openBackend(location, use, written);
    // What may be done with a URL is a matter of hosts.
    const backend = isUrl ? opened : guarded(opened, { budget, demand: caller.policy?.demandLocation });
    const storage = foresight === undefined ? withLayers(backend, {}) : planStorage(backend, { foresight, items: plannedIn(foresight) });
    return { storage, path: isUrl ? location.path.slice(location.scheme.length + '://'.length) : location.path, isDirectory };
  };
};
