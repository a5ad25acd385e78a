import { faultsOf } from '../laws/json-schema.ts';

type Schema = { readonly [keyword: string]: unknown };

/** What is wrong with a value by a schema of an OpenAPI 3.0 document; empty when it fits. */
export const openApiFaults = (schema: Schema, value: unknown, document: object = {}): string[] =>
  faultsOf(asJsonSchema(schema), value, asDocument(document));

/** Documents are long, and asked about often. */
const known = new WeakMap<object, Schema>();

const asDocument = (document: object): Schema => {
  const schema = known.get(document) ?? schemasOf(document);
  known.set(document, schema);
  return schema;
};

/** The schemas of a document as JSON Schema, at the place where its references lead. */
const schemasOf = (document: object): Schema => {
  const { components: { schemas = {} } = {} } = document as { components?: { schemas?: Record<string, Schema> } }; // by OpenAPI
  return { components: { schemas: mapValues(schemas, asJsonSchema) } };
};

/** The two keywords that OpenAPI 3.0 reads otherwise, and the one that it adds. */
const asJsonSchema = ({ nullable, exclusiveMinimum, minimum, example: _, ...rest }: Schema): Schema => ({
  ...mapValues(rest, (part, keyword) => inside(keyword, part)),
  ...(nullable === true && { type: [rest.type, 'null'] }),
  ...(minimum !== undefined && (exclusiveMinimum === true ? { exclusiveMinimum: minimum } : { minimum })),
});

const inside = (keyword: string, part: unknown): unknown => {
  if (keyword === 'properties') return mapValues(part as Record<string, Schema>, asJsonSchema); // by the meta-schema, as the others below
  if (keyword === 'items' || (keyword === 'additionalProperties' && typeof part === 'object')) return asJsonSchema(part as Schema);
  if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) return (part as Schema[]).map(asJsonSchema);
  return part;
};

const mapValues = <T, U>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
