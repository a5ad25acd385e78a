import type { StoreFile } from '../store-file.ts';

/** A lock in somebody's hands. */
export interface Lease {
  readonly name: string;
  readonly owner: string;
  /** Grows with every change of hands: what the lock protects can refuse whoever comes with an older one. */
  readonly fence: number;
  /** Milliseconds since the epoch; null: until it is released. */
  readonly expiresAt: number | null;
}

/** Which lock: a name in the store of the house, or in the store file that is named. */
export interface LockPlace {
  readonly name: string;
  readonly dbPath: StoreFile | null;
}

/** How patiently a lock is waited for. */
export interface LockPatience {
  /** Null waits as long as it takes, 0 tries once. */
  readonly timeoutS: number | null;
  readonly signal: AbortSignal;
}

/** Locks between commands, runs and processes; `LockTimeoutException` where one is not free in time or not ours any more. */
export interface Locks {
  /** Without a ttl it stays until it is released, whatever becomes of its owner. */
  acquire(place: LockPlace, lease: { readonly owner: string; readonly ttlS: number | null }, patience: LockPatience): Promise<Lease>;
  refresh(place: LockPlace, lease: { readonly owner: string; readonly ttlS: number }): Promise<Lease>;
  /** False where this owner does not hold it. */
  release(place: LockPlace, owner: string): Promise<boolean>;
  /**
   * Does the work while holding a lock, which is renewed meanwhile: when the process dies it ends after `ttlS`, or half a minute.
   * The signal that the work gets is aborted when the lock is lost all the same.
   */
  hold<T>(
    place: LockPlace,
    options: LockPatience & { readonly ttlS: number | null },
    work: (signal: AbortSignal, lease: Lease) => Promise<T>,
  ): Promise<T>;
  /** Does the work while holding the advisory lock of a file (`flock`), which ends with the process. The program that waits for it counts as one of the run's. */
  holdFile<T>(
    path: string,
    options: LockPatience & { readonly create?: boolean; readonly runId?: string },
    work: () => Promise<T>,
  ): Promise<T>;
}
