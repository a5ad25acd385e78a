import { readFileSync } from 'node:fs';
import { Cron as Croner } from 'croner';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CronException } from '../../core/errors.ts';
import type { CronField } from './cron.ts';
import { firesAt, matchesWall, nextFire, nextFires } from './next-fire.ts';
import { parseCron } from './parse-cron.ts';
import { isoIn, machineZone, openTimeZone } from './time-zone.ts';

interface Case {
  readonly id: string;
  readonly kind: 'parse' | 'next';
  readonly expr: unknown;
  readonly tz: string;
  readonly after: string;
  readonly why: string;
  readonly expect: {
    readonly valid: boolean;
    readonly expand?: { readonly [F in CronField]?: readonly number[] };
    readonly next: readonly string[];
  };
}

const cases: readonly Case[] = JSON.parse(readFileSync('test/fixtures/corpus/cron.json', 'utf8')).cases;
const shown = (instant: number): string => new Date(instant).toISOString().replace(':00.000Z', 'Z');
const MINUTE_MS = 60_000;

describe('expressions', () => {
  test.each(cases.filter(({ kind }) => kind === 'parse'))('$id: $why', ({ expr, expect: { valid, expand = {} } }) => {
    if (!valid) expect(() => parseCron(expr)).toThrow(CronException);
    else expect(parseCron(expr).values).toMatchObject(expand);
  });

  test.each([
    ['1,*/15 * * * *', 'minute', [0, 1, 15, 30, 45]],
    ['0 */8,5 * * *', 'hour', [0, 5, 8, 16]],
    ['0 0 * * */3,fri', 'dow', [0, 3, 5, 6]],
  ] as const)('%s: a star with a step may stand in a list, as cron has it', (text, name, values) => {
    expect(parseCron(text).values[name]).toEqual(values);
  });

  test('a refusal names the field and what it takes', () => {
    expect(() => parseCron('0 24 * * *')).toThrow(
      'The hour field cannot be "24"; it takes *, values from 0 to 23, ranges, lists, and steps up to 24.',
    );
    expect(() => parseCron('0 0 * * monday')).toThrow(/^The weekday field .* 0 to 7, or sun to sat,/);
  });

  test('any text is either understood or refused with a typed error', () => {
    const piece = fc.constantFrom('*', '/', '-', ',', ' ', '\t', '0', '5', '59', '60', 'jan', 'sun', 'L', '?', '@', 'é', '\n');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
        ),
        (text) => {
          try {
            for (const values of Object.values(parseCron(text).values)) expect(values.length).toBeGreaterThan(0);
          } catch (fault) {
            expect(fault).toBeInstanceOf(CronException);
          }
        },
      ),
    );
  });
});

describe('the next fires', () => {
  test.each(cases.filter(({ kind }) => kind === 'next'))('$id: $why', ({ expr, tz, after, expect: { next } }) => {
    const zone = openTimeZone(tz);
    expect(nextFires(parseCron(expr), zone, Date.parse(after), Math.max(next.length, 1)).map(shown)).toEqual(next);
  });

  test('an unknown time zone is refused by name', () => {
    expect(() => openTimeZone('Europe/Nowhere')).toThrow(/^No time zone is called "Europe\/Nowhere"/);
  });

  test('the time zone of this machine is one', () => {
    expect(openTimeZone(machineZone()).spanAt(0).until).toBeGreaterThan(0);
  });

  test.each([
    ['UTC', '2026-01-01T00:00:00+00:00'],
    ['America/St_Johns', '2025-12-31T20:30:00-03:30'],
    ['Asia/Kathmandu', '2026-01-01T05:45:00+05:45'],
  ])('an instant is written with the offset of %s', (zone, written) => {
    expect(isoIn(openTimeZone(zone), Date.parse('2026-01-01T00:00Z'))).toBe(written);
  });

  test('a day that a zone left out fires once, when the clocks go on', () => {
    const noon = nextFires(parseCron('0 12 * * *'), openTimeZone('Pacific/Apia'), Date.parse('2011-12-29T00:00Z'), 3);
    expect(noon.map(shown)).toEqual(['2011-12-29T22:00Z', '2011-12-30T10:00Z', '2011-12-30T22:00Z']);
  });
});

