import type { Arg, Role } from '../../core/args.ts';
import type { JsonSchema } from '../../core/shapes.ts';

/** How the words of a command line become the value of an argument. */
type ArgKind = 'flag' | 'number' | 'text' | 'path' | 'bytes' | 'list' | 'json' | 'any';

const PATH_ROLES = new Set<Role>(['reads', 'writes', 'removes', 'readsTree', 'writesTree', 'removesTree']);

/** Tells it from the argument's schema. */
export const kindOfArg = ({ schema, stepsForm, roles }: Arg): ArgKind => {
  if (stepsForm === 'list' || stepsForm === 'nodes') return 'json';
  const types = typesOf(schema);
  if (types.length !== 1) return types.length === 2 && types.includes('string') && mentionsBase64(schema) ? 'bytes' : 'any';
  switch (types[0]) {
    case 'boolean':
      return 'flag';
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return roles.some((role) => PATH_ROLES.has(role)) ? 'path' : 'text';
    case 'array':
      return 'list';
    case 'object':
      return 'json';
    default:
      return 'any';
  }
};

/** The words that may be given, where only some may. */
export const choicesOf = ({ enum: choices, anyOf }: JsonSchema): readonly string[] | undefined => {
  if (Array.isArray(choices)) return choices.filter((choice) => typeof choice === 'string');
  return partsOf(anyOf)
    .map(choicesOf)
    .find((found) => found !== undefined);
};

/** All JSON types that a schema allows, but null; none where it allows everything. */
const typesOf = ({ type, anyOf }: JsonSchema): readonly string[] => {
  const own = [type ?? []].flat().filter((each) => typeof each === 'string');
  return [...new Set([...own, ...partsOf(anyOf).flatMap(typesOf)])].filter((each) => each !== 'null');
};

const partsOf = (anyOf: JsonSchema[string]): JsonSchema[] => (Array.isArray(anyOf) ? anyOf.filter(isSchema) : []);

const isSchema = (part: JsonSchema[string]): part is JsonSchema => typeof part === 'object' && part !== null && !Array.isArray(part);

const mentionsBase64 = (schema: JsonSchema): boolean => JSON.stringify(schema).includes('"base64"');
