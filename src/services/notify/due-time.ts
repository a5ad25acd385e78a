import type { NotificationLevel, SinkTable } from '../../core/ports/notify.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** When a sink wants a message; undefined: at once. Digests end at whole multiples of their length, so that a restart changes nothing. */
export const dueTimeOf = (
  { digest_s, quiet_hours, time_zone }: Pick<SinkTable, 'digest_s' | 'quiet_hours' | 'time_zone'>,
  level: NotificationLevel,
  now: number,
): number | undefined => {
  const digestMs = digest_s * 1000;
  const gathered = digestMs > 0 ? Math.floor(now / digestMs + 1) * digestMs : undefined;
  if (quiet_hours === undefined || level === 'error') return gathered;
  const awake = endOfQuiet(quiet_hours, time_zone, gathered ?? now);
  return awake ?? gathered;
};

/** The first minute after the quiet hours in which an instant lies; undefined where it lies in none. */
const endOfQuiet = (hours: string, timeZone: string | undefined, from: number): number | undefined => {
  const [start = 0, end = 0] = hours.split('-').map(minutesOf);
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  const isQuiet = (at: number) => {
    const minute = minutesOf(clock.format(at));
    return start <= end ? minute >= start && minute < end : minute >= start || minute < end;
  };
  if (!isQuiet(from)) return undefined;
  // Minute by minute on the clock of the zone: sums go wrong on the days when it is put forward or back.
  let at = Math.floor(from / MINUTE_MS) * MINUTE_MS;
  for (let minutes = 0; minutes < 2 * DAY_MINUTES && isQuiet(at); minutes += 1) at += MINUTE_MS;
  return at;
};

const minutesOf = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
};
