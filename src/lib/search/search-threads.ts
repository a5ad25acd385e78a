import type { SharedParts } from '../fs/walk-shared.ts';
import { type Pool, sharedPool } from '../workers/pool.ts';

/** Other threads that take part in a search. */
export interface SearchThreads<A> {
  readonly helpers: number;
  /** How long to go on alone. */
  readonly patienceMs: number;
  help(shared: SharedParts): Promise<A>;
}

/** A thread that runs helps within a millisecond, one that must be started first costs as much as a small search. */
const PATIENCE_MS = { started: 10, notStarted: 60 };

let haveStarted = false;

/** The threads of this process; `order` gives one of them its share. */
export const searchThreads = <A>(order: (pool: Pool, shared: SharedParts) => Promise<A>): SearchThreads<A> => {
  const pool = sharedPool();
  return {
    helpers: pool.width - 1,
    patienceMs: haveStarted ? PATIENCE_MS.started : PATIENCE_MS.notStarted,
    help(shared) {
      haveStarted = true;
      return order(pool, shared);
    },
  };
};
