import type { JsonSchema } from '../../../core/shapes.ts';
import type { Catalogue } from '../parts.ts';

type Defs = Catalogue['defs'];

/** A schema of an object, as tools demand it. */
export type ObjectSchema = JsonSchema & { readonly type: 'object' };

/** A schema that stands alone, as hosts take it: it carries the definitions it refers to, and every list says what its items are. */
export const withDefs = <S extends JsonSchema>(schema: S, defs: Defs): S => {
  const needed = definitionsOf(schema, defs);
  return withItems(needed.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(needed) }) as S; // nothing is taken away
};

/** The definitions that a schema refers to, at any depth, by name. */
const definitionsOf = (schema: JsonSchema, defs: Defs): [string, JsonSchema][] => {
  const needed = new Map<string, JsonSchema>();
  const pending: unknown[] = [schema];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part !== 'object' || part === null) continue;
    for (const [key, value] of Object.entries(part)) {
      const name = key === '$ref' && typeof value === 'string' ? nameOf(value) : undefined;
      if (name === undefined) pending.push(value);
      else if (!needed.has(name)) {
        const found = defs[name] ?? {};
        needed.set(name, found);
        pending.push(found);
      }
    }
  }
  return [...needed].sort(([a], [b]) => (a < b ? -1 : 1));
};

/** Values beside the schema, which may look like one. */
const DATA = new Set(['default', 'enum', 'const']);

/** Some hosts refuse a tool in which a list has no `items`, though that means any. */
const withItems = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(withItems);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, DATA.has(key) ? value : withItems(value)]));
  const isList = [copy.type].flat().includes('array');
  return isList && copy.items === undefined ? { ...copy, items: {} } : copy;
};

const nameOf = (reference: string): string => reference.replace(/^#\/\$defs\//, '');

/** The properties that the schema of an object names. */
export const propertiesOf = (schema: JsonSchema | undefined): JsonSchema => (schema?.properties ?? {}) as JsonSchema; // of an object schema

/** True where every value is an object, so that it can be structured output as it is. */
export const isObjectSchema = (schema: JsonSchema, defs: Defs): boolean => {
  const { type, $ref } = schema;
  if (typeof $ref !== 'string') return type === 'object';
  const found = defs[nameOf($ref)];
  return found !== undefined && isObjectSchema(found, defs);
};

/** Something worth knowing beside a value. */
const NOTES: JsonSchema = {
  type: 'array',
  description: 'What is worth knowing beside the value, such as that it was cut and how to go on.',
  items: {
    type: 'object',
    properties: { kind: { type: 'string' }, message: { type: 'string' } },
    required: ['kind', 'message'],
  },
};

/** The schema of an action's structured output: an object as it is, everything else under `value`. */
export const outputSchema = (returns: JsonSchema, defs: Defs): ObjectSchema =>
  isObjectSchema(returns, defs)
    ? withDefs({ ...inlined(returns, defs), type: 'object' }, defs)
    : withDefs({ type: 'object', properties: { value: returns, notes: NOTES }, required: ['value'], additionalProperties: false }, defs);

/** The outermost schema names its type itself; hosts look for it there. */
const inlined = (schema: JsonSchema, defs: Defs): JsonSchema => {
  const { $ref, ...beside } = schema;
  return typeof $ref === 'string' ? { ...inlined(defs[nameOf($ref)] ?? {}, defs), ...beside } : schema;
};
