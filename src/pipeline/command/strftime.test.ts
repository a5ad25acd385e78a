import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SubstitutionException } from '../../core/errors.ts';
import { formatDate, formatIsoDate } from './strftime.ts';

const dates = fc.date({ min: new Date('1975-01-01T00:00:00Z'), max: new Date('2200-01-01T00:00:00Z'), noInvalidDate: true });
const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Kiritimati',
);

describe('formatDate', () => {
  const date = new Date('2026-12-31T23:30:05.007Z');

  test.each([
    ['%Y %y %m %d %H %M %S %f %j', 'UTC', '2026 26 12 31 23 30 05 007000 365'],
    ['%a %A %b %B %I %p', 'UTC', 'Thu Thursday Dec December 11 PM'],
    ['%z %Z %s %F %T %%', 'UTC', '+0000 UTC 1798759805 2026-12-31 23:30:05 %'],
    ['%F %T %j %I %p', 'Asia/Kolkata', '2027-01-01 05:00:05 001 05 AM'],
    ['%z %Z', 'Asia/Kolkata', '+0530 IST'],
    ['%z %Z', 'America/St_Johns', '-0330 GMT-3:30'],
    ['%z %Z', 'Europe/Berlin', '+0100 CET'],
    ['%z %Z', 'America/New_York', '-0500 EST'],
    ['%%Y', 'UTC', '%Y'],
    ['', 'UTC', ''],
  ])('writes %s in %s', (format, zone, written) => {
    expect(formatDate(date, format, zone)).toBe(written);
  });

  test.each([
    ['2026-01-01T00:00:00Z', '12 AM'],
    ['2026-01-01T12:00:00Z', '12 PM'],
    ['2026-01-01T13:00:00Z', '01 PM'],
  ])('writes %s on a clock of twelve hours', (at, written) => {
    expect(formatDate(new Date(at), '%I %p', 'UTC')).toBe(written);
  });

  test('follows summer time', () => {
    expect(formatDate(new Date('2026-07-01T12:00:00Z'), '%H %z', 'Europe/Berlin')).toBe('14 +0200');
  });

  test.each(['%G', '%', 'x%', '%-d', '%c', '%é', '%%%'])('refuses %s', (format) => {
    expect(() => formatDate(date, format)).toThrow(SubstitutionException);
  });

  test('uses local time when no zone is given', () => {
    const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
    fc.assert(fc.property(dates, (at) => formatDate(at, '%F %T.%f %z %Z', local) === formatDate(at, '%F %T.%f %z %Z')));
  });
});

describe('formatIsoDate', () => {
  test('names the same second in every zone', () => {
    fc.assert(fc.property(dates, zones, (at, zone) => Math.floor(at.getTime() / 1000) * 1000 === Date.parse(formatIsoDate(at, zone))));
  });

  test('is the wall clock with its offset', () => {
    expect(formatIsoDate(new Date('2026-03-07T05:06:07.089Z'), 'Asia/Kolkata')).toBe('2026-03-07T10:36:07+05:30');
  });
});
