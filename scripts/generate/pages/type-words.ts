import type { Arg, Role } from '../../../src/core/args.ts';
import type { JsonSchema } from '../../../src/core/shapes.ts';
import { partsOf, referredName, type SchemaParts, typesOf } from '../schema/schema-parts.ts';

const REFERRED: Readonly<Record<string, string>> = {
  steps: 'commands',
  node: 'graph node',
  outcome: 'result of a command',
  run_result: 'result of a list',
};

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  reads: 'read',
  writes: 'written',
  removes: 'removed',
  readsTree: 'read with all below',
  writesTree: 'written with all below',
  removesTree: 'removed with all below',
  url: 'reached over the network',
  host: 'reached over the network',
  readsLocation: 'a location that is read',
  writesLocation: 'a location that is written',
  removesLocation: 'a location of which something is removed',
  sink: 'reached over the network',
  command: 'run as a program',
  steps: 'run',
  secret: 'secret',
};

const PATH_ROLES = new Set<Role>(['reads', 'writes', 'removes', 'readsTree', 'writesTree', 'removesTree']);

/** The type of an argument for a table: `path, read`, `whole number (at least 1)`. */
export const argumentWords = ({ schema, roles }: Arg): string => {
  const words = typeWords(schema);
  const type = roles.some((role) => PATH_ROLES.has(role)) ? words.replace('texts', 'paths').replace('text', 'path') : words;
  return [type, ...new Set(roles.map((role) => ROLE_WORDS[role]))].join(', ');
};

/** The type of a value in a reader's words. */
export const typeWords = (schema: JsonSchema): string => [...new Set(alternatives(partsOf(schema)))].join(' or ');

const alternatives = (parts: SchemaParts): string[] => {
  if (parts.$ref !== undefined) return [REFERRED[referredName(parts.$ref)] ?? referredName(parts.$ref)];
  if (parts.anyOf !== undefined) return parts.anyOf.flatMap((each) => alternatives(partsOf(each)));
  if (parts.enum !== undefined) return [`one of ${parts.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}`];
  if ('const' in parts) return [`\`${JSON.stringify(parts.const)}\``];
  const types = typesOf(parts);
  return types.length === 0 ? ['any value'] : types.map((type) => simpleWords(type, parts));
};

const simpleWords = (type: string, parts: SchemaParts): string => {
  switch (type) {
    case 'string':
      return 'text';
    case 'integer':
      return `whole number${limitWords(parts)}`;
    case 'number':
      return `number${limitWords(parts)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `list of ${plural(typeWords(parts.items ?? {}))}`;
    case 'object':
      return objectWords(parts);
    default:
      return type;
  }
};

const limitWords = ({ minimum, maximum, exclusiveMinimum }: SchemaParts): string => {
  const limits = [
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ];
  return limits.length === 0 ? '' : ` (${limits.join(', ')})`;
};

const objectWords = ({ properties = {}, additionalProperties }: SchemaParts): string => {
  const keys = Object.keys(properties);
  if (keys.length > 0) return `object with ${keys.map((key) => `\`${key}\``).join(', ')}`;
  return typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
    ? `object of ${plural(typeWords(additionalProperties))}`
    : 'object';
};

/** `text` becomes `texts`; compound words stay as they are. */
const plural = (words: string): string => {
  if (words.startsWith('result of a ')) return words.replace('result', 'results');
  return /^(?:text|number|whole number|object|path|graph node|any value)$/.test(words) ? `${words}s` : words;
};
