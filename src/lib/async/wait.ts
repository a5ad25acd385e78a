import { setTimeout as delay } from 'node:timers/promises';

/** Waits, or rejects with the reason of the signal. Tests hand in one that follows their clock. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** No timer is longer: the clock of the machine may have been set meanwhile. */
const LONGEST_MS = 60_000;

/** Waits with timers of the process, which they keep alive: a run goes on afterwards. */
export const systemWait: Wait = async (ms, signal) => {
  for (let left = ms; left > 0; left -= LONGEST_MS) {
    try {
      await delay(Math.min(left, LONGEST_MS), undefined, { signal });
    } catch (fault) {
      signal.throwIfAborted();
      throw fault;
    }
  }
};
