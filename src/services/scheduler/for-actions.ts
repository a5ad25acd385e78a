import { createNamedThings } from '../../core/ports/named-things.ts';
import type { StoreOne } from '../../core/ports/room.ts';
import type { Schedules } from '../../core/ports/scheduler.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { ScheduleBook } from './book.ts';
import { doubleJob, unknownJob } from './job-faults.ts';

/**
 * The jobs as actions reach them. `callerOf` names the caller of a run that is under way and throws for any other, so that a job never
 * gets more rights than whoever stored it. A job of somebody else is as unknown as one that never was, and its name is free.
 */
export const schedulesForActions = (book: ScheduleBook, callerOf: (runId: RunId) => string, storeOne: StoreOne): Schedules => {
  const { demand, free, owned, shown } = createNamedThings({ callerOf, namesOf: book.namesOf, unknown: unknownJob, double: doubleJob });
  return {
    check: book.check,
    add: (job, askedBy) =>
      storeOne('maxSchedules', askedBy, async () => {
        const name = await free(job.name, askedBy);
        return shown(await book.add({ ...job, name }, callerOf(askedBy.runId)), askedBy);
      }),
    remove: async (name, askedBy) => shown(await book.remove(await demand(name, askedBy)), askedBy),
    async removeAll(askedBy) {
      const removed = await book.removeAll(await owned(askedBy));
      return removed.map((each) => shown(each, askedBy));
    },
    async list(askedBy) {
      const isOwn = await owned(askedBy);
      return (await book.list()).filter(({ name }) => isOwn(name)).map((each) => shown(each, askedBy));
    },
    next: async (name, count, askedBy) => book.next(await demand(name, askedBy), count),
    pause: async (name, askedBy) => shown(await book.pause(await demand(name, askedBy)), askedBy),
    resume: async (name, askedBy) => shown(await book.resume(await demand(name, askedBy)), askedBy),
    drained: async (name, signal, askedBy) => book.drained(askedBy === undefined ? name : await demand(name, askedBy), signal),
  };
};
