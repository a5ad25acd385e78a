import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ValueSizes } from './value-size.ts';

const most = Number.MAX_SAFE_INTEGER;

test('a value is about as long as its JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const written = JSON.stringify(value).length;
      const size = new ValueSizes().of(value, most);
      expect(size).toBeLessThanOrEqual(8 * (written + 1));
      expect(8 * (size + 1)).toBeGreaterThanOrEqual(written);
    }),
  );
});

test('values that hold each other over and over are measured without being walked through', () => {
  const sizes = new ValueSizes();
  let value: unknown = 'x'.repeat(2_000);
  let looks = 0;
  for (let depth = 0; depth < 200; depth += 1) {
    const inner = value;
    value = new Proxy(
      Array.from({ length: 10 }, () => inner),
      {
        get(target, key, receiver) {
          looks += 1;
          return Reflect.get(target, key, receiver);
        },
      },
    );
    sizes.of(value, most);
  }
  expect(sizes.of(value, most)).toBe(Number.POSITIVE_INFINITY);
  expect(looks).toBeLessThan(200 * 1_000);
});

test('no walk goes on beyond what is asked for', () => {
  let looks = 0;
  const endless = {
    get again(): unknown {
      looks += 1;
      return endless;
    },
  };
  expect(new ValueSizes().of(endless, 1_000)).toBe(Number.POSITIVE_INFINITY);
  expect(looks).toBeLessThan(1_000);
});
