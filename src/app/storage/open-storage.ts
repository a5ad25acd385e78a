import type { Caller } from '../../access/caller.ts';
import { StorageException } from '../../core/errors.ts';
import type { Foresight } from '../../core/planning.ts';
import type { ConnectionGiven, ConnectionType, OwnConnections } from '../../core/ports/connections.ts';
import { OWNER_NAME } from '../../core/reach.ts';
import type { Storage, StoragePlace } from '../../core/storage.ts';
import { systemTimer } from '../../lib/async/timer.ts';
import { type Location, parseLocation } from '../../lib/location/location.ts';
import { bareHost } from '../../lib/net/judge-url.ts';
import { createNetwork, type Network } from '../../lib/net/network.ts';
import type { StorageUse } from '../../pipeline/run.ts';
import { localPath, openLocal } from '../../storage/backends/local.ts';
import { createMemory, type Memory, openMemory } from '../../storage/backends/memory.ts';
import { guarded } from '../../storage/guarded.ts';
import { withLayers } from '../../storage/layers/layers.ts';
import { type PlannedItems, planStorage } from '../../storage/planned.ts';
import { BACKENDS } from './backend-table.ts';
import { createConfiguredConnections } from './configured-connections.ts';
import { unknownConnection } from './connection-settings.ts';
import { createOwnConnections, demandPublic } from './own-connections.ts';
import { secretsIn } from './secrets-in.ts';
import type { StorageParts } from './storage-parts.ts';

/** The storages of one instance. */
export interface Storages {
  /** Opens the storage behind a location for one command of one caller. */
  open(written: string, use: StorageUse): Promise<StoragePlace>;
  /** One of `[connections]`, with nothing around it but what every backend has. */
  connection(name: string, caller: Caller): Promise<Storage>;
  /** What the caller has opened for itself. */
  own(use: StorageUse): OwnConnections;
  close(): Promise<void>;
}

