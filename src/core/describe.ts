import type { Description } from './description.ts';
import type { Ready } from './ready.ts';
import type { JsonSchema } from './shapes.ts';

/** Describes an action from its definition and nothing else. */
export const describeAction = ({ about, action, plain, keys, args }: Ready): Description => ({
  name: about.name,
  family: about.family,
  group: about.group,
  aliases: action.aliases ?? [],
  ...(action.deprecated && { deprecated: action.deprecated }),
  summary: action.summary,
  effects: about.effects,
  idempotent: action.idempotent ?? false,
  arguments: plain === undefined ? argumentSchema(keys, args) : { type: 'object', additionalProperties: true },
  order: keys,
  returns: action.returns.schema,
  ...(action.question && { no: action.question.no }),
  examples: action.examples,
});

const argumentSchema = (keys: Ready['keys'], args: Ready['args']): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    keys.map((key, at) => {
      const arg = args[at];
      return [
        key,
        { description: arg?.description, ...arg?.schema, ...(arg?.optional === true && { default: arg.fallback as JsonSchema[string] }) },
      ]; // defaults are written as JSON
    }),
  ),
  required: keys.filter((_, at) => args[at]?.optional === false),
  additionalProperties: false,
});
