import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  anything,
  array,
  binary,
  boolean,
  choice,
  dictionary,
  faultOf,
  kindOf,
  nothing,
  nullable,
  numeric,
  object,
  type Shape,
  string,
  union,
  whole,
} from './shapes.ts';

const every: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  2 ** 53,
  Number.NaN,
  Infinity,
  '',
  'a',
  'b',
  'YQ==',
  [],
  ['a'],
  [1],
  {},
  { a: 1 },
  { a: 'x' },
  { base64: 'YQ==' },
  { base64: 'Y' },
  undefined,
  5n,
];

/** Which of the sample values a shape accepts. */
const accepted = (shape: Shape): unknown[] => every.filter((value) => shape.accepts(value));

describe('a shape accepts exactly its values', () => {
  test.each<[string, Shape, unknown[]]>([
    ['nothing', nothing(), [null]],
    ['a boolean', boolean(), [true, false]],
    ['a text', string(), ['', 'a', 'b', 'YQ==']],
    ['a text that is not empty', string({ minLength: 1 }), ['a', 'b', 'YQ==']],
    ['a short text', string({ maxLength: 1 }), ['', 'a', 'b']],
    ['a whole number', whole(), [0, 1, -1]],
    ['a whole number with limits', whole({ min: 0, max: 0 }), [0]],
    ['a number', numeric(), [0, 1, -1, 1.5, 2 ** 53]],
    ['a number above a limit', numeric({ above: 1 }), [1.5, 2 ** 53]],
    ['a choice', choice(['a', 'c']), ['a']],
    ['anything', anything(), [...every]],
    ['a list', array(string()), [[], ['a']]],
    ['a list that is not empty', array(string(), { minItems: 1 }), [['a']]],
    ['free keys', dictionary(string()), [{}, { a: 'x' }, { base64: 'YQ==' }, { base64: 'Y' }]],
    ['an object', object({ a: anything() }), [{ a: 1 }, { a: 'x' }]],
    ['an object with an optional field', object({}, { a: string() }), [{}, { a: 'x' }]],
    ['null or a text', nullable(string({ minLength: 1 })), [null, 'a', 'b', 'YQ==']],
    ['one of two shapes', union(boolean(), array(whole())), [true, false, [], [1]]],
    ['bytes', binary(), ['', 'a', 'b', 'YQ==', { base64: 'YQ==' }]],
  ])('%s', (_, shape, values) => {
    expect(accepted(shape)).toEqual(values);
  });
});

describe('a shape tells its fault', () => {
  test.each<[string, Shape, unknown, string]>([
    ['of a short text with the text', string({ minLength: 1 }), '', ' must be a text that is not empty, not ""'],
    ['of a long text without it', whole(), 'x'.repeat(41), ' must be a whole number, not a text'],
    ['of limits', numeric({ above: 0, max: 9 }), 10, ' must be a number above 0 to 9, not the number 10'],
    ['of one limit', numeric({ max: 9 }), 10, ' must be a number to 9, not the number 10'],
    ['of the lower limit', whole({ min: 2 }), 1, ' must be a whole number of at least 2, not the number 1'],
    ['of an item', array(array(boolean())), [[true], [true, 1]], '[1][1] must be true or false, not the number 1'],
    ['of too few items', array(boolean(), { minItems: 2 }), [true], ' must be a list of at least 2, each true or false, not a list'],
    ['of a value of an object', dictionary(array(string())), { a: [], 'b c': [null] }, '.b c[0] must be a text, not null'],
    ['of a field', object({ a: object({ b: string() }) }), { a: { b: 1 } }, '.a.b must be a text, not the number 1'],
    ['of a missing field', object({ a: string() }), {}, '.a must be a text, not nothing'],
    [
      'of an unknown field',
      object({ a: string() }, { c: string() }),
      { a: '', b: 1 },
      '.b must be one of the keys a, c, not an unknown key',
    ],
    ['through null', nullable(array(string())), [1], '[0] must be a text, not the number 1'],
    ['of what is no object', object({ a: string() }), [], ' must be an object with a, not a list'],
  ])('%s', (_, shape, value, told) => {
    expect(shape.accepts(value)).toBe(false);
    const { at, expected, got } = faultOf(shape, value);
    expect(`${at} must be ${expected}, not ${got}`).toBe(told);
  });

  test.each<[unknown, string]>([
    [null, 'null'],
    [undefined, 'nothing'],
    [[], 'a list'],
    [{}, 'an object'],
    ['x', 'a text'],
    [true, 'true'],
    [3, 'the number 3'],
    [0.5, 'a fraction'],
    [5n, 'a bigint'],
  ])('calls %s %s', (value, words) => {
    expect(kindOf(value)).toBe(words);
  });
});

