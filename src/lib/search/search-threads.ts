import { type Pool, sharedPool } from '../workers/pool.ts';

/** Other threads that take part in a search. */
export interface SearchThreads<S, A> {
  readonly helpers: number;
  /** How much CPU time to spend alone. */
  readonly patienceMs: number;
  help(share: S): Promise<A>;
}

export interface SearchThreadsOptions<S, A> {
  /** From how much work on it pays to start threads that do not run yet: new ones are slow at first, the more so at our own code. */
  readonly startAfterMs: number;
  /** Gives a thread its share. */
  order(pool: Pool, share: S): Promise<A>;
}

/** A thread that runs helps within a millisecond. */
const RUNNING_AFTER_MS = 2;

/** The threads of this process. */
export const searchThreads = <S, A>({ startAfterMs, order }: SearchThreadsOptions<S, A>): SearchThreads<S, A> => {
  const pool = sharedPool();
  return {
    helpers: pool.width - 1,
    patienceMs: pool.isRunning ? RUNNING_AFTER_MS : startAfterMs,
    help: (share) => order(pool, share),
  };
};

/** A search as long as this is worth threads for the next one like it. */
const READY_FROM_MS = 50;
/** Long enough for a program that does nothing else to end before. */
const READY_AFTER_MS = 250;

/** After a search that was done alone: has threads ready for the next one, in a program that goes on. */
export const readyThreads = (searchedMs: number): void => {
  const pool = sharedPool();
  if (searchedMs < READY_FROM_MS || pool.isRunning) return;
  const start = () => void pool.start(pool.width - 1).catch(() => {}); // whoever needs them will be told
  setTimeout(start, READY_AFTER_MS).unref();
};
