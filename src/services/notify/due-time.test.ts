import { describe, expect, test } from 'vitest';
import { dueTimeOf } from './due-time.ts';

const due = (sink: { digest_s?: number; quiet_hours?: string; time_zone?: string }, at: string, level: 'info' | 'error' = 'info') => {
  const time = dueTimeOf({ digest_s: 0, ...sink }, level, Date.parse(at));
  return time === undefined ? 'at once' : new Date(time).toISOString();
};
const NIGHT = { quiet_hours: '22:00-07:00', time_zone: 'Europe/Vienna' };

describe('quiet hours', () => {
  test.each([
    ['before they begin', '2026-01-10T20:59:59Z', 'at once'],
    ['when they begin', '2026-01-10T21:00:00Z', '2026-01-11T06:00:00.000Z'],
    ['after midnight', '2026-01-11T00:30:10Z', '2026-01-11T06:00:00.000Z'],
    ['in their last minute', '2026-01-11T05:59:59Z', '2026-01-11T06:00:00.000Z'],
    ['when they are over', '2026-01-11T06:00:00Z', 'at once'],
    ['in the night when clocks go forward', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
    ['in the night when clocks go back', '2026-10-24T22:00:00Z', '2026-10-25T06:00:00.000Z'],
  ])('%s', (_, at, wanted) => expect(due(NIGHT, at)).toBe(wanted));

  test('an error is told at once', () => expect(due(NIGHT, '2026-01-11T00:30:00Z', 'error')).toBe('at once'));

  test('those of one day need not pass midnight', () => {
    const noon = { quiet_hours: '12:00-13:30', time_zone: 'UTC' };
    expect(due(noon, '2026-01-11T12:10:00Z')).toBe('2026-01-11T13:30:00.000Z');
    expect(due(noon, '2026-01-11T13:30:00Z')).toBe('at once');
  });

  test('hours that begin when they end are none', () => {
    expect(due({ quiet_hours: '08:00-08:00', time_zone: 'UTC' }, '2026-01-11T08:00:00Z')).toBe('at once');
  });
});

describe('digests', () => {
  test('end at whole multiples of their length, so that all messages of a stretch are due together', () => {
    expect(due({ digest_s: 900 }, '2026-01-11T12:01:00Z')).toBe('2026-01-11T12:15:00.000Z');
    expect(due({ digest_s: 900 }, '2026-01-11T12:14:59Z')).toBe('2026-01-11T12:15:00.000Z');
    expect(due({ digest_s: 900 }, '2026-01-11T12:15:00Z', 'error')).toBe('2026-01-11T12:30:00.000Z');
  });

  test('wait for the end of quiet hours', () => {
    expect(due({ ...NIGHT, digest_s: 3600 }, '2026-01-10T20:30:00Z')).toBe('2026-01-11T06:00:00.000Z');
  });
});
