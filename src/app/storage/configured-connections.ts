import type { Caller } from '../../access/caller.ts';
import { StorageException } from '../../core/errors.ts';
import type { ConnectionGiven, ConnectionType } from '../../core/ports/connections.ts';
import type { Storage } from '../../core/storage.ts';
import type { Location } from '../../lib/location/location.ts';
import { type Connection, createConnection } from './connection.ts';
import { type ConnectionSettings, givenBy, unknownConnection } from './connection-settings.ts';

/** One of `[connections]` that is in use. */
interface Known {
  /** The configuration that it was last compared with, and what that gave. */
  settings: ConnectionSettings;
  readonly type: string;
  readonly given: string;
  readonly connection: Connection;
}

export interface ConfiguredOptions {
  settings(): ConnectionSettings | undefined;
  open(type: ConnectionType, given: ConnectionGiven, location: string): Promise<Storage>;
  readonly setTimer: Parameters<typeof createConnection>[0]['setTimer'];
}

/** The connections of the configuration: each is opened once, whoever uses it. */
export interface ConfiguredConnections {
  /** Undefined where the location names none and none is the default of its scheme. */
  find(location: Location, caller: Caller): Promise<Storage> | undefined;
  close(): Promise<void>;
}

const IDLE_MS = 10 * 60_000;

export const createConfiguredConnections = ({ settings: current, open, setTimer }: ConfiguredOptions): ConfiguredConnections => {
  /** By how the top of the location is written: the default has two names, and errors show the one that was used. */
  const known = new Map<string, Promise<Known>>();

  /** Those that others have taken the place of, as long as somebody may use them. */
  const retired = new Set<Connection>();

  const start = async (root: string, name: string, settings: ConnectionSettings): Promise<Known> => {
    const type = demandTable(name, settings).type as ConnectionType; // other types have no backend, and are told so when opened
    const given = await givenBy(name, settings);
    const connection = createConnection({
      idleMs: IDLE_MS,
      setTimer,
      open: () => open(type, given, root),
      onIdle: () => void retired.delete(connection),
    });
    return { settings, type, given: JSON.stringify(given), connection };
  };

  /** After a change of the configuration the same one stays where its settings came out the same. */
  const follow = async (before: Known, root: string, name: string, settings: ConnectionSettings): Promise<Known> => {
    if (before.settings === settings) return before;
    const { type } = demandTable(name, settings);
    if (type === before.type && JSON.stringify(await givenBy(name, settings)) === before.given) {
      before.settings = settings;
      return before;
    }
    before.connection.retire();
    retired.add(before.connection);
    return start(root, name, settings);
  };

  const use = async (root: string, name: string, settings: ConnectionSettings): Promise<Storage> => {
    const before = known.get(root);
    const using = before === undefined ? start(root, name, settings) : before.then((each) => follow(each, root, name, settings));
    known.set(root, using);
    try {
      return await (await using).connection.storage();
    } catch (fault) {
      // Settings that cannot be read are not remembered; a connection that is not opened tries again by itself.
      if (known.get(root) === using && (await using.catch(() => undefined)) === undefined) known.delete(root);
      throw fault;
    }
  };

  return {
    find({ scheme, connection }, { policy }) {
      const settings = current();
      const { tables = {} } = settings ?? {};
      const name = connection ?? scheme;
      const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
      if (table === undefined || settings === undefined) {
        if (connection === undefined) return undefined;
        throw unknownConnection(connection, tables, policy === undefined);
      }
      if (table.type !== scheme) {
        if (connection === undefined) return undefined;
        throw new StorageException(`The connection ${connection} is of the type ${table.type}; write ${table.type}+${connection}://.`, {
          context: { connection, type: table.type },
        });
      }
      return use(`${scheme}${connection === undefined ? '' : `+${connection}`}:/`, name, settings);
    },
    async close() {
      const all = await Promise.allSettled(known.values());
      known.clear();
      const opened = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value.connection] : []));
      await Promise.allSettled([...opened, ...retired].map((connection) => connection.close()));
      retired.clear();
    },
  };
};

const demandTable = (name: string, { tables }: ConnectionSettings) => {
  const table = tables[name];
  if (table === undefined) throw unknownConnection(name, tables);
  return table;
};
