import type { Cron } from './cron.ts';
import type { TimeZone } from './time-zone.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './units.ts';
import { hasDay, nextWallTime } from './wall-time.ts';

/** What has no fire in all these years never has one: leap days are at most eight years apart. */
const HORIZON_MS = 9 * 366 * DAY_MS;
/** No clock is further from UTC than this, and no change of clocks is wider: a zone may skip a whole day. */
const WIDEST_MS = 50 * HOUR_MS;

/** The first fire strictly after an instant; undefined where there is none within nine years. */
export const nextFire = (cron: Cron, zone: TimeZone, after: number): number | undefined =>
  cron.isFixed ? nextFixed(cron, zone, after) : nextReal(cron, zone, after);

/** Whether the expression fires in the minute of an instant. */
export const firesAt = (cron: Cron, zone: TimeZone, instant: number): boolean => {
  const minute = cutToMinute(instant);
  return nextFire(cron, zone, minute - MINUTE_MS) === minute;
};

/** The following fires, `count` at most. */
export const nextFires = (cron: Cron, zone: TimeZone, after: number, count: number): number[] => {
  const fires: number[] = [];
  for (let next = nextFire(cron, zone, after); next !== undefined && fires.length < count; next = nextFire(cron, zone, next)) {
    fires.push(next);
  }
  return fires;
};

/** Whether the date and time that a clock shows, given as if it were UTC, fit the expression. */
export const matchesWall = (cron: Cron, wall: number): boolean => {
  const at = new Date(wall);
  return cron.values.minute.includes(at.getUTCMinutes()) && cron.values.hour.includes(at.getUTCHours()) && hasDay(cron, at);
};

const cutToMinute = (instant: number): number => Math.floor(instant / MINUTE_MS) * MINUTE_MS;

/** Every real minute counts: each span of unchanged clocks is searched in turn. */
const nextReal = (cron: Cron, zone: TimeZone, after: number): number | undefined => {
  const limit = after + HORIZON_MS;
  let instant = cutToMinute(after) + MINUTE_MS;
  while (instant <= limit) {
    const { until, offsetMs } = zone.spanAt(instant);
    const wall = nextWallTime(cron, instant + offsetMs, Math.min(until, limit) + offsetMs);
    if (wall !== undefined && wall - offsetMs < until) return wall - offsetMs;
    instant = until;
  }
  return undefined;
};

/** A fixed time happens once: at its first occurrence, or right after the gap that swallowed it. */
const nextFixed = (cron: Cron, zone: TimeZone, after: number): number | undefined => {
  const start = cutToMinute(after);
  const limit = start + HORIZON_MS;
  let wall = start + zone.spanAt(start).offsetMs;
  for (;;) {
    const found = nextWallTime(cron, wall + MINUTE_MS, limit);
    if (found === undefined) return undefined;
    const instant = instantOf(zone, found);
    if (instant > start) return instant;
    wall = found;
  }
};

/** When clocks first show this time, or the end of the gap that they jump over. */
const instantOf = (zone: TimeZone, wall: number): number => {
  let instant = wall - WIDEST_MS;
  for (;;) {
    const { until, offsetMs } = zone.spanAt(instant);
    if (wall - offsetMs < until) return Math.max(wall - offsetMs, instant);
    instant = until;
  }
};
