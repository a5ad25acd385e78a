import { SubstitutionException } from '../../core/errors.ts';

/** Writes a date as a strftime format asks, with English names, in local time unless a zone is given. */
export const formatDate = (date: Date, format: string, timeZone?: string): string => {
  const fault = formatFault(format);
  if (fault !== undefined)
    throw new SubstitutionException(`The date format ${JSON.stringify(format)} cannot be used: ${fault}.`, { context: { format } });
  return write(momentOf(date, timeZone), format);
};

/** Writes a date as ISO 8601 with its offset, in local time unless a zone is given. */
export const formatIsoDate = (date: Date, timeZone?: string): string => {
  const moment = momentOf(date, timeZone);
  return write(moment, '%FT%T') + offsetOf(moment, ':');
};

/** What is wrong with a format and what to do about it; undefined when it can be used. */
export const formatFault = (format: string): string | undefined => {
  for (const [written, letter = ''] of format.matchAll(/%(.?)/gs)) {
    if (!directives.has(letter)) return `${written} is no directive; use ${[...directives.keys()].map((known) => `%${known}`).join(' ')}`;
  }
  return undefined;
};

interface Moment {
  readonly instant: Date;
  /** The clock on the wall, in the UTC fields of a date: one way to read local time and any zone. */
  readonly wall: Date;
  readonly offsetMinutes: number;
  readonly timeZone: string | undefined;
}

const momentOf = (instant: Date, timeZone: string | undefined): Moment => {
  const offsetMinutes = timeZone === undefined ? -instant.getTimezoneOffset() : offsetMinutesIn(timeZone, instant);
  return { instant, wall: new Date(instant.getTime() + offsetMinutes * 60_000), offsetMinutes, timeZone };
};

const offsetMinutesIn = (timeZone: string, instant: Date): number => {
  const written = zoneName('en-US', { timeZone, timeZoneName: 'longOffset' }, instant); // GMT or GMT+05:30; old dates have seconds too
  const [, sign = '+', hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(written) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes) + Number(seconds) / 60);
};

const zoneName = (locale: string, options: Intl.DateTimeFormatOptions, instant: Date): string =>
  new Intl.DateTimeFormat(locale, options).formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Each English-speaking country has short names for its own zones only and writes GMT+1 for the others. */
const shortZoneName = ({ instant, timeZone }: Moment): string => {
  const names = ['en-US', 'en-GB', 'en-AU', 'en-IN'].map((locale) => zoneName(locale, { timeZone, timeZoneName: 'short' }, instant));
  return names.find((name) => !/^GMT[+-]/.test(name)) ?? names[0] ?? '';
};

const write = (moment: Moment, format: string): string =>
  format.replace(/%(.)/gs, (_, letter: string) => directives.get(letter)?.(moment) ?? '');

const offsetOf = ({ offsetMinutes }: Moment, separator: string): string => {
  const minutes = Math.abs(offsetMinutes);
  return `${offsetMinutes < 0 ? '-' : '+'}${digits(minutes / 60, 2)}${separator}${digits(minutes % 60, 2)}`;
};

const digits = (value: number, width: number): string => String(Math.floor(value)).padStart(width, '0');

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const dayName = ({ wall }: Moment): string => days[wall.getUTCDay()] ?? '';
const monthName = ({ wall }: Moment): string => months[wall.getUTCMonth()] ?? '';
const dayOfYear = ({ wall }: Moment): number => (wall.getTime() - Date.UTC(wall.getUTCFullYear(), 0, 1)) / 86_400_000 + 1;

const directives: ReadonlyMap<string, (moment: Moment) => string> = new Map<string, (moment: Moment) => string>([
  ['Y', ({ wall }) => digits(wall.getUTCFullYear(), 4)],
  ['y', ({ wall }) => digits(wall.getUTCFullYear() % 100, 2)],
  ['m', ({ wall }) => digits(wall.getUTCMonth() + 1, 2)],
  ['d', ({ wall }) => digits(wall.getUTCDate(), 2)],
  ['H', ({ wall }) => digits(wall.getUTCHours(), 2)],
  ['M', ({ wall }) => digits(wall.getUTCMinutes(), 2)],
  ['S', ({ wall }) => digits(wall.getUTCSeconds(), 2)],
  ['f', ({ wall }) => digits(wall.getUTCMilliseconds() * 1000, 6)],
  ['j', (moment) => digits(dayOfYear(moment), 3)],
  ['a', (moment) => dayName(moment).slice(0, 3)],
  ['A', dayName],
  ['b', (moment) => monthName(moment).slice(0, 3)],
  ['B', monthName],
  ['I', ({ wall }) => digits(wall.getUTCHours() % 12 || 12, 2)],
  ['p', ({ wall }) => (wall.getUTCHours() < 12 ? 'AM' : 'PM')],
  ['z', (moment) => offsetOf(moment, '')],
  ['Z', shortZoneName],
  ['s', ({ instant }) => String(Math.floor(instant.getTime() / 1000))],
  ['F', (moment) => write(moment, '%Y-%m-%d')],
  ['T', (moment) => write(moment, '%H:%M:%S')],
  ['%', () => '%'],
]);
