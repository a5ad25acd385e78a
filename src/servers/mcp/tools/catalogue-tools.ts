import type { Caller } from '../../../access/caller.ts';
import { integer, text } from '../../../core/args.ts';
import type { Description } from '../../../core/description.ts';
import { UnknownActionException } from '../../../core/errors.ts';
import type { JsonSchema } from '../../../core/shapes.ts';
import { didYouMean } from '../../../lib/text/nearest.ts';
import type { McpParts } from '../parts.ts';
import { answerObject } from './answers.ts';
import { hintsOf } from './hints.ts';
import { rankActions } from './rank-actions.ts';
import { withDefs } from './schemas.ts';
import type { Tool } from './tool.ts';
import { argumentSchema, readArguments } from './tool-arguments.ts';

const FIND = 'factotum_find_actions';
const DESCRIBE = 'factotum_describe_action';

const FIND_ARGUMENTS = {
  query: text('Words about what is to be done, such as `copy directory`; none: all actions.', { default: '', maxLength: 200 }),
  group: text('Only actions of this group, such as `files`.', { default: null }),
  limit: integer('How many to give at most, the best first.', { default: 20, min: 1, max: 100 }),
};

/** `factotum_find_actions`: actions that the caller may run, by words. */
export const findTool = ({ registry, catalogue }: McpParts): Tool => ({
  name: FIND,
  describe: () => ({
    description: 'Finds actions for factotum_run by words in their names and summaries, the best first.',
    inputSchema: argumentSchema(FIND_ARGUMENTS),
    outputSchema: {
      type: 'object',
      properties: {
        actions: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: STRING, summary: STRING, group: STRING, effects: { type: 'array', items: STRING } },
            required: ['name', 'summary', 'group', 'effects'],
            additionalProperties: false,
          },
        },
        total: { type: 'integer', description: 'How many there are without the limit.' },
      },
      required: ['actions', 'total'],
      additionalProperties: false,
    },
    annotations: hintsOf([], true),
  }),
  async call(given, { caller }) {
    const { query, group, limit } = readArguments(FIND, FIND_ARGUMENTS, given);
    const permitted = permittedNames(registry, caller).flatMap((name) => catalogue.describe(name) ?? []);
    const found = rankActions(query, group === null ? permitted : permitted.filter((action) => action.group === group));
    const actions = found.slice(0, limit).map(({ name, summary, group, effects }) => ({ name, summary, group, effects }));
    return answerObject({ actions, total: found.length });
  },
});

const STRING: JsonSchema = { type: 'string' };

const DESCRIBE_ARGUMENTS = { name: text('The name of the action.', { minLength: 1, maxLength: 128 }) };

/** `factotum_describe_action`: everything that is said of one action. */
export const describeTool = ({ registry, catalogue }: McpParts): Tool => ({
  name: DESCRIBE,
  describe: () => ({
    description: 'Tells the arguments of an action (JSON Schema), what it gives, what it does to files, and shows examples.',
    inputSchema: argumentSchema(DESCRIBE_ARGUMENTS),
    outputSchema: {
      type: 'object',
      properties: {
        name: STRING,
        summary: STRING,
        group: STRING,
        aliases: { type: 'array', items: STRING },
        deprecated: { type: 'object' },
        effects: { type: 'array', items: STRING },
        idempotent: { type: 'boolean' },
        arguments: { type: 'object' },
        order: { type: 'array', items: STRING, description: 'The arguments in the order in which they can be given without names.' },
        returns: { type: 'object' },
        no: { ...STRING, description: 'When the value answers a question with no.' },
        examples: { type: 'array', items: { type: 'object' } },
      },
      required: ['name', 'summary', 'arguments', 'returns'],
    },
    annotations: hintsOf([], true),
  }),
  async call(given, { caller }) {
    const { name } = readArguments(DESCRIBE, DESCRIBE_ARGUMENTS, given);
    const permitted = permittedNames(registry, caller);
    const own = registry.about(name)?.name;
    const description = own !== undefined && permitted.includes(own) ? catalogue.describe(own) : undefined;
    return answerObject({ ...withOwnDefs(description ?? notFound(name, permitted), catalogue.defs) });
  },
});

const withOwnDefs = ({ family: _, ...description }: Description, defs: McpParts['catalogue']['defs']) => ({
  ...description,
  arguments: withDefs(description.arguments, defs),
  returns: withDefs(description.returns, defs),
});

/** Names that the caller may run; others do not exist for it. */
const permittedNames = (registry: McpParts['registry'], { acl }: Caller): string[] =>
  registry.names().filter((name) => acl === undefined || acl.permits(name, registry.about(name)));

const notFound = (name: string, permitted: readonly string[]): never => {
  throw new UnknownActionException(
    `There is no action called ${JSON.stringify(name)} that this caller may run${didYouMean(name, permitted) || `; ${FIND} finds names.`}`,
    { context: { action: name } },
  );
};
