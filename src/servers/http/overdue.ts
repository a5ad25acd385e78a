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
  /** Where it stands among the others, -1 while it is not watched; looked after here. */
  place: number;
  late(): void;
}

/** Looks this often; work is told late by up to as much. */
export const createOverdue = (everyMs: number): Overdue => {
  // Bodies come and go by the ten thousand in a second, and a set would be built anew all the time.
  const watched: Watched[] = [];
  let clock: NodeJS.Timeout | undefined;
  const forget = (work: Watched) => {
    const { place } = work;
    if (place < 0) return;
    const last = watched.pop();
    if (last !== undefined && last !== work) {
      watched[place] = last;
      last.place = place;
    }
    work.place = -1;
  };
  const look = () => {
    const now = performance.now();
    for (const work of watched.filter(({ dueMs }) => dueMs <= now)) {
      if (work.place < 0) continue; // another one took it along
      forget(work);
      work.late();
    }
    if (watched.length === 0) stop();
  };
  const stop = () => {
    clearInterval(clock);
    clock = undefined;
  };
  return {
    watch(work) {
      work.place = watched.push(work) - 1;
      clock ??= setInterval(look, everyMs).unref();
    },
    forget,
    close: stop,
  };
};
