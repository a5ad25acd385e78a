/** Calls back once, after a while; what it answers takes that back. Tests hand in their own. */
export type SetTimer = (work: () => void, ms: number) => () => void;

/** Timers of the process. They do not keep it alive: what they would find is stored, and found at the next start. */
export const systemTimer: SetTimer = (work, ms) => {
  const timer = setTimeout(work, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

/** Waits; rejects with the reason of the signal when that comes first. */
export const pauseFor = (ms: number, setTimer: SetTimer, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clear();
      reject(signal.reason);
    };
    const clear = setTimer(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
