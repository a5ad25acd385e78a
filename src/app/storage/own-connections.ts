import type { Caller } from '../../access/caller.ts';
import { PolicyException, StorageException } from '../../core/errors.ts';
import type { Foresight } from '../../core/planning.ts';
import type { ConnectionGiven, ConnectionType, OwnConnections } from '../../core/ports/connections.ts';
import type { Storage } from '../../core/storage.ts';
import type { StorageUse } from '../../pipeline/run.ts';
import { type Connection, createConnection } from './connection.ts';
import { hostOf } from './host-of.ts';

export interface OwnOptions {
  open(type: ConnectionType, given: ConnectionGiven, caller: Caller): Promise<Storage>;
  readonly setTimer: Parameters<typeof createConnection>[0]['setTimer'];
}

/** What callers have opened for themselves, each for its kind. */
export interface ConnectionsOfCallers {
  of(use: StorageUse): OwnConnections;
  /** Undefined where the caller has opened none of the kind. */
  find(type: string, use: StorageUse): Promise<Storage> | undefined;
  close(): Promise<void>;
}

const IDLE_MS = 30 * 60_000;
/** A plan is made in one go. */
const PLAN_IDLE_MS = 60_000;

/** By the kind; null stands for one that a plan would have closed. */
type ByType = Map<string, Connection | null>;

export const createOwnConnections = ({ open, setTimer }: OwnOptions): ConnectionsOfCallers => {
  const ofCallers = new Map<string, ByType>();
  const ofPlans = new WeakMap<Foresight, ByType>();
  const all = new Set<Connection>();

  const placeFor = ({ caller, foresight }: StorageUse): ByType => {
    const place = (foresight === undefined ? ofCallers.get(caller.name) : ofPlans.get(foresight)) ?? new Map<string, Connection | null>();
    if (foresight === undefined) ofCallers.set(caller.name, place);
    else ofPlans.set(foresight, place);
    return place;
  };

  /** What a plan has opened or closed comes before what the caller has. */
  const lookUp = (type: string, { caller, foresight }: StorageUse): Connection | null | undefined => {
    for (let plan = foresight; plan !== undefined; plan = plan.forkedFrom) {
      const found = ofPlans.get(plan)?.get(type);
      if (found !== undefined) return found;
    }
    return ofCallers.get(caller.name)?.get(type);
  };

  const drop = (place: ByType, type: string, connection: Connection): void => {
    all.delete(connection);
    if (place.get(type) === connection) place.delete(type);
  };

  return {
    of: (use) => ({
      async open(type, given) {
        demandNow(use);
        const host = hostOf(type, given);
        use.caller.policy?.demandHost(host);
        use.foresight?.record({ kind: 'network', target: host });
        const place = placeFor(use);
        const connection = createConnection({
          idleMs: use.foresight === undefined ? IDLE_MS : PLAN_IDLE_MS,
          setTimer,
          open: () => open(type, given, use.caller),
          onIdle: () => drop(place, type, connection),
        });
        all.add(connection);
        try {
          await proven(await connection.storage(), type, use.signal);
        } catch (fault) {
          all.delete(connection);
          await connection.close();
          throw fault;
        }
        const before = place.get(type);
        place.set(type, connection);
        before?.retire();
      },
      async close(type) {
        demandNow(use);
        const place = placeFor(use);
        const connection = place.get(type);
        if (use.foresight === undefined) place.delete(type);
        else place.set(type, null);
        if (connection === undefined || connection === null) return;
        all.delete(connection);
        await connection.close();
      },
    }),
    find(type, use) {
      if (use.isKept) return undefined;
      return lookUp(type, use)?.storage();
    },
    async close() {
      await Promise.allSettled([...all].map((connection) => connection.close()));
      all.clear();
      ofCallers.clear();
    },
  };
};

/** Services that know no login are not asked: the first request tells. */
const WITHOUT_LOGIN: ReadonlySet<ConnectionType> = new Set(['s3', 'azure']);

/** Whoever opens a connection wants to know at once whether it can be used. */
const proven = async (storage: Storage, type: ConnectionType, signal: AbortSignal): Promise<void> => {
  if (!WITHOUT_LOGIN.has(type)) await storage.stat('', { signal });
};

const demandNow = ({ isKept }: StorageUse): void => {
  if (!isKept) return;
  throw new StorageException('A list that was queued or scheduled opens no connection; name one of [connections] instead.', {
    context: { code: 'unsupported' },
  });
};

/** What the owner alone may say of a connection: that it leads into a private network. */
export const demandPublic = (given: ConnectionGiven, isOwners: boolean): void => {
  if (given.allow_private_hosts !== true || isOwners) return;
  throw new PolicyException('Only the owner may allow private hosts; leave `allow_private_hosts` out, or name a connection.', {
    context: { rule: 'network', argument: 'allow_private_hosts' },
  });
};
