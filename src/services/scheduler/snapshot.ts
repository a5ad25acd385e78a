import { countCommands } from '../../core/count-commands.ts';
import type { ScheduleSnapshot } from '../../core/ports/scheduler.ts';
import { nextFire } from '../../lib/cron/next-fire.ts';
import { isoIn } from '../../lib/cron/time-zone.ts';
import type { Job } from './job.ts';
import { slotOf } from './run-id.ts';

/** A job as it is shown. */
export const snapshotOf = ({ stored, rules, zone, cron }: Job, isRunning: boolean, now: number): ScheduleSnapshot => {
  const next = stored.isEnabled ? nextFire(cron, zone, now) : undefined;
  return {
    name: stored.name,
    cron: stored.cron,
    actions: countCommands(stored.body) ?? 0,
    last_run: stored.lastRunId === null ? null : isoIn(zone, slotOf(stored.lastRunId)),
    runs: stored.runs,
    allow_overlap: rules.overlap === 'parallel',
    running: isRunning,
    skipped: stored.skipped,
    time_zone: zone.name,
    overlap: rules.overlap,
    enabled: stored.isEnabled,
    next_run: next === undefined ? null : isoIn(zone, next),
  };
};