describe('a shape reads what it accepts', () => {
  const bytes = (...values: number[]) => Buffer.from(values);

  test.each<[string, Shape, unknown, unknown]>([
    ['bytes from a text', binary(), 'é', bytes(0xc3, 0xa9)],
    ['bytes from base64', binary(), { base64: '/wA=' }, bytes(0xff, 0)],
    ['bytes in a list', array(binary()), ['a', { base64: '' }], [bytes(0x61), bytes()]],
    ['bytes under free keys', dictionary(binary()), { a: 'a' }, { a: bytes(0x61) }],
    ['bytes in a field', object({ a: binary() }, { b: binary(), c: string() }), { a: 'a', c: 'c' }, { a: bytes(0x61), c: 'c' }],
    ['bytes or null', nullable(binary()), null, null],
    ['bytes where another shape did not accept', union(whole(), binary()), 'a', bytes(0x61)],
    ['what another shape accepted as it is', union(whole(), binary()), 5, 5],
  ])('%s', (_, shape, value, read) => {
    expect(shape.accepts(value)).toBe(true);
    expect(shape.read?.(value)).toEqual(read);
  });

  test('and an own key called __proto__ stays one', () => {
    const read = dictionary(binary()).read?.(JSON.parse('{"__proto__":"a"}')) ?? {};
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  test('and has no reader where nothing has to be converted', () => {
    for (const shape of [array(string()), dictionary(string()), object({ a: string() }), nullable(string()), union(string(), whole())])
      expect(shape.read).toBeUndefined();
  });
});

describe('a fault is found in every value that is refused', () => {
  const shape = object({ a: array(dictionary(nullable(whole({ min: 0 })))) }, { b: union(string(), boolean()), c: binary() });
  test('and in none that is accepted', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ a: fc.jsonValue(), b: fc.jsonValue() }, { requiredKeys: ['a'] })), (value) => {
        if (shape.accepts(value)) expect(shape.locate?.(value)).toBeUndefined();
        else
          expect(faultOf(shape, value)).toMatchObject({
            at: expect.any(String),
            expected: expect.stringMatching(/./),
            got: expect.stringMatching(/./),
          });
      }),
    );
  });
});

describe('schemas', () => {
  test.each<[Shape, unknown]>([
    [whole({ min: 1, max: 3 }), { type: 'integer', minimum: 1, maximum: 3 }],
    [numeric({ above: 0 }), { type: 'number', exclusiveMinimum: 0 }],
    [string({ minLength: 1, maxLength: 9 }), { type: 'string', minLength: 1, maxLength: 9 }],
    [choice(['a']), { type: 'string', enum: ['a'] }],
    [nullable(whole()), { type: ['integer', 'null'] }],
    [nullable(choice(['a'])), { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] }],
    [array(boolean(), { minItems: 1 }), { type: 'array', items: { type: 'boolean' }, minItems: 1 }],
    [dictionary(boolean()), { type: 'object', additionalProperties: { type: 'boolean' } }],
    [
      object({ a: boolean() }, { b: nothing() }),
      { type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'null' } }, required: ['a'], additionalProperties: false },
    ],
    [union(boolean(), nothing()), { anyOf: [{ type: 'boolean' }, { type: 'null' }] }],
    [anything(), {}],
  ])('say what is accepted: %#', (shape, schema) => {
    expect(shape.schema).toEqual(schema);
  });
});
