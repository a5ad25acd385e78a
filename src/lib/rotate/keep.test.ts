import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Backup, decide, type KeepRules } from './keep.ts';

const NONE: KeepRules = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
const at = (...times: readonly string[]): Backup[] => times.map((time) => ({ path: time, timeMs: Date.parse(`${time}Z`) }));
const NOW = Date.parse('2040-01-01T00:00Z');
const kept = (backups: readonly Backup[], rules: Partial<KeepRules>, nowMs = NOW) =>
  decide(backups, { ...NONE, ...rules }, nowMs)
    .filter(({ reasons }) => reasons.length > 0)
    .map(({ path, reasons }) => [path, ...reasons]);

describe('decide', () => {
  test('keeps the newest of each period that has any, from the newest period on', () => {
    const backups = at('2025-01-01T10:00', '2025-01-01T23:00', '2025-01-03T01:00', '2025-01-09T01:00');
    expect(kept(backups, { daily: 3 })).toEqual([
      ['2025-01-09T01:00', 'daily 2025-01-09'],
      ['2025-01-03T01:00', 'daily 2025-01-03'],
      ['2025-01-01T23:00', 'daily 2025-01-01'],
    ]);
  });

  test('weeks are those of ISO 8601, at the turn of the year too', () => {
    const backups = at('2024-12-29T12:00', '2024-12-30T12:00', '2025-01-05T12:00', '2025-01-06T12:00', '2021-01-03T12:00');
    expect(kept(backups, { weekly: 9 })).toEqual([
      ['2025-01-06T12:00', 'weekly 2025-W02'],
      ['2025-01-05T12:00', 'weekly 2025-W01'],
      ['2024-12-29T12:00', 'weekly 2024-W52'],
      ['2021-01-03T12:00', 'weekly 2020-W53'],
    ]);
  });

  test('one backup may be kept for many reasons', () => {
    expect(kept(at('2025-06-15T12:00'), { last: 1, daily: 1, weekly: 1, monthly: 1, yearly: 1 })).toEqual([
      ['2025-06-15T12:00', 'last 1', 'daily 2025-06-15', 'weekly 2025-W24', 'monthly 2025-06', 'yearly 2025'],
    ]);
  });

  test('of backups of the same moment the first by name counts as the newest', () => {
    const timeMs = Date.parse('2025-01-01T00:00Z');
    expect(
      kept(
        ['b', 'a', 'c'].map((path) => ({ path, timeMs })),
        { last: 1 },
      ),
    ).toEqual([['a', 'last 1']]);
  });

  test('the newest is kept by every rule, nothing more than the rules ask for, and the order given does not matter', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 2_000_000_000 }), { minLength: 1, maxLength: 40 });
    const rule = fc.constantFrom('last', 'daily', 'weekly', 'monthly', 'yearly') satisfies fc.Arbitrary<keyof KeepRules>;
    fc.assert(
      fc.property(times, rule, fc.integer({ min: 1, max: 5 }), (seconds, kind, count) => {
        const backups = seconds.map((each) => ({ path: String(each), timeMs: each * 1000 }));
        const chosen = kept(backups, { [kind]: count });
        expect(chosen[0]?.[0]).toBe(String(Math.max(...seconds)));
        expect(chosen.length).toBeLessThanOrEqual(count);
        expect(kept(backups.toReversed(), { [kind]: count })).toEqual(chosen);
      }),
    );
  });

  test('those of the future stay, and take the place of none that is there', () => {
    const backups = at('2031-01-01T00:00', '2025-01-03T00:00', '2025-01-02T00:00', '2025-01-01T00:00');
    expect(kept(backups, { last: 1, daily: 2 }, Date.parse('2025-01-04T00:00Z'))).toEqual([
      ['2031-01-01T00:00', 'future'],
      ['2025-01-03T00:00', 'last 1', 'daily 2025-01-03'],
      ['2025-01-02T00:00', 'daily 2025-01-02'],
    ]);
  });
});

describe('what the manual of restic says of its policies', () => {
  const DAY_MS = 86_400_000;
  const days = (first: string, count: number, step = 1): Backup[] =>
    Array.from({ length: count }, (_, day) =>
      new Date(Date.parse(`${first}T11:00Z`) + day * step * DAY_MS).toISOString().slice(0, 16),
    ).flatMap((time) => at(time));
  const names = (backups: readonly Backup[], rules: Partial<KeepRules>) => kept(backups, rules).map(([path = '']) => path.slice(0, 10));

  test('of twelve Sundays the last four are kept by days: only days that have backups count', () => {
    expect(names(days('2019-09-01', 12, 7), { daily: 4 })).toEqual(['2019-11-17', '2019-11-10', '2019-11-03', '2019-10-27']);
  });

  test('a backup a day for a hundred years: 7 days, 4 more weeks, 11 or 12 more months, 74 or 75 more years', () => {
    const century = days('1920-01-01', 36_525); // to the last day of 2019, a Tuesday
    const rules = { daily: 7, weekly: 5, monthly: 12, yearly: 75 };
    const all = names(century, rules);
    expect(all.slice(0, 7)).toEqual(['12-31', '12-30', '12-29', '12-28', '12-27', '12-26', '12-25'].map((day) => `2019-${day}`));
    // The 31st is the week so far, the 29th its second one; both are among the days.
    const lastYears = century.slice(-1000);
    expect(names(lastYears, { weekly: 5 })).toEqual(['2019-12-31', '2019-12-29', '2019-12-22', '2019-12-15', '2019-12-08']);
    expect(names(lastYears, { monthly: 12 }).at(-1)).toBe('2019-01-31');
    expect(all.at(-1)).toBe('1945-12-31');
    expect(all).toHaveLength(7 + 3 + 11 + 74);
  });

  test.each([
    ['weeks go from Monday to Sunday', { weekly: 2 }, ['2024-01-07', '2023-12-31']],
    ['months are those of the calendar', { monthly: 2 }, ['2024-01-07', '2023-12-31']],
    ['years are those of the calendar', { yearly: 2 }, ['2024-01-07', '2023-12-31']],
    ['one rule is enough to be kept', { last: 2, yearly: 2 }, ['2024-01-07', '2024-01-06', '2023-12-31']],
  ] as const)('%s', (_, rules, expected) => {
    expect(names(days('2023-12-01', 38), rules)).toEqual(expected);
  });
});
