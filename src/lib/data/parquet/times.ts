import type { TimeUnit } from './column-type.ts';

const DIGITS: Readonly<Record<TimeUnit, number>> = { ms: 3, us: 6, ns: 9 };
const MS_A_DAY = 86_400_000;
const DAYS_OF_400_YEARS = 146_097;
const SECONDS_A_DAY = 86_400n;
const DATE = /^([+-]?\d{4,6})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?$/;
const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;

/** Days since 1970 of a date such as 2026-01-31; undefined for what is none. */
export const parseDate = (text: string): number | undefined => {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  // What the calendar does not have, such as February 30, moves on to another day.
  return date.getUTCMonth() === Number(match[2]) - 1 && date.getUTCDate() === Number(match[3]) ? date.getTime() / MS_A_DAY : undefined;
};

/** A date as text. */
export const formatDate = (days: number): string => {
  // A date of JavaScript ends with the year 275760; the calendar comes round every 400 years.
  const rounds = Math.floor(days / DAYS_OF_400_YEARS);
  const date = new Date((days - rounds * DAYS_OF_400_YEARS) * MS_A_DAY);
  const year = date.getUTCFullYear() + rounds * 400;
  const digits =
    year < 0 || year > 9999 ? `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}` : String(year).padStart(4, '0');
  return `${digits}${date.toISOString().slice(4, 10)}`;
};

/** Units since midnight of a time such as 13:05:00.25; undefined for what is none or is finer than the unit. */
export const parseTime = (text: string, unit: TimeUnit): bigint | undefined => {
  const match = TIME.exec(text);
  const fraction = (match?.[4] ?? '').replace(/0+$/, '');
  if (match === null || fraction.length > DIGITS[unit]) return undefined;
  const seconds = Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]);
  return BigInt(`${seconds}${fraction.padEnd(DIGITS[unit], '0')}`);
};

/** A time of day as text, with as many digits as the unit has. */
export const formatTime = (units: bigint, unit: TimeUnit): string => {
  const { whole: seconds, fraction } = divided(units, unit);
  if (seconds < 0n || seconds >= SECONDS_A_DAY) throw new RangeError('a time of day is none');
  return `${clockOf(seconds)}.${fraction}`;
};

const clockOf = (seconds: bigint): string => {
  const ofDay = Number(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(ofDay / 3600))}:${two(Math.floor(ofDay / 60) % 60)}:${two(ofDay % 60)}`;
};

/** Units since 1970 of a moment such as 2026-01-31T13:05:00.25Z; with an offset exactly where one is wanted. */
export const parseTimestamp = (text: string, unit: TimeUnit, isUtc: boolean): bigint | undefined => {
  const offset = OFFSET.exec(text)?.[0] ?? '';
  if ((offset !== '') !== isUtc) return undefined;
  const [date = '', time = ''] = text.slice(0, text.length - offset.length).split(/[T ]/, 2);
  const days = parseDate(date);
  const clock = parseTime(time, unit);
  if (days === undefined || clock === undefined) return undefined;
  const perSecond = 10n ** BigInt(DIGITS[unit]);
  return (BigInt(days) * 86_400n - offsetSeconds(offset)) * perSecond + clock;
};

/** A moment as text, with as many digits as the unit has. */
export const formatTimestamp = (units: bigint, unit: TimeUnit, isUtc: boolean): string => {
  const { whole: seconds, fraction } = divided(units, unit);
  const ofDay = ((seconds % SECONDS_A_DAY) + SECONDS_A_DAY) % SECONDS_A_DAY;
  return `${formatDate(Number((seconds - ofDay) / SECONDS_A_DAY))}T${clockOf(ofDay)}.${fraction}${isUtc ? 'Z' : ''}`;
};

/** Rounded down, so that the fraction counts forward before 1970 too. */
const divided = (units: bigint, unit: TimeUnit): { readonly whole: bigint; readonly fraction: string } => {
  const perSecond = 10n ** BigInt(DIGITS[unit]);
  const rest = ((units % perSecond) + perSecond) % perSecond;
  return { whole: (units - rest) / perSecond, fraction: String(rest).padStart(DIGITS[unit], '0') };
};

const offsetSeconds = (offset: string): bigint => {
  if (offset === '' || offset === 'Z') return 0n;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  return BigInt((offset.startsWith('-') ? -minutes : minutes) * 60);
};
