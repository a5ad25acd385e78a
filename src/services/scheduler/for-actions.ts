import type { AskedBy } from '../../core/ports/asked-by.ts';
import type { StoreOne } from '../../core/ports/room.ts';
import type { Schedules } from '../../core/ports/scheduler.ts';
import { reachOf } from '../../core/reach.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { ScheduleBook } from './book.ts';
import { unknownJob } from './job-faults.ts';

/**
 * The jobs as actions reach them. `callerOf` names the caller of a run that is under way and throws for any other, so that a job never
 * gets more rights than whoever stored it. A job of somebody else is as unknown as one that never was.
 */
export const schedulesForActions = (book: ScheduleBook, callerOf: (runId: RunId) => string, storeOne: StoreOne): Schedules => {
  const reach = ({ runId }: AskedBy) => reachOf(callerOf(runId), book.namesOf);
  const own = async (name: string, askedBy: AskedBy): Promise<string> => {
    if ((await reach(askedBy)).has(name)) return name;
    throw unknownJob(name);
  };
  return {
    check: book.check,
    add: (job, askedBy) => storeOne('maxSchedules', askedBy, () => book.add(job, callerOf(askedBy.runId))),
    remove: async (name, askedBy) => book.remove(await own(name, askedBy)),
    async removeAll(askedBy) {
      const reached = await reach(askedBy);
      return book.removeAll((name) => reached.has(name));
    },
    async list(askedBy) {
      const reached = await reach(askedBy);
      return (await book.list()).filter(({ name }) => reached.has(name));
    },
    next: async (name, count, askedBy) => book.next(await own(name, askedBy), count),
    pause: async (name, askedBy) => book.pause(await own(name, askedBy)),
    resume: async (name, askedBy) => book.resume(await own(name, askedBy)),
    drained: book.drained,
  };
};
