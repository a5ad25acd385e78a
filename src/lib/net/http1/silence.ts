/** Notices that nothing comes although somebody waits. */
export interface Silence {
  /** Somebody waits from now on: so long at a time, from one sign of life to the next, or so long in all. */
  waitFor(limitMs: number, how: 'at a time' | 'in all'): void;
  /** A sign of life. */
  touch(): void;
  /** Nobody waits any more. */
  stop(): void;
  /** The same, and nothing is left that keeps the process alive. */
  end(): void;
}

/** One timer, whatever is waited for: what it is, and since when, is compared when it fires, so that a sign of life costs nearly nothing. */
export const createSilence = (onSilence: (limitMs: number) => void): Silence => {
  let lastTouchMs = 0;
  let waiting: { readonly sinceMs: number; readonly limitMs: number; readonly isInAll: boolean } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dueMs = 0;
  const arm = (ms: number): void => {
    clearTimeout(timer);
    dueMs = performance.now() + ms;
    timer = setTimeout(look, Math.ceil(ms));
  };
  const look = (): void => {
    timer = undefined;
    if (waiting === undefined) return;
    const { sinceMs, limitMs, isInAll } = waiting;
    const silentMs = performance.now() - (isInAll ? sinceMs : Math.max(sinceMs, lastTouchMs));
    if (silentMs >= limitMs) onSilence(limitMs);
    else arm(limitMs - silentMs);
  };
  return {
    waitFor(limitMs, how) {
      const sinceMs = performance.now();
      waiting = { sinceMs, limitMs, isInAll: how === 'in all' };
      if (timer === undefined || sinceMs + limitMs < dueMs) arm(limitMs);
    },
    touch() {
      lastTouchMs = performance.now();
    },
    stop() {
      waiting = undefined;
    },
    end() {
      waiting = undefined;
      clearTimeout(timer);
      timer = undefined;
    },
  };
};
