import type { JsonSchema } from '../../src/core/shapes.ts';
import { partsOf, referredName, type SchemaParts, typesOf } from './schema/schema-parts.ts';

/** What the names under `$defs` are in TypeScript. */
const REFERRED: Readonly<Record<string, string>> = { steps: 'NestedList', node: 'GraphNode', outcome: 'Outcome', run_result: 'RunResult' };

/** The TypeScript type of the values that a schema accepts, on one line. */
export const typeText = (schema: JsonSchema): string => [...new Set(alternatives(partsOf(schema)))].join(' | ');

const alternatives = (parts: SchemaParts): string[] => {
  if (parts.$ref !== undefined) return [referredType(parts.$ref)];
  const several = parts.anyOf ?? parts.oneOf;
  if (several !== undefined) return several.flatMap((each) => alternatives(partsOf(each)));
  if (parts.enum !== undefined) return parts.enum.map((value) => JSON.stringify(value));
  if ('const' in parts) return [JSON.stringify(parts.const)];
  const types = typesOf(parts);
  return types.length === 0 ? ['unknown'] : types.map((type) => simpleType(type, parts));
};

const referredType = ($ref: string): string => {
  const name = REFERRED[referredName($ref)];
  if (name === undefined) throw new Error(`a definition refers to ${$ref}, which has no TypeScript type in scripts/generate/type-text.ts`);
  return name;
};

const simpleType = (type: string, parts: SchemaParts): string => {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return arrayType(typeText(parts.items ?? {}));
    case 'object':
      return objectType(parts);
    default:
      return type;
  }
};

const arrayType = (item: string): string => (/^\w+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`);

const objectType = ({ properties = {}, required = [], additionalProperties = true }: SchemaParts): string => {
  const fields = Object.entries(properties).map(
    ([key, schema]) => `readonly ${fieldName(key)}${required.includes(key) ? '' : '?'}: ${typeText(schema)}`,
  );
  const others = additionalProperties === true ? ['unknown'] : additionalProperties === false ? [] : [typeText(additionalProperties)];
  const all = [...fields, ...others.map((type) => `readonly [key: string]: ${type}`)];
  return all.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${all.join('; ')} }`;
};

/** A key as it stands in a type: quoted only where it must be. */
export const fieldName = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));

/** A text that may stand in a comment. */
export const commentSafe = (text: string): string => text.replaceAll('*/', '*\\/');
