import { SchedulerException } from '../../core/errors.ts';
import type { Schedules } from '../../core/ports/scheduler.ts';
import type { Services } from '../../core/ports.ts';
import { boolean, choice, nullable, object, string, whole } from '../../core/shapes.ts';

/** A job as it is shown. */
export const snapshot = object({
  name: string(),
  cron: string(),
  actions: whole(),
  last_run: nullable(string()),
  runs: whole(),
  allow_overlap: boolean(),
  running: boolean(),
  skipped: whole(),
  time_zone: string(),
  overlap: choice(['skip', 'queue_one', 'cancel_previous', 'parallel']),
  enabled: boolean(),
  next_run: nullable(string()),
});

/** The scheduler of the house. */
export const demandScheduler = ({ scheduler }: Services): Schedules => {
  if (scheduler === undefined) {
    throw new SchedulerException('There is no scheduler here; run this through factotum serve, or createFactotum({ store }).');
  }
  return scheduler;
};
