import type { Description } from '../../../core/description.ts';
import type { JsonSchema } from '../../../core/shapes.ts';
import { actionSchemas, commandSchema, referenceSchema } from './commands.ts';
import { type Schema, toDialect } from './dialect.ts';
import { paths } from './paths.ts';
import { problemResponses, problemSchema } from './problems.ts';
import { withRemarks } from './remarks.ts';
import { runSchemas } from './runs.ts';

/** What is said of all actions, and the schemas that theirs refer to. */
export interface Listing {
  readonly $defs: Readonly<Record<string, JsonSchema>>;
  readonly actions: readonly Description[];
}

export interface OpenApiOptions {
  readonly listing: Listing;
  /** Of the server. */
  readonly version: string;
  /** Where the server is; `/` says: where the document came from. */
  readonly url: string;
}

/** Describes the HTTP server in OpenAPI 3.0.3, with one typed command for each action. */
export const openApiDocument = ({ listing: { $defs, actions }, version, url }: OpenApiOptions): object => ({
  openapi: '3.0.3',
  info: {
    title: 'factotum',
    version,
    description:
      'Runs action lists. A failed command is a result and answers 200; only a refused request is a problem. Actions that were registered beside the built-in ones are told by GET /actions.',
    contact: { name: 'The operator of this service' },
    license: { name: 'MIT' },
  },
  servers: [{ url }],
  tags: [
    { name: 'actions', description: 'Lists and what can stand in them.' },
    { name: 'runs', description: 'Lists in the background, what became of runs, and changing their course; where a history is kept.' },
    { name: 'service', description: 'How the server is.' },
  ],
  // Where no secret is set, none is asked for.
  security: [{ secret: [] }, {}],
  paths: withRemarks(paths),
  components: {
    securitySchemes: { secret: { type: 'http', scheme: 'bearer', description: 'The shared secret, or the secret of a token.' } },
    responses: problemResponses,
    schemas: {
      ...Object.fromEntries(Object.entries($defs).map(([name, schema]) => [name, toDialect(schema)])),
      command: commandSchema(actions),
      reference: referenceSchema,
      problem: problemSchema,
      action: actionSchema,
      progress: progressSchema,
      ...runSchemas,
      ...Object.assign({}, ...actions.map(actionSchemas)),
    },
  },
});

const text: Schema = { type: 'string' };
const texts: Schema = { type: 'array', items: text };

/** What `GET /actions/{name}` answers; its own schemas are JSON Schema 2020-12. */
const actionSchema: Schema = {
  type: 'object',
  description: 'What is said of an action; `arguments` and `returns` are JSON Schema 2020-12.',
  properties: {
    name: text,
    family: text,
    group: text,
    aliases: texts,
    deprecated: { type: 'object', properties: { since: text, use: text }, required: ['since', 'use'] },
    summary: text,
    effects: texts,
    idempotent: { type: 'boolean', description: 'Running it again is harmless.' },
    arguments: { type: 'object' },
    order: { ...texts, description: 'The arguments in positional order.' },
    returns: { type: 'object' },
    no: { ...text, description: 'When the value answers a question with no.' },
    examples: { type: 'array', items: { type: 'object' } },
  },
  required: ['name', 'family', 'group', 'aliases', 'summary', 'effects', 'idempotent', 'arguments', 'order', 'returns', 'examples'],
};

const nullable = (schema: Schema): Schema => ({ ...schema, nullable: true });
const number: Schema = { type: 'number' };

/** A message of `GET /progress`. */
const progressSchema: Schema = {
  type: 'object',
  description: 'How far all work is.',
  properties: {
    progress: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: text,
          run_id: nullable(text),
          action: nullable(text),
          status: { type: 'string', enum: ['running', 'done', 'failed', 'cancelled'] },
          transferred: number,
          total: nullable(number),
          unit: { type: 'string', enum: ['bytes', 'items'] },
          rate: { ...number, description: 'Units a second.' },
          eta_s: nullable(number),
          started_at: { type: 'string', format: 'date-time' },
          finished_at: nullable({ type: 'string', format: 'date-time' }),
        },
        required: ['name', 'run_id', 'action', 'status', 'transferred', 'total', 'unit', 'rate', 'eta_s', 'started_at', 'finished_at'],
      },
    },
  },
  required: ['progress'],
};
