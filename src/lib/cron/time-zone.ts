import { CronException } from '../../core/errors.ts';
import { DAY_MS, MINUTE_MS } from './units.ts';

/** A stretch of time in which the clocks of a zone keep one distance from UTC; `until` is outside. */
export interface Span {
  readonly until: number;
  readonly offsetMs: number;
}

/** A time zone as cron needs it. Instants are milliseconds since the epoch. */
export interface TimeZone {
  readonly name: string;
  spanAt(instant: number): Span;
}

/** How far a span is followed at once. Longer ones come in several pieces, which is all the same to those who walk them. */
const PIECE_DAYS = 200;

/** The time zone of this machine. */
export const machineZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Finds a time zone by its name; throws `CronException` where there is none. */
export const openTimeZone = (name: string): TimeZone => {
  const offsetAt = readOffsets(name);
  const pieces = new Map<number, readonly Span[]>();

  const pieceAt = (at: number): readonly Span[] => {
    const known = pieces.get(at);
    if (known !== undefined) return known;
    const spans = spansBetween(at * PIECE_DAYS * DAY_MS, (at + 1) * PIECE_DAYS * DAY_MS, offsetAt);
    pieces.set(at, spans);
    return spans;
  };

  return {
    name,
    spanAt(instant) {
      const spans = pieceAt(Math.floor(instant / (PIECE_DAYS * DAY_MS)));
      return spans.find(({ until }) => instant < until) as Span; // the spans of a piece cover it
    },
  };
};

/** The spans from one instant to another. Clocks are changed at most once a day. */
const spansBetween = (from: number, until: number, offsetAt: (instant: number) => number): readonly Span[] => {
  const spans: Span[] = [];
  let offsetMs = offsetAt(from);
  for (let day = from + DAY_MS; day <= until; day += DAY_MS) {
    const next = offsetAt(day);
    if (next === offsetMs) continue;
    const change = changeBetween(day - DAY_MS, day, offsetAt);
    spans.push({ until: change, offsetMs });
    offsetMs = next;
  }
  spans.push({ until, offsetMs });
  return spans;
};

/** The first minute after `before` at which the clocks are as at `after`. */
const changeBetween = (before: number, after: number, offsetAt: (instant: number) => number): number => {
  const offset = offsetAt(after);
  let low = before / MINUTE_MS;
  let high = after / MINUTE_MS;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * MINUTE_MS) === offset) high = middle;
    else low = middle;
  }
  return high * MINUTE_MS;
};

/** The distance of the zone's clocks from UTC, in whole minutes. */
const readOffsets = (name: string): ((instant: number) => number) => {
  const format = formatOf(name);
  return (instant) => {
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = (format.format(instant).match(/\d+/g) ?? []).map(Number);
    return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(instant / MINUTE_MS) * MINUTE_MS;
  };
};

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  } catch (cause) {
    throw new CronException(`No time zone is called ${JSON.stringify(timeZone)}; write one such as Europe/Vienna.`, {
      cause,
      context: { time_zone: timeZone },
    });
  }
};

/** An instant as ISO 8601 to the second, with the offset that the clocks of the zone have then. */
export const isoIn = (zone: TimeZone, instant: number): string => {
  const { offsetMs } = zone.spanAt(instant);
  const minutes = Math.abs(offsetMs) / MINUTE_MS;
  const two = (value: number) => String(value).padStart(2, '0');
  const wall = new Date(instant + offsetMs).toISOString().slice(0, 19);
  return `${wall}${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
};
