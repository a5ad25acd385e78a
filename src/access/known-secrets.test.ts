import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKnownSecrets, type Span } from './known-secrets.ts';
import { formsOf } from './secret-forms.ts';

/** Looks for every form at every place. */
const spansByLooking = (secrets: readonly string[], text: string): Span[] => {
  const forms = secrets.flatMap((secret) => [...formsOf(secret)]);
  const spans: { start: number; end: number }[] = [];
  for (let start = 0; start < text.length; start += 1) {
    for (const form of forms.filter((each) => text.startsWith(each, start))) {
      const end = start + form.length;
      const last = spans.at(-1);
      if (last !== undefined && (start < last.end || start === last.start)) last.end = Math.max(last.end, end);
      else spans.push({ start, end });
    }
  }
  return spans;
};

describe('createKnownSecrets', () => {
  test('finds what looking everywhere would find', () => {
    const letters = fc.constantFrom('a', 'b', '\u0161'); // the last shares its low byte with a
    const secret = fc.string({ unit: letters, minLength: 6, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 4 }), fc.string({ unit: letters, maxLength: 100 }), (secrets, text) => {
        const known = createKnownSecrets();
        for (const each of secrets) known.learn(each);
        expect(known.spans(text)).toEqual(spansByLooking(secrets, text));
      }),
      { numRuns: 1_000 },
    );
  });

  test('takes secrets that overlap as one and neighbours as two', () => {
    const known = createKnownSecrets();
    known.learn('xxabcd');
    known.learn('abcdefghijkl');
    expect(known.spans('<xxabcdefghijkl>')).toEqual([{ start: 1, end: 15 }]);
    expect(known.spans('xxabcdxxabcd')).toEqual([
      { start: 0, end: 6 },
      { start: 6, end: 12 },
    ]);
  });

  test('ignores values that are too short', () => {
    const known = createKnownSecrets();
    known.learn('12345');
    expect(known.longest).toBe(0);
    expect(known.spans('12345')).toEqual([]);
  });
});
