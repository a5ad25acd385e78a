import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Backup, decide, type KeepRules } from './keep.ts';

const NONE: KeepRules = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
const at = (...times: readonly string[]): Backup[] => times.map((time) => ({ path: time, timeMs: Date.parse(`${time}Z`) }));
const kept = (backups: readonly Backup[], rules: Partial<KeepRules>) =>
  decide(backups, { ...NONE, ...rules })
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
});
