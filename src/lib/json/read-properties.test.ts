import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonActionException } from '../../core/errors.ts';
import { readJson } from './read.ts';

/** What only the strict reader refuses. */
const STRICTER = ['duplicate_key', 'lone_surrogate', 'depth', 'integer_range', 'overflow'];

type Outcome = { readonly value: unknown } | { readonly reason: unknown };

const strictly = (input: Uint8Array | string): Outcome => {
  try {
    return { value: readJson(input) };
  } catch (fault) {
    if (fault instanceof JsonActionException) return { reason: fault.context.reason };
    throw fault;
  }
};

const loosely = (text: string): Outcome => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { reason: 'syntax' };
  }
};

const values = fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 });

const isStrict = (value: unknown): boolean => {
  // From 1e21 on numbers are written with an exponent.
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value) || Math.abs(value) >= 1e21;
  return typeof value !== 'object' || value === null || Object.values(value).every(isStrict);
};

test('a strict value comes back as it was, however it is laid out', () => {
  fc.assert(
    fc.property(values.filter(isStrict), fc.constantFrom('', ' ', '\t', '\r\n'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(isDeepStrictEqual(readJson(text), JSON.parse(text))).toBe(true);
      expect(JSON.stringify(readJson(Buffer.from(text)), null, indent)).toBe(text);
    }),
  );
});

test('a number is read exactly or refused, never changed', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), fc.bigInt({ min: 2n ** 53n - 9n, max: 2n ** 53n + 9n })),
      (integer) => {
        const isSafe = -(2n ** 53n) < integer && integer < 2n ** 53n;
        expect(strictly(`${integer}`)).toEqual(isSafe ? { value: Number(integer) } : { reason: 'integer_range' });
      },
    ),
  );
});

test('a string is read exactly when its surrogates are paired, raw or escaped', () => {
  const units = fc.oneof(fc.integer({ min: 0xd7f0, max: 0xe00f }), fc.nat(0xffff));
  const text = fc.array(units).map((codes) => String.fromCharCode(...codes));
  const escapeAll = (string: string) => `"${string.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
  fc.assert(
    fc.property(text, (string) => {
      const expected = /\p{Surrogate}/u.test(string) ? { reason: 'lone_surrogate' } : { value: string };
      expect(strictly(JSON.stringify(string))).toEqual(expected);
      expect(strictly(escapeAll(string))).toEqual(expected);
    }),
  );
});

test('keys are refused exactly when two of an object are the same', () => {
  const keys = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\\u0061', '\\n', '1'), maxLength: 3 }), { maxLength: 14 });
  fc.assert(
    fc.property(keys, (written) => {
      const isDistinct = new Set(written.map((key) => key.replaceAll('\\u0061', 'a'))).size === written.length;
      const outcome = strictly(`{${written.map((key) => `"${key}":0`).join()}}`);
      expect('value' in outcome).toBe(isDistinct);
    }),
  );
});

/** Pieces that are likely to break a text, or to make another valid one of it. */
const pieces = fc.oneof(
  fc.constantFrom(
    '',
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"',
    '\\',
    '-',
    '0',
    '1e400',
    '.',
    'e',
    'null',
    '"a":1,',
    '\\ud800',
    '\ufeff',
    '\n',
    '//',
  ),
  fc.string({ unit: 'binary', maxLength: 2 }),
  fc.constant('12345678901234567890'),
);

const mutated = fc.tuple(values, fc.array(fc.tuple(fc.nat(), fc.nat(3), pieces), { minLength: 1, maxLength: 4 })).map(([value, edits]) =>
  edits.reduce((text, [place, length, piece]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + piece + text.slice(at + length);
  }, JSON.stringify(value)),
);

test('a damaged text gets the native verdict and value, unless a stricter rule is named', () => {
  fc.assert(
    fc.property(mutated, (text) => {
      const strict = strictly(text);
      const loose = loosely(text);
      if ('value' in strict) expect('value' in loose && isDeepStrictEqual(strict.value, loose.value)).toBe(true);
      else if ('value' in loose) expect(STRICTER).toContain(strict.reason);
    }),
    { numRuns: 3_000 },
  );
});

test('damaged bytes are read as their text is, or refused', () => {
  fc.assert(
    fc.property(mutated, fc.nat(), fc.nat(255), (text, place, byte) => {
      const bytes = Buffer.from(text);
      if (bytes.length > 0) bytes[place % bytes.length] = byte;
      const outcome = strictly(bytes);
      if ('value' in outcome) expect(isDeepStrictEqual(outcome.value, JSON.parse(bytes.toString()))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('any bytes and any texts are read or refused with the one error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' })), (input) => void strictly(input)),
    { numRuns: 1_000 },
  );
});
