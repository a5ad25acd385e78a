import type { Log } from '../../core/ports.ts';
import { isoIn } from '../../lib/cron/time-zone.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { Job } from './job.ts';

/** Which limit of a job it is about, by its name in the configuration without the unit. */
export type AlertKind = 'deadline' | 'max_duration' | 'expect_every';

/** Something about a job that somebody should know. */
export interface ScheduleAlert {
  readonly kind: AlertKind;
  readonly schedule: string;
  readonly message: string;
  /** The due time it is about, ISO 8601 in the time zone of the job. */
  readonly due?: string;
  readonly runId?: RunId;
}

/** Says that a job keeps one of its limits no longer. */
export interface Alarm {
  raise(job: Job, kind: AlertKind, about?: { readonly slot?: number; readonly runId?: RunId }): void;
}

/** Makes an alarm that is logged and handed on. */
export const createAlarm = (log: Log, alert: (alert: ScheduleAlert) => void): Alarm => ({
  raise(job, kind, { slot, runId } = {}) {
    const due = slot === undefined ? undefined : isoIn(job.zone, slot);
    const message = MESSAGES[kind](job, due ?? '');
    log('warn', message, { schedule: job.name, alert: kind, run_id: runId });
    alert({ kind, schedule: job.name, message, ...(due !== undefined && { due }), ...(runId !== undefined && { runId }) });
  },
});

const MESSAGES: { readonly [K in AlertKind]: (job: Job, due: string) => string } = {
  deadline: ({ name, rules }, due) => `The job ${name} could not start within ${rules.deadlineS} s of ${due}, so that run was dropped.`,
  max_duration: ({ name, rules }, due) =>
    `The run of ${name} that was due at ${due} took longer than ${rules.maxDurationS} s and is cancelled.`,
  expect_every: ({ name, rules }) => `No run of the job ${name} has succeeded for ${rules.expectEveryS} s.`,
};
