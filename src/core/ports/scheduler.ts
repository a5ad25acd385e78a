import type { KeptNames } from '../context.ts';
import type { Json } from '../errors.ts';
import type { AskedBy } from './asked-by.ts';

/** What references in the list of a job may name. */
export const SCHEDULE_NAMES: KeptNames = new Map([['schedule', ['name', 'tick']]]);

/** What happens when a job is due while its last run still goes. */
export type Overlap = 'skip' | 'queue_one' | 'cancel_previous' | 'parallel';

/** Which times that were missed are made up for. */
export type CatchUp = 'none' | 'latest' | 'all';

/** How a job behaves beyond its times. Null: no limit. */
export interface ScheduleRules {
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  /** How far back missed times count. */
  readonly catchUpWindowS: number;
  /** How many of them are made up for at most. */
  readonly catchUpMax: number;
  /** A start is moved by up to this much. */
  readonly jitterS: number;
  /** A run that has not started this long after its time is dropped and reported. */
  readonly deadlineS: number | null;
  /** A run that takes longer is cancelled and reported. */
  readonly maxDurationS: number | null;
  /** Reported when no run has succeeded for this long. */
  readonly expectEveryS: number | null;
}

/** A job as somebody asks for it. */
export interface NewSchedule {
  readonly name: string;
  readonly cron: string;
  /** A list of commands, or a wrapped one, as written. */
  readonly actions: Json;
  /** Null or left out: the time zone of the machine. */
  readonly timeZone?: string | null;
  readonly rules?: Partial<ScheduleRules>;
}

/** A job as it is shown. Times are ISO 8601 in the time zone of the job. */
export interface ScheduleSnapshot {
  readonly name: string;
  readonly cron: string;
  /** How many commands its list has. */
  readonly actions: number;
  readonly last_run: string | null;
  readonly runs: number;
  readonly allow_overlap: boolean;
  readonly running: boolean;
  readonly skipped: number;
  readonly time_zone: string;
  readonly overlap: Overlap;
  /** False: paused, or switched off in the configuration. */
  readonly enabled: boolean;
  /** Null: not while it is paused. */
  readonly next_run: string | null;
}

/** The jobs of the house, for actions: the owner's are all of them, those of others what they stored. What is unknown, double or malformed gives a `SchedulerException` or a `CronException`. */
export interface Schedules {
  /** Refuses a job that could not be stored, whatever others there are. */
  check(job: NewSchedule): void | Promise<void>;
  /** Stores a job for the caller of a run, as whom its list will run; the answer comes when it survives a power cut. */
  add(job: NewSchedule, askedBy: AskedBy): Promise<ScheduleSnapshot>;
  remove(name: string, askedBy: AskedBy): Promise<ScheduleSnapshot>;
  /** Removes all jobs but those of the configuration. */
  removeAll(askedBy: AskedBy): Promise<readonly ScheduleSnapshot[]>;
  list(askedBy: AskedBy): Promise<readonly ScheduleSnapshot[]>;
  /** The next times of a job, whether it is paused or not. */
  next(name: string, count: number, askedBy: AskedBy): Promise<readonly string[]>;
  /** From now on no run starts; what goes on is not stopped. Survives a restart. */
  pause(name: string, askedBy: AskedBy): Promise<ScheduleSnapshot>;
  /** Times that passed meanwhile are not made up for. */
  resume(name: string, askedBy: AskedBy): Promise<ScheduleSnapshot>;
  /** Waits until no run of the job waits or goes on. */
  drained(name: string, signal: AbortSignal, askedBy?: AskedBy): Promise<void>;
}
