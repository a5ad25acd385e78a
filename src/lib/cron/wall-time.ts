import type { Cron } from './cron.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './units.ts';

// Wall time is what clocks show, written as if it were UTC: without zones, every day has 24 hours.

/** The first wall time from `from` on that fits; undefined where none does up to `limit`. */
export const nextWallTime = (cron: Cron, from: number, limit: number): number | undefined => {
  let midnight = Math.floor(from / DAY_MS) * DAY_MS;
  let earliest = from - midnight;
  while (midnight <= limit) {
    const date = new Date(midnight);
    if (!cron.values.month.includes(date.getUTCMonth() + 1)) midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    else {
      const time = hasDay(cron, date) ? nextTimeOfDay(cron, earliest) : undefined;
      if (time !== undefined) return midnight + time;
      midnight += DAY_MS;
    }
    earliest = 0;
  }
  return undefined;
};

/** Whether the expression names this day. */
export const hasDay = ({ values, eitherDay }: Cron, date: Date): boolean => {
  if (!values.month.includes(date.getUTCMonth() + 1)) return false;
  const byDate = values.dom.includes(date.getUTCDate());
  const byWeekday = values.dow.includes(date.getUTCDay());
  return eitherDay ? byDate || byWeekday : byDate && byWeekday;
};

/** The first time of day that fits and is not before `earliest`, both in milliseconds since midnight. */
const nextTimeOfDay = ({ values }: Cron, earliest: number): number | undefined => {
  for (const hour of values.hour) {
    if ((hour + 1) * HOUR_MS <= earliest) continue;
    const minute = values.minute.find((each) => hour * HOUR_MS + each * MINUTE_MS >= earliest);
    if (minute !== undefined) return hour * HOUR_MS + minute * MINUTE_MS;
  }
  return undefined;
};
