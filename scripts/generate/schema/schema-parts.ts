import type { JsonSchema } from '../../../src/core/shapes.ts';

/** The keywords of JSON Schema that say what a value is, as the shapes of the house write them. */
export interface SchemaParts {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** Reads a schema by its keywords. */
export const partsOf = (schema: JsonSchema): SchemaParts => schema as SchemaParts; // the meta-schema of 2020-12 gives each keyword this type

/** The types a schema names, none where it leaves them open. */
export const typesOf = ({ type }: SchemaParts): readonly string[] => (type === undefined ? [] : typeof type === 'string' ? [type] : type);

/** The name behind `#/$defs/name`. */
export const referredName = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);
