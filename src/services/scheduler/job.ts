import type { Json } from '../../core/errors.ts';
import type { ScheduleRules } from '../../core/ports/scheduler.ts';
import type { Cron } from '../../lib/cron/cron.ts';
import { parseCron } from '../../lib/cron/parse-cron.ts';
import { machineZone, openTimeZone, type TimeZone } from '../../lib/cron/time-zone.ts';
import type { Schedule } from '../engine/port/shelves.ts';

/** What is stored of a job beside its times, its list and its counts. */
export interface JobNotes {
  readonly rules: Partial<ScheduleRules>;
  /** As whom its list runs. */
  readonly caller: string;
  /** Whether it stands in the configuration, which then decides about it. */
  readonly isConfigured: boolean;
  readonly isPaused: boolean;
  /** Times up to here do not count. */
  readonly since: number;
}

/** A stored job, ready to be asked for its times. */
export interface Job {
  readonly name: string;
  readonly stored: Schedule;
  readonly notes: JobNotes;
  readonly rules: ScheduleRules;
  readonly cron: Cron;
  readonly zone: TimeZone;
}

/** What holds where a job does not say otherwise. */
const DEFAULT_RULES: ScheduleRules = {
  overlap: 'skip',
  catchUp: 'none',
  catchUpWindowS: 86_400,
  catchUpMax: 10,
  jitterS: 0,
  deadlineS: null,
  maxDurationS: null,
  expectEveryS: null,
};

/** Makes a reader of stored jobs, which throws `CronException` where one cannot be read. Jobs that share an expression or a time zone share what was read of it. */
export const createJobReader = (): ((stored: Schedule) => Job) => {
  const crons = shared(parseCron);
  const zones = shared(openTimeZone);
  const here = machineZone();
  return (stored) => {
    const notes = notesOf(stored);
    return {
      name: stored.name,
      stored,
      notes,
      rules: { ...DEFAULT_RULES, ...notes.rules },
      cron: crons(stored.cron),
      zone: zones(stored.timezone ?? here),
    };
  };
};

/** Remembers some thousand answers; expressions come from callers, so not all of them. */
const MOST_KEPT = 4096;

const shared = <T>(read: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const kept = known.get(text);
    if (kept !== undefined) return kept;
    const made = read(text);
    if (known.size >= MOST_KEPT) known.clear();
    known.set(text, made);
    return made;
  };
};

const notesOf = ({ options }: Pick<Schedule, 'options'>): JobNotes =>
  // Nobody but `toOptions` writes them.
  options as unknown as JobNotes;

/** Notes as the store keeps them. */
export const toOptions = (notes: JobNotes): Json =>
  // Plain values, numbers, texts and null, all the way down.
  notes as unknown as Json;

/** Noticed a minute late or more, a time was missed. */
export const ON_TIME_MS = 60_000;

/** Up to where the times of a job are settled, whatever became of them. What a clock that was ahead has settled does not count. */
export const settledUntil = ({ stored, notes }: Job, now: number): number => {
  const settled = Math.max(stored.lastSlot ?? 0, notes.since);
  return settled > now ? now - ON_TIME_MS : settled;
};
