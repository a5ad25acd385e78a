/** Whose command it is, and of which run. */
export interface RunKey {
  readonly id: string;
  readonly caller: string;
  /** Callers with limits get a share of the threads; the owner does not. */
  readonly isLimited: boolean;
}

/** What waits for a thread. */
export interface Waiter {
  readonly run: RunKey;
}

/** Commands that wait, fair between callers. */
export interface Line<W extends Waiter> {
  readonly size: number;
  add(waiter: W): void;
  remove(waiter: W): void;
  /** The next one that may go, which stays in the line; callers take turns, `first` goes before them where it is given. */
  next(mayGo: (waiter: W) => boolean, first?: string): W | undefined;
  /** Takes out everything of a run. */
  takeRun(runId: string): readonly W[];
  takeAll(): readonly W[];
}

export const createLine = <W extends Waiter>(): Line<W> => {
  /** In the order of their turns. */
  const byCaller = new Map<string, W[]>();
  let size = 0;

  const keep = (caller: string, waiters: W[]): void => {
    byCaller.delete(caller); // behind all others
    if (waiters.length > 0) byCaller.set(caller, waiters);
  };

  return {
    get size() {
      return size;
    },
    add(waiter) {
      const { caller } = waiter.run;
      const waiters = byCaller.get(caller);
      if (waiters === undefined) byCaller.set(caller, [waiter]);
      else waiters.push(waiter);
      size += 1;
    },
    remove(waiter) {
      const waiters = byCaller.get(waiter.run.caller) ?? [];
      const at = waiters.indexOf(waiter);
      if (at < 0) return;
      waiters.splice(at, 1);
      size -= 1;
      if (waiters.length === 0) byCaller.delete(waiter.run.caller);
    },
    next(mayGo, first) {
      const preferred = first === undefined ? undefined : byCaller.get(first)?.find(mayGo);
      if (preferred !== undefined) return preferred;
      for (const waiters of byCaller.values()) {
        const found = waiters.find(mayGo);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    takeRun(runId) {
      for (const [caller, waiters] of byCaller) {
        const taken = waiters.filter(({ run }) => run.id === runId);
        if (taken.length === 0) continue;
        size -= taken.length;
        keep(
          caller,
          waiters.filter(({ run }) => run.id !== runId),
        );
        return taken;
      }
      return [];
    },
    takeAll() {
      const all = [...byCaller.values()].flat();
      byCaller.clear();
      size = 0;
      return all;
    },
  };
};
