import type { RunObserver } from '../core/ports.ts';

/** Several observers seen as one; they may come and go while runs are under way. */
export interface Observers extends RunObserver {
  /** Answers how to take it away again. */
  add(observer: RunObserver): () => void;
}

export const createObservers = (): Observers => {
  const all = new Set<RunObserver>();
  return {
    add(observer) {
      all.add(observer);
      return () => all.delete(observer);
    },
    begun(run) {
      for (const each of all) each.begun(run);
    },
    ended(run, result) {
      const awaited: Promise<void>[] = [];
      for (const each of all) {
        const told = each.ended(run, result);
        if (told !== undefined) awaited.push(told);
      }
      return awaited.length === 0 ? undefined : Promise.all(awaited).then(() => {});
    },
  };
};
