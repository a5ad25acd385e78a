import { z } from 'zod';
import type { JsonSchema } from '../../core/shapes.ts';
import { configSchema } from './schema/config.ts';

/** The part of JSON Schema that the configuration uses. */
export interface KeySchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, KeySchema>>;
  readonly required?: readonly string[];
  readonly items?: KeySchema;
  /** What every value of a table with free names is; false where the names are fixed. */
  readonly additionalProperties?: KeySchema | false;
  readonly oneOf?: readonly KeySchema[];
  readonly anyOf?: readonly KeySchema[];
  readonly [keyword: string]: unknown;
}

/** The configuration as JSON Schema (2020-12), for editors and for all that is derived from it. */
export const configJsonSchema = (): KeySchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:factotum:configuration',
  title: 'factotum.toml',
  description: 'The configuration of factotum.',
  ...(z.toJSONSchema(configSchema, { io: 'input', override: ({ jsonSchema }) => tidy(jsonSchema) }) as KeySchema), // what the schema uses
});

/** What a configuration is once its defaults are filled in. */
export const filledConfigSchema = (): JsonSchema => z.toJSONSchema(configSchema, { io: 'output' }) as unknown as JsonSchema; // zod writes each keyword with the type that JSON Schema gives it

/** Leaves out what says nothing: the largest safe number, empty defaults of tables, an entry's text that its list repeats. */
const tidy = (schema: z.core.JSONSchema.BaseSchema): void => {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.type === 'object') delete schema.default;
  const { items } = schema;
  if (typeof items === 'object' && !Array.isArray(items) && items.description === schema.description) delete items.description;
};
