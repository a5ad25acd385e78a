/** What a timer can count to; beyond it fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A signal that ends with the caller's or after a time. */
export interface Deadline {
  readonly signal: AbortSignal;
  close(): void;
}

/** Sets a deadline with a timer of its own, so that nothing stays behind once it is closed; 0 is none. */
export const openDeadline = (timeoutMs: number, outer: AbortSignal | undefined): Deadline => {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = timeoutMs > 0 ? setTimeout(abort, Math.min(timeoutMs, LONGEST_TIMER_MS)) : undefined;
  outer?.addEventListener('abort', abort, { once: true });
  if (outer?.aborted) abort();
  return {
    signal: controller.signal,
    close() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
};

/** Somewhat random, so that clients that lost the same server do not come back at once; ends early with the signal. */
export const pause = (longestMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, longestMs * (0.5 + Math.random() / 2));
    signal.addEventListener('abort', done, { once: true });
  });
