import { StoreException } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import type { SetTimer } from '../../lib/async/timer.ts';

/** Asks the store until it answers, because a full disk passes and what was done must be written down. Gives up when the signal fires. */
export type Persist = <T>(ask: () => Promise<T>, signal: AbortSignal) => Promise<T>;

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export const createPersist = ({ log, setTimer }: { readonly log: Log; readonly setTimer: SetTimer }): Persist => {
  let isWell = true;

  const pause = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const goOn = () => {
        signal.removeEventListener('abort', goOn);
        clear();
        resolve();
      };
      const clear = setTimer(goOn, ms);
      signal.addEventListener('abort', goOn, { once: true });
    });

  return async (ask, signal) => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        const answer = await ask();
        if (!isWell) log('info', 'the store takes what the queue writes again');
        isWell = true;
        return answer;
      } catch (fault) {
        if (signal.aborted || !mayPass(fault)) throw fault;
        if (isWell) log('error', 'the store does not take what the queue writes; runs wait until it does', { reason: String(fault) });
        isWell = false;
      }
      await pause(pauseMs, signal);
    }
  };
};

/** A fault that nobody expected is the same the next time. */
const mayPass = (fault: unknown): boolean => fault instanceof StoreException && fault.context.fault !== 'unexpected';
