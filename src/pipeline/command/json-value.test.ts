import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { ExecuteActionException } from '../../core/errors.ts';
import { jsonValue } from './json-value.ts';

describe('a value', () => {
  test('that is JSON already is handed on untouched', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(jsonValue(value)).toBe(value);
      }),
    );
  });

  test.each<[string, unknown, unknown]>([
    ['nothing', undefined, null],
    ['a function', () => 1, null],
    ['a number that is none', [Number.NaN, Infinity, 1], [null, null, 1]],
    ['a whole number beyond 2^53', { deep: [2n ** 60n] }, { deep: ['1152921504606846976'] }],
    ['bytes', { list: [Buffer.from('hi'), new Uint8Array([255])] }, { list: [{ base64: 'aGk=' }, { base64: '/w==' }] }],
    ['a date', { at: new Date('2026-01-02T03:04:05.678Z') }, { at: '2026-01-02T03:04:05.678Z' }],
    ['an address', [new URL('https://a.example/')], ['https://a.example/']],
    ['a hole in a list', [undefined, 1], [null, 1]],
    ['what converts itself', { toJSON: () => ({ inner: 5n }) }, { inner: '5' }],
    ['a key of the prototype', JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  ])('%s becomes JSON', (_, value, expected) => {
    const shown = jsonValue(value);
    expect(shown).toEqual(expected);
    expect(JSON.parse(JSON.stringify(shown))).toEqual(expected);
  });

  test('keeps a key called __proto__ a key when something beside it changes', () => {
    const value: object = Object.assign(JSON.parse('{"__proto__":[1]}'), { n: 1n });
    expect(JSON.stringify(jsonValue(value))).toBe('{"__proto__":[1],"n":"1"}');
  });

  test('is copied where it changes, never changed in place', () => {
    const inner = { kept: [1] };
    const value = { inner, n: 1n };
    const shown = jsonValue(value) as { readonly inner: unknown };
    expect(value.n).toBe(1n);
    expect(shown.inner).toBe(inner);
  });

  test('that contains itself is refused', () => {
    const circle: unknown[] = [];
    circle.push({ circle });
    expect(() => jsonValue(circle)).toThrow(ExecuteActionException);
  });
});

describe('the value of a registered function', () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;

  test.each<[string, () => unknown]>([
    ['at once', () => circle],
    ['later', async () => circle],
  ])('that contains itself fails its command and no other, given %s', async (_, give) => {
    await using house = openHouse();
    house.factotum.registry.register('FA_circle', give);
    const { results } = await house.run([['FA_circle'], ['FA_t_touch']]);
    expect(results.map(({ status, error }) => error?.type ?? status)).toEqual(['ExecuteActionException', 'ok']);
  });

  test('is JSON for the commands after it', async () => {
    await using house = openHouse();
    house.factotum.registry.register('FA_now', () => ({ at: new Date(0), bytes: Buffer.from('x'), size: 2n ** 60n }));
    const { results } = await house.run([
      ['FA_now'],
      ['FA_t_echo', ['${results[0].value.at} ${results[0].value.size} ${results[0].value.bytes.base64}']],
    ]);
    expect(results[1]?.value).toBe('1970-01-01T00:00:00.000Z 1152921504606846976 eA==');
  });
});
