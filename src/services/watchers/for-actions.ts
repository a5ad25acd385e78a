import { createNamedThings } from '../../core/ports/named-things.ts';
import type { StoreOne } from '../../core/ports/room.ts';
import type { Watchers } from '../../core/ports/watchers.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { WatcherBook } from './book.ts';
import { doubleWatcher, unknownWatcher } from './watcher-faults.ts';

/**
 * The watchers as actions reach them. `callerOf` names the caller of a run that is under way and throws for any other, so that a watcher
 * never gets more rights than whoever stored it. A watcher of somebody else is as unknown as one that never was, and its name is free.
 */
export const watchersForActions = (book: WatcherBook, callerOf: (runId: RunId) => string, storeOne: StoreOne): Watchers => {
  const things = createNamedThings({ callerOf, namesOf: book.namesOf, unknown: unknownWatcher, double: doubleWatcher });
  const { demand, free, owned, shown } = things;
  return {
    check: book.check,
    start: (watcher, askedBy) =>
      storeOne('maxWatchers', askedBy, async () => {
        const name = await free(watcher.name, askedBy);
        return shown(await book.add({ ...watcher, name }, callerOf(askedBy.runId)), askedBy);
      }),
    stop: async (name, askedBy) => shown(await book.remove(await demand(name, askedBy)), askedBy),
    async stopAll(askedBy) {
      const stopped = await book.removeAll(await owned(askedBy));
      return stopped.map((each) => shown(each, askedBy));
    },
    async list(askedBy) {
      const isOwn = await owned(askedBy);
      return (await book.list()).filter(({ name }) => isOwn(name)).map((each) => shown(each, askedBy));
    },
  };
};
