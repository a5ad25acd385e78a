import type { Log, RunObserver } from '../../core/ports.ts';

/** Several observers seen as one; they may come and go while runs are under way. */
export interface Observers extends RunObserver {
  /** Answers how to take it away again. */
  add(observer: RunObserver): () => void;
}

/** An isolation point: an observer that fails is told in the log and keeps nothing from the run or from the others. */
export const createObservers = (log: Log): Observers => {
  let all: readonly RunObserver[] = []; // replaced, never changed: somebody may come or go while it is read
  const complain = (fault: unknown) => log('error', 'an observer of runs failed', { reason: String(fault) });
  return {
    add(observer) {
      all = [...all, observer];
      return () => {
        all = all.filter((each) => each !== observer);
      };
    },
    begun(run) {
      for (const each of all) {
        try {
          each.begun(run);
        } catch (fault) {
          complain(fault);
        }
      }
    },
    ended(run, result) {
      let awaited: Promise<void>[] | undefined;
      for (const each of all) {
        try {
          const told = each.ended(run, result);
          if (told !== undefined) awaited = [...(awaited ?? []), told.catch(complain)];
        } catch (fault) {
          complain(fault);
        }
      }
      return awaited && Promise.all(awaited).then(() => {});
    },
  };
};
