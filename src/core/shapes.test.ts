import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as shapes from './shapes.ts';
import { faultOf, kindOf, type Shape } from './shapes.ts';

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
    ['nothing', shapes.nothing(), [null]],
    ['a boolean', shapes.flag(), [true, false]],
    ['a text', shapes.text(), ['', 'a', 'b', 'YQ==']],
    ['a text that is not empty', shapes.text({ minLength: 1 }), ['a', 'b', 'YQ==']],
    ['a short text', shapes.text({ maxLength: 1 }), ['', 'a', 'b']],
    ['a whole number', shapes.integer(), [0, 1, -1]],
    ['a whole number with limits', shapes.integer({ min: 0, max: 0 }), [0]],
    ['a number', shapes.number(), [0, 1, -1, 1.5, 2 ** 53]],
    ['a number above a limit', shapes.number({ above: 1 }), [1.5, 2 ** 53]],
    ['a choice', shapes.oneOf(['a', 'c']), ['a']],
    ['anything', shapes.json(), [...every]],
    ['a list', shapes.list(shapes.text()), [[], ['a']]],
    ['a list that is not empty', shapes.list(shapes.text(), { minItems: 1 }), [['a']]],
    ['free keys', shapes.record(shapes.text()), [{}, { a: 'x' }, { base64: 'YQ==' }, { base64: 'Y' }]],
    ['an object', shapes.object({ a: shapes.json() }), [{ a: 1 }, { a: 'x' }]],
    ['an object with an optional field', shapes.object({}, { a: shapes.text() }), [{}, { a: 'x' }]],
    ['null or a text', shapes.nullable(shapes.text({ minLength: 1 })), [null, 'a', 'b', 'YQ==']],
    ['one of two shapes', shapes.either(shapes.flag(), shapes.list(shapes.integer())), [true, false, [], [1]]],
    ['bytes', shapes.bytes(), ['', 'a', 'b', 'YQ==', { base64: 'YQ==' }]],
  ])('%s', (_, shape, values) => {
    expect(accepted(shape)).toEqual(values);
  });
});

describe('a shape tells its fault', () => {
  test.each<[string, Shape, unknown, string]>([
    ['of a short text with the text', shapes.text({ minLength: 1 }), '', ' must be a text that is not empty, not ""'],
    ['of a long text without it', shapes.integer(), 'x'.repeat(41), ' must be a whole number, not a text'],
    ['of limits', shapes.number({ above: 0, max: 9 }), 10, ' must be a number above 0 to 9, not the number 10'],
    ['of one limit', shapes.number({ max: 9 }), 10, ' must be a number to 9, not the number 10'],
    ['of the lower limit', shapes.integer({ min: 2 }), 1, ' must be a whole number of at least 2, not the number 1'],
    ['of an item', shapes.list(shapes.list(shapes.flag())), [[true], [true, 1]], '[1][1] must be true or false, not the number 1'],
    [
      'of too few items',
      shapes.list(shapes.flag(), { minItems: 2 }),
      [true],
      ' must be a list of at least 2, each true or false, not a list',
    ],
    ['of a value of an object', shapes.record(shapes.list(shapes.text())), { a: [], 'b c': [null] }, '.b c[0] must be a text, not null'],
    ['of a field', shapes.object({ a: shapes.object({ b: shapes.text() }) }), { a: { b: 1 } }, '.a.b must be a text, not the number 1'],
    ['of a missing field', shapes.object({ a: shapes.text() }), {}, '.a must be a text, not nothing'],
    [
      'of an unknown field',
      shapes.object({ a: shapes.text() }, { c: shapes.text() }),
      { a: '', b: 1 },
      '.b must be one of the keys a, c, not an unknown key',
    ],
    ['through null', shapes.nullable(shapes.list(shapes.text())), [1], '[0] must be a text, not the number 1'],
    ['of what is no object', shapes.object({ a: shapes.text() }), [], ' must be an object with a, not a list'],
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
    ['bytes from a text', shapes.bytes(), 'é', bytes(0xc3, 0xa9)],
    ['bytes from base64', shapes.bytes(), { base64: '/wA=' }, bytes(0xff, 0)],
    ['bytes in a list', shapes.list(shapes.bytes()), ['a', { base64: '' }], [bytes(0x61), bytes()]],
    ['bytes under free keys', shapes.record(shapes.bytes()), { a: 'a' }, { a: bytes(0x61) }],
    [
      'bytes in a field',
      shapes.object({ a: shapes.bytes() }, { b: shapes.bytes(), c: shapes.text() }),
      { a: 'a', c: 'c' },
      { a: bytes(0x61), c: 'c' },
    ],
    ['bytes or null', shapes.nullable(shapes.bytes()), null, null],
    ['bytes where another shape did not accept', shapes.either(shapes.integer(), shapes.bytes()), 'a', bytes(0x61)],
    ['what another shape accepted as it is', shapes.either(shapes.integer(), shapes.bytes()), 5, 5],
  ])('%s', (_, shape, value, read) => {
    expect(shape.accepts(value)).toBe(true);
    expect(shape.read?.(value)).toEqual(read);
  });

  test('and an own key called __proto__ stays one', () => {
    const read = shapes.record(shapes.bytes()).read?.(JSON.parse('{"__proto__":"a"}')) ?? {};
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  test('and has no reader where nothing has to be converted', () => {
    for (const shape of [
      shapes.list(shapes.text()),
      shapes.record(shapes.text()),
      shapes.object({ a: shapes.text() }),
      shapes.nullable(shapes.text()),
      shapes.either(shapes.text(), shapes.integer()),
    ])
      expect(shape.read).toBeUndefined();
  });
});

describe('a fault is found in every value that is refused', () => {
  const shape = shapes.object(
    { a: shapes.list(shapes.record(shapes.nullable(shapes.integer({ min: 0 })))) },
    { b: shapes.either(shapes.text(), shapes.flag()), c: shapes.bytes() },
  );
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
    [shapes.integer({ min: 1, max: 3 }), { type: 'integer', minimum: 1, maximum: 3 }],
    [shapes.number({ above: 0 }), { type: 'number', exclusiveMinimum: 0 }],
    [shapes.text({ minLength: 1, maxLength: 9 }), { type: 'string', minLength: 1, maxLength: 9 }],
    [shapes.oneOf(['a']), { type: 'string', enum: ['a'] }],
    [shapes.nullable(shapes.integer()), { type: ['integer', 'null'] }],
    [shapes.nullable(shapes.oneOf(['a'])), { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] }],
    [shapes.list(shapes.flag(), { minItems: 1 }), { type: 'array', items: { type: 'boolean' }, minItems: 1 }],
    [shapes.record(shapes.flag()), { type: 'object', additionalProperties: { type: 'boolean' } }],
    [
      shapes.object({ a: shapes.flag() }, { b: shapes.nothing() }),
      { type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'null' } }, required: ['a'], additionalProperties: false },
    ],
    [shapes.either(shapes.flag(), shapes.nothing()), { anyOf: [{ type: 'boolean' }, { type: 'null' }] }],
    [shapes.json(), {}],
  ])('say what is accepted: %#', (shape, schema) => {
    expect(shape.schema).toEqual(schema);
  });
});
