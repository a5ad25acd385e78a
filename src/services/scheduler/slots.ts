import { nextFire } from '../../lib/cron/next-fire.ts';
import { type Job, ON_TIME_MS, settledUntil } from './job.ts';

const HOUR_MS = 3_600_000;

/** The times of a job that have come since it was last looked at. */
export interface Due {
  readonly onTime: number | undefined;
  /** Missed times to be made up for, oldest first. */
  readonly madeUp: readonly number[];
  /** The last missed time, where none is made up for. */
  readonly lost: number | undefined;
}

type Times = Pick<Job, 'cron' | 'zone'>;

/** Sorts the times of a job that have come. */
export const dueSlots = (job: Job, now: number): Due => {
  const since = settledUntil(job, now);
  const onTimeFrom = Math.max(since, now - ON_TIME_MS);
  const [onTime] = lastSlots(job, onTimeFrom, now, 1);
  const madeUp = madeUpSlots(job, since, onTimeFrom, now);
  const [lost] = madeUp.length > 0 ? [] : lastSlots(job, since, onTimeFrom, 1);
  return { onTime, madeUp, lost };
};

const madeUpSlots = (job: Job, since: number, until: number, now: number): readonly number[] => {
  const { catchUp, catchUpMax, catchUpWindowS } = job.rules;
  const most = catchUp === 'all' ? catchUpMax : catchUp === 'latest' ? Math.min(1, catchUpMax) : 0;
  return lastSlots(job, Math.max(since, now - catchUpWindowS * 1000), until, most);
};

/** The last times after `from` up to `until`, at most `count`. Looks back step by step: a job of every minute may have been off for years. */
export const lastSlots = (job: Times, from: number, until: number, count: number): readonly number[] => {
  if (count === 0 || from >= until) return [];
  for (let reachMs = HOUR_MS; ; reachMs *= 4) {
    const start = Math.max(from, until - reachMs);
    const slots = slotsBetween(job, start, until);
    if (slots.length >= count || start === from) return slots.slice(-count);
  }
};

const slotsBetween = ({ cron, zone }: Times, from: number, until: number): readonly number[] => {
  const slots: number[] = [];
  for (let slot = nextFire(cron, zone, from); slot !== undefined && slot <= until; slot = nextFire(cron, zone, slot)) slots.push(slot);
  return slots;
};
