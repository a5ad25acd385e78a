import { SchedulerException } from '../../core/errors.ts';
import type { Schedules } from '../../core/ports/scheduler.ts';
import type { Services } from '../../core/ports.ts';
import * as shapes from '../../core/shapes.ts';

/** A job as it is shown. */
export const snapshot = shapes.object({
  name: shapes.text(),
  cron: shapes.text(),
  actions: shapes.integer(),
  last_run: shapes.nullable(shapes.text()),
  runs: shapes.integer(),
  allow_overlap: shapes.flag(),
  running: shapes.flag(),
  skipped: shapes.integer(),
  time_zone: shapes.text(),
  overlap: shapes.oneOf(['skip', 'queue_one', 'cancel_previous', 'parallel']),
  enabled: shapes.flag(),
  next_run: shapes.nullable(shapes.text()),
});

/** The scheduler of the house. */
export const demandScheduler = ({ scheduler }: Services): Schedules => {
  if (scheduler === undefined) {
    throw new SchedulerException('There is no scheduler here; run this through factotum serve, or createFactotum({ store }).');
  }
  return scheduler;
};
