import type { JsonSchema } from '../../../src/core/shapes.ts';
import { partsOf, typesOf } from './schema-parts.ts';

/** A text that holds a reference; the value it stands for is checked when the command runs. */
export const referenceSchema: JsonSchema = { type: 'string', pattern: '\\$\\{', description: 'A reference such as ${results[0].value}.' };

const REFERENCE: JsonSchema = { $ref: '#/$defs/reference' };

/** The schema of an argument as it stands in a list: at every place a reference may stand for the value. */
export const asWritten = (schema: JsonSchema): JsonSchema => orReference(inside(schema));

const inside = (schema: JsonSchema): JsonSchema => {
  const { items, properties, additionalProperties, anyOf } = partsOf(schema);
  return {
    ...schema,
    ...(items && { items: asWritten(items) }),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, asWritten(each)])) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: asWritten(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(inside) }),
  };
};

const orReference = (schema: JsonSchema): JsonSchema => {
  if (takesAnyText(schema)) return schema;
  const { description, default: fallback, anyOf, ...rest } = schema;
  return {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
    anyOf: [...(partsOf(schema).anyOf ?? [rest]), REFERENCE],
  };
};

/** Whether a text with a reference passes already. */
const takesAnyText = (schema: JsonSchema): boolean => {
  const parts = partsOf(schema);
  if (parts.anyOf !== undefined) return parts.anyOf.some(takesAnyText);
  if (['$ref', 'enum', 'const', 'pattern', 'maxLength'].some((keyword) => keyword in schema)) return false;
  const types = typesOf(parts);
  return types.length === 0 || types.includes('string');
};
