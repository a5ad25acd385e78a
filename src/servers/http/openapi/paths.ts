import { refer, type Schema } from './dialect.ts';
import { refusals } from './problems.ts';
import { idempotencyKey, runPaths } from './runs.ts';

/** What any request can meet, whatever it asks for. */
const ANYWHERE = [400, 403, 405, 408, 413, 417, 431, 500];
/** What a request without the right secret meets. */
const LOCKED = [401, 429];

const json = (description: string, schema: Schema, headers: Readonly<Record<string, unknown>> = {}) => ({
  description,
  headers: { 'X-Request-Id': REQUEST_ID, ...headers },
  content: { 'application/json': { schema } },
});

const REQUEST_ID = { description: 'The id that the request came with, or a new one.', schema: { type: 'string' } };
const RUN_ID = { description: 'The id of the run.', schema: { type: 'string' } };
/** Needs no secret. */
const open = { security: [], tags: ['service'] };

const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const text = (...values: readonly string[]): Schema => ({ type: 'string', ...(values.length > 0 && { enum: values }) });

/** Every path of the server. */
export const paths: Readonly<Record<string, unknown>> = {
  '/actions': {
    post: {
      operationId: 'runActions',
      summary: 'Runs a list and answers its result, also when commands failed.',
      tags: ['actions'],
      parameters: [
        {
          name: 'X-Cancel-On-Disconnect',
          in: 'header',
          description: 'Cancel the run when the client goes away; else it goes on.',
          schema: text('true', 'false'),
        },
        idempotencyKey,
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: refer('steps'),
            examples: {
              list: { value: [['FA_create_file', { file_path: 'hello.txt', content: 'Hello.' }]] },
              plan: { value: { actions: [['FA_remove_file', ['hello.txt']]], dry_run: true } },
            },
          },
        },
      },
      responses: {
        200: json('The result.', refer('run_result'), { 'X-Run-Id': RUN_ID }),
        ...refusals(...ANYWHERE, ...LOCKED, 409, 415, 422, 503),
      },
    },
    options: {
      operationId: 'ping',
      summary: 'Tells whether the server is there and the secret is right.',
      tags: ['actions'],
      responses: {
        204: { description: 'It is.', headers: { Allow: { description: 'The methods of this path.', schema: text() } } },
        ...refusals(...ANYWHERE, ...LOCKED),
      },
    },
    get: {
      operationId: 'listActions',
      summary: 'Describes every action that the caller may run.',
      tags: ['actions'],
      responses: {
        200: json('The catalogue.', object({ actions: { type: 'array', items: refer('action') } })),
        ...refusals(...ANYWHERE, ...LOCKED),
      },
    },
  },
  '/actions/{name}': {
    get: {
      operationId: 'describeAction',
      summary: 'Describes one action.',
      tags: ['actions'],
      parameters: [{ name: 'name', in: 'path', required: true, description: 'Its name or another name of it.', schema: text() }],
      responses: { 200: json('Its definition.', refer('action')), ...refusals(...ANYWHERE, ...LOCKED, 404) },
    },
  },
  ...runPaths({ json, refusals: (...further) => refusals(...ANYWHERE, ...LOCKED, ...further) }),
  '/healthz': {
    get: {
      operationId: 'health',
      summary: 'Answers while the process lives.',
      ...open,
      responses: { 200: json('It lives.', object({ status: text('ok') })), ...refusals(...ANYWHERE) },
    },
  },
  '/readyz': {
    get: {
      operationId: 'ready',
      summary: 'Tells whether lists are taken.',
      ...open,
      responses: {
        200: json('They are.', {
          ...object({ status: text('ready'), actions: { type: 'integer' } }),
          description: '`full_shares` counts what callers have used up; with a secret, `used_up` says whose and which (`caller`, `limit`).',
        }),
        503: json('They are not.', object({ status: text('not_ready'), reason: text() })),
        ...refusals(...ANYWHERE),
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'openApi',
      summary: 'This document.',
      ...open,
      responses: { 200: json('The document.', { type: 'object' }), ...refusals(...ANYWHERE) },
    },
  },
  '/progress': {
    get: {
      operationId: 'followProgress',
      summary: 'Becomes a WebSocket that tells how far all work is: on opening, after changes, and at least every 15 seconds.',
      tags: ['service'],
      responses: {
        101: { description: 'From here on each message is a text as the schema `progress` says.', 'x-message': refer('progress') },
        ...refusals(...ANYWHERE, ...LOCKED, 426),
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      summary: 'Counters and histograms in the text format of Prometheus, where metrics share this port.',
      tags: ['service'],
      responses: {
        200: { description: 'The metrics.', content: { 'text/plain': { schema: text() } } },
        ...refusals(...ANYWHERE, ...LOCKED, 404),
      },
    },
  },
};
