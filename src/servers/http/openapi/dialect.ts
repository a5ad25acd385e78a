import type { Json } from '../../../core/errors.ts';
import type { JsonSchema } from '../../../core/shapes.ts';

/** A schema as OpenAPI 3.0 writes it. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** The one null of this dialect: null beside a type, and no value of that type. */
const NULL: Schema = { type: 'string', nullable: true, enum: [null] };

/** Keywords that mean the same in both dialects. */
const SAME = new Set([
  ...['title', 'description', 'default', 'deprecated', 'enum', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'multipleOf', 'minItems', 'maxItems', 'uniqueItems'],
]);

/**
 * A schema of JSON Schema 2020-12 in the dialect of OpenAPI 3.0. What that dialect cannot say is left out, so the outcome accepts
 * everything that the original accepts. `at` may change what stands at the places inside: properties and items.
 */
export const toDialect = (schema: JsonSchema, at: (inner: Schema) => Schema = (inner) => inner): Schema => {
  const inner = (part: JsonSchema): Schema => at(toDialect(part, at));
  const parts = schema as Parts; // the meta-schema of 2020-12 gives each keyword this type
  const same = Object.fromEntries(Object.entries(schema).filter(([keyword]) => SAME.has(keyword)));
  const { $ref, anyOf, oneOf, properties, required = [], additionalProperties, exclusiveMinimum } = parts;
  if ($ref !== undefined) return withRemarks(refer($ref.slice($ref.lastIndexOf('/') + 1)), same);
  if (anyOf !== undefined) return { ...either(anyOf.map((each) => toDialect(each, at))), ...same };
  if (parts.const !== undefined) return { ...same, ...only(parts.const) };
  const rest: Schema = {
    ...same,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, inner(part)])) }),
    ...(required.length > 0 && { required }),
    ...(additionalProperties !== undefined && {
      additionalProperties: typeof additionalProperties === 'boolean' ? additionalProperties : inner(additionalProperties),
    }),
    ...(oneOf && { oneOf: oneOf.map((each) => toDialect(each, at)) }),
    ...(exclusiveMinimum !== undefined && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(parts.contentEncoding === 'base64' && { format: 'byte' }),
  };
  return typed(typesOf(parts), rest, itemsOf(parts, inner));
};

/** A reference to a schema of the document. */
export const refer = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

interface Parts {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly exclusiveMinimum?: number;
  readonly contentEncoding?: string;
}

const typesOf = ({ type }: Parts): readonly string[] => (type === undefined ? [] : typeof type === 'string' ? [type] : type);

/** Beside a reference this dialect reads nothing else. */
const withRemarks = (reference: Schema, remarks: Schema): Schema =>
  Object.keys(remarks).length === 0 ? reference : { ...remarks, allOf: [reference] };

const only = (value: Json): Schema => {
  if (value === null) return NULL;
  return typeof value === 'object' ? { enum: [value] } : { type: typeof value, enum: [value] };
};

/** A tuple has one schema for all its places here: whatever may stand at any of them. */
const itemsOf = ({ items, prefixItems, maxItems }: Parts, inner: (part: JsonSchema) => Schema): Schema => {
  if (prefixItems === undefined) return items === undefined ? {} : inner(items);
  return maxItems !== undefined && maxItems <= prefixItems.length ? either(prefixItems.map(inner)) : {};
};

/** One type in each schema, null as a remark on it. */
const typed = (types: readonly string[], rest: Schema, items: Schema): Schema => {
  const [type, ...others] = types.filter((each) => each !== 'null');
  const isNullable = types.includes('null');
  if (type === undefined) return isNullable ? { ...rest, ...NULL } : rest;
  const one = (name: string): Schema => ({ type: name, ...(name === 'array' && { items }) });
  if (others.length === 0) return { ...one(type), ...rest, ...(isNullable && nullable(rest)) };
  return { ...rest, ...either([one(type), ...others.map(one), ...(isNullable ? [NULL] : [])]) };
};

/** An enumeration has to name its null as well. */
const nullable = ({ enum: values }: Schema): Schema => ({
  nullable: true,
  ...(Array.isArray(values) && { enum: [...new Set([...values, null])] }),
});

/** Alternatives, with null written as a remark where one schema is left beside it. */
const either = (schemas: readonly Schema[]): Schema => {
  const flat = schemas.flatMap((each) => (Array.isArray(each.anyOf) && Object.keys(each).length === 1 ? (each.anyOf as Schema[]) : [each])); // written by this function
  const others = flat.filter((each) => !isNull(each));
  const [first] = others;
  if (first === undefined) return NULL;
  const hasNull = others.length < flat.length;
  if (others.length > 1) return { anyOf: hasNull ? [...others, NULL] : others };
  if (!hasNull) return first;
  return typeof first.type === 'string' ? { ...first, ...nullable(first) } : { anyOf: [first, NULL] };
};

const isNull = ({ enum: values }: Schema): boolean => Array.isArray(values) && values.length === 1 && values[0] === null;