const field = (min: number, max: number): fc.Arbitrary<string> => {
  const value = fc.integer({ min, max });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('*') },
    fc.integer({ min: 1, max: max - min }).map((step) => `*/${step}`),
    fc.array(fc.oneof(value.map(String), range), { minLength: 1, maxLength: 3 }).map((items) => items.join(',')),
    fc.tuple(value, fc.integer({ min: 1, max: max - min })).map(([one, step]) => `${one},*/${step}`),
  );
};
const days = fc.oneof(
  fc.tuple(field(1, 31), fc.constant('*')),
  fc.tuple(fc.constant('*'), field(0, 6)),
  fc.tuple(fc.integer({ min: 1, max: 31 }).map(String), fc.integer({ min: 0, max: 6 }).map(String)),
);
const expression = fc
  .tuple(field(0, 59), field(0, 23), days, field(1, 12))
  .map(([minute, hour, [dom, dow], month]) => `${minute} ${hour} ${dom} ${month} ${dow}`);
const instant = fc.date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true }).map((date) => date.getTime());
const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const opened = new Map<string, ReturnType<typeof openTimeZone>>();
const zoneOf = (name: string) => {
  const zone = opened.get(name) ?? openTimeZone(name);
  opened.set(name, zone);
  return zone;
};

/** A moment at which the clocks of a zone change, or any moment where they do not. */
const nearChange = instant.map((start) => (zone: ReturnType<typeof openTimeZone>) => {
  for (let at = start; at < start + 400 * 86_400_000; ) {
    const { until, offsetMs } = zone.spanAt(at);
    if (zone.spanAt(until).offsetMs !== offsetMs) return until;
    at = until;
  }
  return Math.floor(start / MINUTE_MS) * MINUTE_MS;
});

describe('for any expression', () => {
  test('without changes of clocks, another implementation agrees', () => {
    fc.assert(
      fc.property(expression, instant, (text, after) => {
        const fires = nextFires(parseCron(text), zoneOf('UTC'), after, 3);
        const within = fires.filter((fire) => fire < after + 8 * 365 * 86_400_000);
        const others = new Croner(text, { timezone: 'UTC', mode: '5-part' })
          .nextRuns(within.length, new Date(after))
          .map((run) => run.getTime());
        expect(within).toEqual(others);
      }),
    );
  });

  test('fires come in order, on whole minutes, and each is what comes next after any moment before it', () => {
    fc.assert(
      fc.property(expression, zones, instant, (text, name, after) => {
        const cron = parseCron(text);
        const fires = nextFires(cron, zoneOf(name), after, 4);
        for (const [at, fire] of fires.entries()) {
          const before = fires[at - 1] ?? after;
          expect(fire).toBeGreaterThan(before);
          expect(fire % MINUTE_MS).toBe(0);
          expect(nextFire(cron, zoneOf(name), fire - 1)).toBe(fire);
          expect(firesAt(cron, zoneOf(name), fire + 59_999)).toBe(true);
        }
      }),
    );
  });

  test('with a wildcard minute or hour, it fires at exactly the real minutes whose clocks fit', () => {
    const wild = fc.oneof(
      fc.tuple(fc.constantFrom('*/20', '*', '*/45'), field(0, 4)),
      fc.tuple(fc.constantFrom('0', '15,45', '30'), fc.constantFrom('*', '*/2')),
    );
    fc.assert(
      fc.property(wild, zones, nearChange, ([minute, hour], name, change) => {
        const cron = parseCron(`${minute} ${hour} * * *`);
        const zone = zoneOf(name);
        const from = change(zone) - 180 * MINUTE_MS;
        const wanted: number[] = [];
        for (let at = from + MINUTE_MS; at <= from + 360 * MINUTE_MS; at += MINUTE_MS)
          if (matchesWall(cron, at + zone.spanAt(at).offsetMs)) wanted.push(at);
        expect(nextFires(cron, zone, from, wanted.length)).toEqual(wanted);
      }),
      { numRuns: 50 },
    );
  });

  test('with fixed times, each date has each of them once, or they meet after the gap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), zones, nearChange, (hour, minute, name, change) => {
        const zone = zoneOf(name);
        const from = change(zone) - 3 * 86_400_000;
        const fires = nextFires(parseCron(`${minute} ${hour} * * *`), zone, from, 6);
        const gaps = fires.slice(1).map((fire, at) => fire - (fires[at] ?? 0));
        // A day is 24 hours, give or take a change; a zone that drops a date has two fires closer together.
        for (const gap of gaps) expect(gap).toBeLessThanOrEqual(27 * 3_600_000);
        expect(new Set(fires).size).toBe(fires.length);
      }),
      { numRuns: 50 },
    );
  });
});
