import type { SharedParts } from '../fs/walk-shared.ts';
import { type Pool, sharedPool } from '../workers/pool.ts';

/** Other threads that take part in a search. */
export interface SearchThreads<A> {
  readonly helpers: number;
  /** How much CPU time to spend alone. */
  readonly patienceMs: number;
  help(shared: SharedParts): Promise<A>;
}

export interface SearchThreadsOptions<A> {
  /** From how much work on it pays to start threads that do not run yet: new ones are slow at first, the more so at our own code. */
  readonly startAfterMs: number;
  /** Gives a thread its share. */
  order(pool: Pool, shared: SharedParts): Promise<A>;
}

/** A thread that runs helps within a millisecond. */
const RUNNING_AFTER_MS = 10;

let haveStarted = false;

/** The threads of this process. */
export const searchThreads = <A>({ startAfterMs, order }: SearchThreadsOptions<A>): SearchThreads<A> => {
  const pool = sharedPool();
  return {
    helpers: pool.width - 1,
    patienceMs: haveStarted ? RUNNING_AFTER_MS : startAfterMs,
    help(shared) {
      haveStarted = true;
      return order(pool, shared);
    },
  };
};
