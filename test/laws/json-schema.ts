import { isDeepStrictEqual } from 'node:util';

/** A schema as parsed: its keywords are checked one by one. */
type Schema = { readonly [keyword: string]: unknown };
/** Judges one keyword; answers what is wrong. */
type Judge = (operand: never, value: unknown, schema: Schema, root: Schema) => string[];

/**
 * What is wrong with a value by a JSON Schema (2020-12), as texts; empty when it fits. Knows the keywords the house
 * uses and refuses any other, so that none is passed over silently.
 */
export const faultsOf = (schema: Schema, value: unknown, root: Schema = schema): string[] =>
  Object.entries(schema).flatMap(([keyword, operand]) => {
    if (REMARKS.has(keyword) || keyword.startsWith('x-')) return [];
    const judge = JUDGES[keyword];
    if (judge === undefined) throw new Error(`the keyword ${keyword} is not known to this test`);
    return judge(operand as never, value, schema, root); // each judge names the type its keyword has by the meta-schema
  });

const REMARKS = new Set([
  '$schema',
  '$id',
  '$defs',
  'title',
  'description',
  'default',
  'deprecated',
  'contentEncoding',
  'format',
  'then',
  'else',
  'writeOnly',
  'x-path',
  'x-references',
]);

const fits = (schema: Schema, value: unknown, root: Schema): boolean => faultsOf(schema, value, root).length === 0;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const unless = (holds: boolean, fault: string): string[] => (holds ? [] : [fault]);
const at = (place: string | number, faults: readonly string[]): string[] => faults.map((fault) => `${place}: ${fault}`);

const hasType = (type: string, value: unknown): boolean => {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
};

const referred = (pointer: string, root: Schema): Schema => {
  let place: unknown = root;
  for (const step of pointer.slice(2).split('/')) place = isObject(place) ? place[step] : undefined;
  if (!isObject(place)) throw new Error(`${pointer} leads nowhere`);
  return place;
};

const JUDGES: Readonly<Record<string, Judge>> = {
  $ref: (pointer: string, value, _, root) => faultsOf(referred(pointer, root), value, root),
  type: (types: string | readonly string[], value) =>
    unless(
      [types].flat().some((type) => hasType(type, value)),
      `is not ${[types].flat().join(' or ')}`,
    ),
  const: (wanted: unknown, value) => unless(isDeepStrictEqual(value, wanted), `is not ${JSON.stringify(wanted)}`),
  enum: (wanted: readonly unknown[], value) => unless(wanted.includes(value), 'is none of the choices'),
  minLength: (least: number, value) => unless(typeof value !== 'string' || value.length >= least, 'is too short'),
  maxLength: (most: number, value) => unless(typeof value !== 'string' || value.length <= most, 'is too long'),
  pattern: (pattern: string, value) =>
    unless(typeof value !== 'string' || new RegExp(pattern, 'u').test(value), `does not match ${pattern}`),
  minimum: (least: number, value) => unless(typeof value !== 'number' || value >= least, `is below ${least}`),
  maximum: (most: number, value) => unless(typeof value !== 'number' || value <= most, `is above ${most}`),
  exclusiveMinimum: (limit: number, value) => unless(typeof value !== 'number' || value > limit, `is not above ${limit}`),
  minItems: (least: number, value) => unless(!Array.isArray(value) || value.length >= least, `has fewer than ${least} items`),
  maxItems: (most: number, value) => unless(!Array.isArray(value) || value.length <= most, `has more than ${most} items`),
  prefixItems: (schemas: readonly Schema[], value, _, root) =>
    Array.isArray(value) ? schemas.slice(0, value.length).flatMap((schema, place) => at(place, faultsOf(schema, value[place], root))) : [],
  items: (schema: Schema, value, _, root) =>
    Array.isArray(value) ? value.flatMap((item, place) => at(place, faultsOf(schema, item, root))) : [],
  properties: (schemas: Readonly<Record<string, Schema>>, value, _, root) =>
    isObject(value)
      ? Object.entries(schemas).flatMap(([key, schema]) => (Object.hasOwn(value, key) ? at(key, faultsOf(schema, value[key], root)) : []))
      : [],
  required: (keys: readonly string[], value) =>
    isObject(value) ? keys.flatMap((key) => unless(Object.hasOwn(value, key), `has no ${key}`)) : [],
  additionalProperties: (rule: boolean | Schema, value, { properties }, root) => {
    if (!isObject(value) || rule === true) return [];
    const others = Object.keys(value).filter((key) => !isObject(properties) || !Object.hasOwn(properties, key));
    return others.flatMap((key) => at(key, rule === false ? ['is unknown'] : faultsOf(rule, value[key], root)));
  },
  propertyNames: (schema: Schema, value, _, root) =>
    isObject(value) ? Object.keys(value).flatMap((key) => at(key, faultsOf(schema, key, root))) : [],
  anyOf: (schemas: readonly Schema[], value, _, root) =>
    unless(
      schemas.some((schema) => fits(schema, value, root)),
      'fits no alternative',
    ),
  oneOf: (schemas: readonly Schema[], value, _, root) =>
    unless(schemas.filter((schema) => fits(schema, value, root)).length === 1, 'does not fit exactly one alternative'),
  allOf: (schemas: readonly Schema[], value, _, root) => schemas.flatMap((schema) => faultsOf(schema, value, root)),
  if: (condition: Schema, value, schema, root) => {
    const next = fits(condition, value, root) ? schema.then : schema.else;
    return isObject(next) ? faultsOf(next, value, root) : [];
  },
};
