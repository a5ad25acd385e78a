import type { Watchers } from '../../core/ports/watchers.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { WatcherBook } from './book.ts';

/**
 * The watchers as actions reach them. `callerOf` names the caller of a run that is under way and throws for any other, so that a watcher
 * never gets more rights than whoever stored it.
 */
export const watchersForActions = (book: WatcherBook, callerOf: (runId: RunId) => string): Watchers => ({
  check: book.check,
  start: async (watcher, { runId }) => book.add(watcher, callerOf(runId)),
  stop: book.remove,
  stopAll: book.removeAll,
  list: book.list,
});
