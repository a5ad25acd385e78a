import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultsOf } from '../../../../test/laws/json-schema.ts';
import { openApiFaults } from '../../../../test/support/open-api-schema.ts';
import type { JsonSchema } from '../../../core/shapes.ts';
import { toDialect } from './dialect.ts';

const NULL = { type: 'string', nullable: true, enum: [null] };

describe('writes in the dialect of OpenAPI', () => {
  test.each<[string, JsonSchema, object]>([
    ['a type or null', { type: ['string', 'null'], minLength: 1 }, { type: 'string', minLength: 1, nullable: true }],
    ['an alternative of null', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, { type: 'integer', nullable: true }],
    [
      'an enumeration or null',
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }], default: null },
      { type: 'string', enum: ['a', null], nullable: true, default: null },
    ],
    ['null alone', { type: 'null', description: 'None.' }, { ...NULL, description: 'None.' }],
    [
      'null beside several others',
      { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }, NULL] },
    ],
    ['several types', { type: ['object', 'array'] }, { anyOf: [{ type: 'object' }, { type: 'array', items: {} }] }],
    ['a constant', { const: 'always' }, { type: 'string', enum: ['always'] }],
    ['a constant null', { const: null }, NULL],
    ['a limit that is not reached', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', minimum: 0, exclusiveMinimum: true }],
    ['bytes', { type: 'string', contentEncoding: 'base64' }, { type: 'string', format: 'byte' }],
    ['a list of anything', { type: 'array' }, { type: 'array', items: {} }],
    ['an object without demands', { type: 'object', required: [] }, { type: 'object' }],
    ['a reference', { $ref: '#/$defs/steps' }, { $ref: '#/components/schemas/steps' }],
    [
      'a reference with a remark',
      { $ref: '#/$defs/steps', description: 'What to do.' },
      { description: 'What to do.', allOf: [{ $ref: '#/components/schemas/steps' }] },
    ],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 2, maxItems: 2 },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, minItems: 2, maxItems: 2 },
    ],
    ['a tuple that may go on', { type: 'array', prefixItems: [{ type: 'string' }] }, { type: 'array', items: {} }],
  ])('%s', (_, schema, written) => {
    expect(toDialect(schema)).toEqual(written);
  });
});

test('changes what stands at the places inside, at every depth, and not the whole', () => {
  const schema: JsonSchema = { type: 'object', properties: { a: { type: 'array', items: { type: 'integer' } } }, additionalProperties: {} };
  expect(toDialect(schema, (inner) => ({ ...inner, title: 'inside' }))).toEqual({
    type: 'object',
    properties: { a: { type: 'array', title: 'inside', items: { type: 'integer', title: 'inside' } } },
    additionalProperties: { title: 'inside' },
  });
});

const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object');
const leaf = fc.oneof(
  fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })) }),
  fc.constantFrom<JsonSchema>(
    {},
    { const: null },
    { const: 1 },
    { const: 'a' },
    { const: false },
    { type: ['string', 'null'], enum: ['a', null] },
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'string', minLength: 1 },
  ),
);
const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constantFrom('array', ['array', 'null']), items: tie('schema') }),
    fc.record({ type: fc.constant('array'), prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), maxItems: fc.nat(3) }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.record({ a: tie('schema') }),
      required: fc.subarray(['a', 'b']),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
    }),
  ),
}));
const value = fc.oneof(
  fc.constantFrom<unknown>(null, 1, 0, 0.5, 'a', '', true, false, [], {}, { a: null }, { a: 1, b: 'a' }, ['a', 1], [null]),
  fc.jsonValue({ maxDepth: 2 }),
);

test('accepts everything that the original accepts', () => {
  fc.assert(
    fc.property(schema, value, (original, given) => {
      fc.pre(faultsOf(original, given).length === 0);
      expect(openApiFaults(toDialect(original), given)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
