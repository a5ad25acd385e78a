import type { AskedBy } from '../../core/ports/asked-by.ts';
import type { StoreOne } from '../../core/ports/room.ts';
import type { Watchers } from '../../core/ports/watchers.ts';
import { reachOf } from '../../core/reach.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { WatcherBook } from './book.ts';
import { unknownWatcher } from './watcher-faults.ts';

/**
 * The watchers as actions reach them. `callerOf` names the caller of a run that is under way and throws for any other, so that a watcher
 * never gets more rights than whoever stored it. A watcher of somebody else is as unknown as one that never was.
 */
export const watchersForActions = (book: WatcherBook, callerOf: (runId: RunId) => string, storeOne: StoreOne): Watchers => {
  const reach = ({ runId }: AskedBy) => reachOf(callerOf(runId), book.namesOf);
  return {
    check: book.check,
    start: (watcher, askedBy) => storeOne('maxWatchers', askedBy, () => book.add(watcher, callerOf(askedBy.runId))),
    async stop(name, askedBy) {
      if (!(await reach(askedBy)).has(name)) throw unknownWatcher(name);
      return book.remove(name);
    },
    async stopAll(askedBy) {
      const reached = await reach(askedBy);
      return book.removeAll((name) => reached.has(name));
    },
    async list(askedBy) {
      const reached = await reach(askedBy);
      return (await book.list()).filter(({ name }) => reached.has(name));
    },
  };
};
