/** Work that must be done by a time which moves; one clock looks after all of it, because a timer for each would cost more than most work. */
export interface Overdue {
  /** Calls back once the work is late, unless it is taken away before. */
  watch(work: Watched): void;
  forget(work: Watched): void;
  close(): void;
}

export interface Watched {
  /** On the clock of `performance.now()`. */
  dueMs: number;
  late(): void;
}

/** Looks this often; work is told late by up to as much. */
export const createOverdue = (everyMs: number): Overdue => {
  const watched = new Set<Watched>();
  let clock: NodeJS.Timeout | undefined;
  const look = () => {
    const now = performance.now();
    for (const work of watched) {
      if (work.dueMs > now) continue;
      watched.delete(work);
      work.late();
    }
    if (watched.size === 0) stop();
  };
  const stop = () => {
    clearInterval(clock);
    clock = undefined;
  };
  return {
    watch(work) {
      watched.add(work);
      clock ??= setInterval(look, everyMs).unref();
    },
    forget: (work) => void watched.delete(work),
    close: stop,
  };
};
