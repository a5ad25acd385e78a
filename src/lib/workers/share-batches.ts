import type { Grant } from '../../core/files.ts';
import { openTally } from '../fs/walk-tally.ts';

/** Work that many batches are for. */
export interface BatchCrew<B, R> {
  readonly grant: Grant;
  /** Asked for one after the other: whoever makes them need not hold them all. */
  readonly batches: Iterable<B>;
  /** Works on a batch on this thread; it is paused where it yields. */
  here(batch: B): Generator<void, R>;
  /** Has another thread work on a batch. */
  help(batch: B): Promise<R>;
  /** Takes what came of a batch; they come in any order. */
  take(batch: B, result: R): void;
  /** How many other threads there are. */
  readonly helpers: number;
  /** How much CPU time is spent alone: for less the other threads are not worth it. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** Short, because a thread that is done with its batch waits for this one to hand it the next. */
const SLICE_MS = 2;
/** How many steps go between two looks at the clock. */
const STEPS_BETWEEN_LOOKS = 8;

/** Works on batches: few on this thread alone, many on all threads. */
export const shareBatches = async <B, R>(crew: BatchCrew<B, R>): Promise<void> => {
  const { grant, batches, here, help, take, helpers, patienceMs, signal } = crew;
  const tally = openTally(grant);
  const source = batches[Symbol.iterator]();
  const next = (): B | undefined => {
    signal.throwIfAborted();
    const { done, value } = source.next();
    return done === true ? undefined : value;
  };
  const helper = async (): Promise<void> => {
    for (let batch = next(); batch !== undefined; batch = next()) take(batch, await help(batch));
  };
  let helping: Promise<unknown> | undefined;
  const before = process.cpuUsage();
  const isWorthHelp = (): boolean => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 >= patienceMs;
  };
  signal.throwIfAborted();
  tally.goOn();
  signal.addEventListener('abort', tally.stop, { once: true });
  try {
    for (let batch = next(); batch !== undefined; batch = next()) {
      if (helping === undefined && isWorthHelp()) {
        helping = Promise.all(Array.from({ length: helpers }, helper));
        helping.catch(() => {}); // told below, once this thread is done
      }
      take(batch, await inSlices(here(batch), signal));
    }
    await helping;
  } catch (fault) {
    tally.stop();
    throw fault;
  } finally {
    signal.removeEventListener('abort', tally.stop);
  }
};

/** Lets others run in between. */
const inSlices = async <R>(work: Generator<void, R>, signal: AbortSignal): Promise<R> => {
  try {
    for (let until = performance.now() + SLICE_MS, steps = 1; ; steps += 1) {
      const step = work.next();
      if (step.done === true) return step.value;
      if (steps % STEPS_BETWEEN_LOOKS !== 0 || performance.now() < until) continue;
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      until = performance.now() + SLICE_MS;
    }
  } finally {
    work.return(undefined as never); // closes what is open; its value is not used
  }
};
