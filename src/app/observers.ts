import type { RunObserver } from '../core/ports.ts';

/** Several observers seen as one; they may come and go while runs are under way. */
export interface Observers extends RunObserver {
  /** Answers how to take it away again. */
  add(observer: RunObserver): () => void;
}

export const createObservers = (): Observers => {
  let all: readonly RunObserver[] = []; // replaced, never changed: somebody may come or go while it is read
  return {
    add(observer) {
      all = [...all, observer];
      return () => {
        all = all.filter((each) => each !== observer);
      };
    },
    begun(run) {
      for (const each of all) each.begun(run);
    },
    ended(run, result) {
      let awaited: Promise<void>[] | undefined;
      for (const each of all) {
        const told = each.ended(run, result);
        if (told !== undefined) awaited = [...(awaited ?? []), told];
      }
      return awaited && Promise.all(awaited).then(() => {});
    },
  };
};
