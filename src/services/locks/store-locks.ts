import { LockTimeoutException, StoreException } from '../../core/errors.ts';
import type { Lease, LockPatience, LockPlace, Locks } from '../../core/ports/locks.ts';
import type { Clock } from '../../core/ports.ts';
import type { StoreFile } from '../../core/store-file.ts';
import type { Wait } from '../../lib/async/wait.ts';
import type { Locks as LockShelf, StoredLock } from '../engine/port/shelves.ts';
import type { Store } from '../engine/port.ts';
import { keepAlive } from './keep-alive.ts';
import { createLines, type Standing } from './line.ts';

export interface StoreLocksParts {
  /** The store of the house, where it has one. */
  store(): Promise<Pick<Store, 'locks'> | undefined>;
  /** Opens the store in a file that a caller names; closed again after the call. */
  openStore(file: StoreFile): Promise<Pick<Store, 'locks' | 'close'>>;
  readonly clock: Clock;
  readonly wait: Wait;
  newId(): string;
}

type WantedLock = Parameters<LockShelf['acquire']>[0];

const LOOK_MS = 50;
/** How long a lock that is held during a list outlives a process that died. */
const USUAL_TTL_S = 30;

/** Locks by name in a store, with an end and a fence. */
export const createStoreLocks = (parts: StoreLocksParts): Omit<Locks, 'holdFile'> => {
  const { openStore, clock, wait, newId } = parts;
  const lines = createLines();

  const withShelf = async <T>({ name, dbPath }: LockPlace, work: (shelf: LockShelf) => Promise<T>): Promise<T> => {
    if (dbPath === null) {
      const store = await parts.store();
      if (store === undefined) throw noStore(name);
      return work(store.locks);
    }
    const opened = await openStore(dbPath);
    try {
      return await work(opened.locks);
    } finally {
      await opened.close();
    }
  };

  const take = async (shelf: LockShelf, lock: WantedLock, { timeoutS, signal }: LockPatience, standing: Standing): Promise<StoredLock> => {
    const startedMs = clock.monotonic();
    for (;;) {
      signal.throwIfAborted();
      const hinted = standing.hinted(); // before looking, so that what is given back meanwhile is not missed
      const isFree = standing.isFirst && (await shelf.get(lock.name)) === null; // looking is cheap, trying is a write
      const taken = isFree ? await shelf.acquire(lock) : null;
      if (taken !== null) return taken;
      const leftMs = timeoutS === null ? LOOK_MS : timeoutS * 1000 - (clock.monotonic() - startedMs);
      if (leftMs <= 0) throw notFree(lock.name, timeoutS ?? 0);
      await Promise.race([wait(Math.min(LOOK_MS, leftMs), signal), hinted]);
    }
  };

  /** In this process one after the other; another process gets it where it looks at the right moment. */
  const waitFor = async (shelf: LockShelf, place: LockPlace, lock: WantedLock, patience: LockPatience): Promise<StoredLock> => {
    patience.signal.throwIfAborted();
    const isOurs = (await shelf.get(lock.name))?.owner === lock.owner;
    const again = isOurs ? await shelf.acquire(lock) : null; // whoever has it need not wait behind those who want it
    return again ?? lines.stand(keyOf(place), (standing) => take(shelf, lock, patience, standing));
  };

  const giveBack = async (shelf: LockShelf, place: LockPlace, owner: string): Promise<boolean> => {
    const isGivenBack = await shelf.release({ name: place.name, owner });
    lines.hint(keyOf(place));
    return isGivenBack;
  };

  return {
    acquire: (place, { owner, ttlS }, patience) =>
      withShelf(place, (shelf) => waitFor(shelf, place, { name: place.name, owner, ttlMs: toMs(ttlS) }, patience)),

    refresh: (place, { owner, ttlS }) =>
      withShelf(place, async (shelf) => {
        const lock = await shelf.refresh({ name: place.name, owner, ttlMs: toMs(ttlS) });
        if (lock === null) throw notOurs(place.name, owner);
        return lock;
      }),

    release: (place, owner) => withShelf(place, (shelf) => giveBack(shelf, place, owner)),

    hold: (place, { ttlS, ...patience }, work) =>
      withShelf(place, async (shelf) => {
        const lock = { name: place.name, owner: newId(), ttlMs: (ttlS ?? USUAL_TTL_S) * 1000 };
        const lease: Lease = await waitFor(shelf, place, lock, patience);
        const alive = keepAlive({
          everyMs: lock.ttlMs / 3,
          renew: async () => (await shelf.refresh(lock)) !== null,
          signal: patience.signal,
          wait,
          lost: () => lostMeanwhile(place.name),
        });
        const ended = await settle(() => work(alive.signal, lease));
        await alive.stop();
        // Whatever came of the work, it went on while somebody else may have held the lock.
        if (!(await giveBack(shelf, place, lock.owner))) throw lostMeanwhile(place.name);
        if ('fault' in ended) throw ended.fault;
        return ended.value;
      }),
  };
};

const settle = async <T>(work: () => Promise<T>): Promise<{ readonly value: T } | { readonly fault: unknown }> => {
  try {
    return { value: await work() };
  } catch (fault) {
    return { fault };
  }
};

const keyOf = ({ name, dbPath }: LockPlace): string => JSON.stringify([dbPath?.path ?? null, name]);

const toMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000);

const noStore = (name: string) =>
  new StoreException(
    `There is no store to keep the lock ${JSON.stringify(name)} in; run it through factotum serve, use createFactotum({ store }), or give db_path.`,
    { context: { name } },
  );

const notFree = (name: string, timeoutS: number) =>
  new LockTimeoutException(`The lock ${JSON.stringify(name)} was not free within ${timeoutS} s; try later or wait longer.`, {
    context: { name, timeout: timeoutS },
    retryable: true,
  });

const notOurs = (name: string, owner: string) =>
  new LockTimeoutException(`The lock ${JSON.stringify(name)} is not held by this owner, or no longer; acquire it again.`, {
    context: { name, owner },
  });

const lostMeanwhile = (name: string) =>
  new LockTimeoutException(`The lock ${JSON.stringify(name)} was lost while the work went on; check what was done and run it again.`, {
    context: { name },
  });
