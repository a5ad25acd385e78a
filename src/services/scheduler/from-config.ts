import type { Json } from '../../core/errors.ts';
import type { CatchUp, Overlap } from '../../core/ports/scheduler.ts';
import type { ConfiguredSchedule } from './book.ts';

/** An entry of `[[schedules]]`. */
export interface ScheduleEntry {
  readonly name: string;
  readonly cron: string;
  readonly actions: unknown;
  readonly enabled: boolean;
  readonly time_zone?: string;
  readonly overlap: Overlap;
  readonly catch_up: CatchUp;
  readonly catch_up_window_s: number;
  readonly catch_up_max: number;
  readonly jitter_s: number;
  readonly deadline_s?: number;
  readonly max_duration_s?: number;
  readonly expect_every_s?: number;
}

/** A job as the configuration describes it. */
export const configuredSchedule = (entry: ScheduleEntry): ConfiguredSchedule => ({
  name: entry.name,
  cron: entry.cron,
  actions: entry.actions as Json, // TOML holds nothing but texts, numbers, booleans, lists and tables there
  timeZone: entry.time_zone ?? null,
  isEnabled: entry.enabled,
  rules: {
    overlap: entry.overlap,
    catchUp: entry.catch_up,
    catchUpWindowS: entry.catch_up_window_s,
    catchUpMax: entry.catch_up_max,
    jitterS: entry.jitter_s,
    deadlineS: limitOf(entry.deadline_s),
    maxDurationS: limitOf(entry.max_duration_s),
    expectEveryS: limitOf(entry.expect_every_s),
  },
});

/** 0 is no limit: as one it would leave nothing to run. */
const limitOf = (seconds: number | undefined): number | null => (seconds === undefined || seconds === 0 ? null : seconds);
