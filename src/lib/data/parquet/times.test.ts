import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDecimal, parseDecimal } from './decimals.ts';
import { formatDate, formatTime, formatTimestamp, parseDate, parseTime, parseTimestamp } from './times.ts';

const unit = fc.constantFrom('ms', 'us', 'ns');

test('moments are the same again, before 1970 too', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), fc.boolean(), (units, isUtc) => {
      expect(parseTimestamp(formatTimestamp(units, 'ns', isUtc), 'ns', isUtc)).toBe(units);
    }),
  );
});

test('an offset is taken into account', () => {
  expect(parseTimestamp('2026-01-31T13:05:00+02:00', 'ms', true)).toBe(parseTimestamp('2026-01-31T11:05:00Z', 'ms', true));
  expect(parseTimestamp('2026-01-31 13:05:00-09:30', 'ms', true)).toBe(parseTimestamp('2026-01-31T22:35:00Z', 'ms', true));
});

test('dates and times of day are the same again', () => {
  fc.assert(
    fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), fc.integer({ min: 0, max: 86_399_999 }), unit, (days, ms, each) => {
      expect(parseDate(formatDate(days))).toBe(days);
      expect(parseTime(formatTime(BigInt(ms), 'ms'), 'ms')).toBe(BigInt(ms));
      expect(parseTime(formatTime(BigInt(ms), each), each)).toBe(BigInt(ms));
    }),
  );
});

test('decimals are the same again', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), fc.integer({ min: 0, max: 38 }), (digits, scale) => {
      expect(parseDecimal(formatDecimal(digits, scale), 38, scale)).toBe(digits);
    }),
  );
});
