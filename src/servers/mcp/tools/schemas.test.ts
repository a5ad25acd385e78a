import { expect, test } from 'vitest';
import { isObjectSchema, outputSchema, withDefs } from './schemas.ts';

const DEFS = {
  a: { type: 'object', properties: { b: { $ref: '#/$defs/b' } } },
  b: { type: 'array', items: { $ref: '#/$defs/a' } },
  unused: { type: 'null' },
} as const;

test('a schema carries what it refers to at any depth, and no more', () => {
  expect(withDefs({ type: 'object', properties: { x: { $ref: '#/$defs/b' } } }, DEFS)).toEqual({
    type: 'object',
    properties: { x: { $ref: '#/$defs/b' } },
    $defs: { a: DEFS.a, b: DEFS.b },
  });
  expect(withDefs({ type: 'object' }, DEFS)).toEqual({ type: 'object' });
});

test('every list says what its items are, and data that looks like a schema is left alone', () => {
  const schema = { type: 'array', default: { type: 'array' }, prefixItems: [{ type: ['object', 'array'] }] };
  expect(withDefs(schema, {})).toEqual({
    type: 'array',
    default: { type: 'array' },
    prefixItems: [{ type: ['object', 'array'], items: {} }],
    items: {},
  });
});

test('only a value that is always an object is structured output as it is', () => {
  expect(isObjectSchema({ type: 'object' }, DEFS)).toBe(true);
  expect(isObjectSchema({ $ref: '#/$defs/a' }, DEFS)).toBe(true);
  for (const schema of [{ type: ['object', 'null'] }, { type: 'string' }, {}, { $ref: '#/$defs/b' }, { anyOf: [{ type: 'object' }] }]) {
    expect(isObjectSchema(schema, DEFS)).toBe(false);
    expect(outputSchema(schema, DEFS)).toMatchObject({ type: 'object', required: ['value'] });
  }
  expect(outputSchema({ $ref: '#/$defs/a' }, DEFS)).toMatchObject({ type: 'object', properties: { b: {} } });
});
