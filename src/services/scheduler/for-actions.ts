import type { Schedules } from '../../core/ports/scheduler.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { ScheduleBook } from './book.ts';

/**
 * The jobs as actions reach them. `callerOf` names the caller of a run that is under way and throws for any other, so that a job never
 * gets more rights than whoever stored it.
 */
export const schedulesForActions = (book: ScheduleBook, callerOf: (runId: RunId) => string): Schedules => ({
  check: book.check,
  add: async (job, { runId }) => book.add(job, callerOf(runId)),
  remove: book.remove,
  removeAll: book.removeAll,
  list: book.list,
  next: book.next,
  pause: book.pause,
  resume: book.resume,
  drained: book.drained,
});