export const createStorages = (parts: StorageParts): Storages => {
  const { clock, env, connections: settings, metrics, learn, outbound, setTimer = systemTimer } = parts;
  const memories = new Map<string, Memory>();
  const plans = new WeakMap<Foresight, Map<string, PlannedItems>>();

  /** What one caller keeps in the memory of this process nobody else sees. */
  const memoryOf = ({ name }: Caller): Memory => {
    const memory = memories.get(name) ?? createMemory();
    memories.set(name, memory);
    return memory;
  };

  /** What may happen or not begins with what is planned by then, and adds nothing to it. */
  const plannedIn = (foresight: Foresight, location: string): PlannedItems => {
    const ofPlan = plans.get(foresight) ?? new Map<string, PlannedItems>();
    plans.set(foresight, ofPlan);
    const items = ofPlan.get(location) ?? new Map(foresight.forkedFrom && plannedIn(foresight.forkedFrom, location));
    ofPlan.set(location, items);
    return items;
  };

  const networkHere = (): Network => {
    const { lookup, dial } = outbound();
    return createNetwork({ ...(lookup && { lookup }), ...(dial && { dial }) });
  };

  /** Of a URL everything behind the scheme is the path; hosts are judged by the caller's rights when they are asked. */
  const openSource = async (scheme: 'http' | 'https', { caller }: StorageUse): Promise<Storage> => {
    const { openHttp } = await import('../../storage/backends/http/http.ts');
    const { privateHosts = [], ca } = outbound();
    const world = { location: `${scheme}:/`, network: networkHere(), rules: { privateHosts }, clock };
    return openHttp({ demandHost: caller.policy?.demandHost, ca }, world);
  };

  interface Opening {
    readonly location: string;
    readonly network: Network;
    readonly allowPrivate: boolean;
    readonly isOwners: boolean;
  }

  const openBackend = async (type: ConnectionType, given: ConnectionGiven, opening: Opening): Promise<Storage> => {
    const { backends = BACKENDS } = settings() ?? {};
    const open = backends[type];
    if (open === undefined) throw noBackend(type, opening.location);
    for (const secret of secretsIn(given)) learn(secret);
    const { allowPrivate, ...rest } = opening;
    const { privateHosts = [] } = outbound();
    return open(given, { ...rest, env, clock, rules: { allowPrivate, privateHosts } });
  };

  const configured = createConfiguredConnections({
    settings,
    setTimer,
    // The owner wrote them: they may lie in private networks.
    open: (type, given, location) => openBackend(type, given, { location, network: networkHere(), allowPrivate: true, isOwners: true }),
  });

  const ofCallers = createOwnConnections({
    setTimer,
    async open(type, given, { name, policy }) {
      const isOwners = name === OWNER_NAME;
      demandPublic(given, isOwners);
      return openBackend(type, given, {
        location: `${type}:/`,
        network: policy === undefined ? networkHere() : judged(networkHere(), policy.demandHost),
        allowPrivate: given.allow_private_hosts === true,
        isOwners,
      });
    },
  });

  /** What a caller has opened comes before what is configured for everybody. */
  const find = (location: Location, use: StorageUse): Promise<Storage> => {
    const { scheme, connection } = location;
    if (scheme === 'mem') {
      const { policy } = use.caller;
      return Promise.resolve(openMemory({ memory: memoryOf(use.caller), ...(policy !== undefined && { maxBytes: LIMITED_MEMORY_BYTES }) }));
    }
    if (scheme === 'http' || scheme === 'https') return openSource(scheme, use);
    const own = connection === undefined ? ofCallers.find(scheme, use) : undefined;
    return own ?? configured.find(location, use.caller) ?? Promise.reject(noConnection(location, use));
  };

  const meterOf = async (scheme: string) => {
    const { meters } = await metrics();
    return (direction: 'upload' | 'download', bytes: number): void => meters.transferred(scheme, direction, bytes);
  };

  return {
    async open(written, use) {
      const location = parseLocation(written);
      const { scheme, isDirectory } = location;
      const isUrl = scheme === 'http' || scheme === 'https';
      const path = isUrl ? location.path.slice(`${scheme}://`.length) : location.path;
      const { caller, budget, foresight, files } = use;
      const changing = foresight === undefined ? use.changing : undefined; // a plan tells of what it has planned
      // The file port of the run knows rules, budget and plan by itself.
      if (scheme === 'local')
        return { storage: openLocal(files, { isPlan: foresight !== undefined }), path: localPath(path, files), isDirectory };
      const opened = await find(location, use);
      // What may be done with a URL is a matter of hosts.
      const backend = isUrl ? opened : guarded(opened, { budget, demand: caller.policy?.demandLocation, changing });
      if (foresight !== undefined)
        return { storage: planStorage(backend, { foresight, items: plannedIn(foresight, backend.location) }), path, isDirectory };
      const tellers = scheme === 'mem' ? [] : [await meterOf(scheme)];
      return { storage: withLayers(backend, { tellers }), path, isDirectory };
    },
    async connection(name, caller) {
      const { tables = {} } = settings() ?? {};
      const scheme = (Object.hasOwn(tables, name) ? tables[name] : undefined)?.type;
      if (scheme === undefined) throw unknownConnection(name, tables);
      const found = configured.find({ scheme, connection: name, path: '', isDirectory: true }, caller);
      return withLayers(await (found ?? Promise.reject(unknownConnection(name, tables))), {});
    },
    own: ofCallers.of,
    async close() {
      await ofCallers.close();
      await configured.close();
    },
  };
};

/** The network as a caller may use it: every machine is judged, also those that a service sends it on to. */
const judged = (network: Network, demandHost: (host: string) => void): Network => ({
  ...network,
  async connect(host, port, options) {
    demandHost(bareHost(host));
    return network.connect(host, port, options);
  },
});

/** What a caller with limits may keep in the memory of this process. */
const LIMITED_MEMORY_BYTES = 64 * 1024 * 1024;

/** What a connection can be opened to, by a caller or in the configuration. */
const CONNECTABLE: Readonly<Record<ConnectionType, true>> = { s3: true, azure: true, sftp: true, ftp: true, webdav: true, smb: true };
const isConnectable = (scheme: string): scheme is ConnectionType => Object.hasOwn(CONNECTABLE, scheme);

const noBackend = (scheme: string, location: string): StorageException =>
  new StorageException(`No backend of this version reaches ${scheme}://; use a local path or mem://.`, {
    context: { code: 'unsupported', location },
  });

const noConnection = ({ scheme, path }: Location, { isKept }: StorageUse): StorageException => {
  if (!isConnectable(scheme)) return noBackend(scheme, `${scheme}://${path}`);
  const ways = `write [connections.${scheme}], or name a connection: ${scheme}+NAME://`;
  const remedy = isKept ? `; ${ways}.` : `; open it with the later_init action of ${scheme}, ${ways}.`;
  return new StorageException(`There is no connection for ${scheme}://${remedy}`, { context: { code: 'unreachable', scheme } });
};
