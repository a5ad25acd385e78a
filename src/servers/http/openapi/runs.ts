import { refer, type Schema } from './dialect.ts';

const text: Schema = { type: 'string' };
const number: Schema = { type: 'number' };
const flag: Schema = { type: 'boolean' };
const time: Schema = { type: 'string', format: 'date-time' };
const nullable = (schema: Schema): Schema => ({ ...schema, nullable: true });

const STATES = ['queued', 'running', 'ok', 'failed', 'cancelled', 'dead', 'indeterminate'];

const all = (
  properties: Readonly<Record<string, Schema>>,
  description: string,
  further: Readonly<Record<string, Schema>> = {},
): Schema => ({
  type: 'object',
  description,
  properties: { ...properties, ...further },
  required: Object.keys(properties),
});

const summary = {
  run_id: text,
  state: { type: 'string', enum: STATES },
  name: nullable(text),
  source: { ...text, description: 'What asked for it: http, cli, schedule, undo.' },
  caller: text,
  mode: text,
  dry_run: flag,
  plan_hash: nullable(text),
  parent: { ...nullable(text), description: 'The run that this one resumes, repeats or undoes.' },
  queue: text,
  attempt: { type: 'integer' },
  cancel_requested: flag,
  submitted_at: time,
  started_at: nullable(time),
  ended_at: nullable(time),
  duration_ms: nullable(number),
  counts: nullable({ type: 'object', additionalProperties: { type: 'integer' } }),
  error: nullable({ type: 'object' }),
} satisfies Readonly<Record<string, Schema>>;

/** The schemas of `/runs`. */
export const runSchemas: Readonly<Record<string, Schema>> = {
  run_summary: all(summary, 'A run as lists show it.'),
  run_record: all(
    {
      ...summary,
      versions: { type: 'object', additionalProperties: text, description: 'What ran it.' },
      request: { description: 'The list as written, secrets masked.' },
      results: {
        type: 'array',
        description: 'Every command, like an entry of a result; its status may also be waiting or running.',
        items: {
          type: 'object',
          properties: {
            index: { type: 'integer' },
            action: nullable(text),
            status: text,
            arguments: { description: 'Of a command that waits for a verdict: what it was given, as far as it is known, secrets masked.' },
          },
          required: ['index', 'status'],
        },
      },
    },
    'A run with everything that is known of it.',
    {
      event: { type: 'object', description: 'What a watcher saw, of its runs.' },
      schedule: { type: 'object', description: 'The job and the time it is about, of scheduled runs.' },
    },
  ),
  runs_page: all(
    { runs: { type: 'array', items: refer('run_summary') }, cursor: { ...nullable(text), description: 'Asks for the next ones.' } },
    'Runs, newest first.',
  ),
  run_accepted: {
    type: 'object',
    description: 'The run that was started, or that was asked to stop.',
    properties: { run_id: text, outcome: { type: 'string', enum: ['cancelled', 'requested', 'finished'], description: 'Of cancelling.' } },
    required: ['run_id'],
  },
};

const RUN = { name: 'id', in: 'path', required: true, description: 'The id of the run.', schema: text };

/** The header that makes a list run once. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Sent again under the same key within a day, the list is not run again and the recorded answer comes back; what was refused before anything ran may be sent again. Needs a history.',
  schema: { type: 'string', maxLength: 255 },
};

const asked = (name: string, description: string, schema: Schema = text) => ({ name, in: 'query', description, schema });

const QUERY = [
  asked('status', 'States, several with commas.'),
  asked('action', 'Runs whose list names this action, at any depth.'),
  asked('caller', 'Runs of this caller.'),
  asked('since', 'Submitted at this time or later.', time),
  asked('until', 'Submitted before this time.', time),
  asked('text', 'Stands somewhere in the list as written or in its name.'),
  asked('cursor', 'Goes on after an earlier answer.'),
  asked('limit', 'How many at most; 50 unless said.', { type: 'integer', minimum: 1, maximum: 1000 }),
];

/** How the routes answer; the words for refusals come from whoever puts the document together. */
interface Answers {
  json(description: string, schema: Schema, headers?: Readonly<Record<string, unknown>>): object;
  refusals(...further: readonly number[]): object;
}

/** The paths of `/runs`. */
export const runPaths = ({ json, refusals }: Answers): Readonly<Record<string, unknown>> => {
  const location = { Location: { description: 'Where the run is found.', schema: text } };
  const taken = { 202: json('It was taken.', refer('run_accepted'), location) };
  const change = (operationId: string, sentence: string, further: object = {}) => ({
    post: {
      operationId,
      summary: sentence,
      tags: ['runs'],
      parameters: [RUN],
      ...further,
      responses: { ...taken, ...refusals(404, 409, 415, 503) },
    },
  });
  return {
    '/runs': {
      post: {
        operationId: 'startRun',
        summary: 'Runs a list in the background and answers at once.',
        tags: ['runs'],
        parameters: [idempotencyKey],
        requestBody: { required: true, content: { 'application/json': { schema: refer('steps') } } },
        responses: { ...taken, ...refusals(404, 409, 415, 422, 503) },
      },
      get: {
        operationId: 'listRuns',
        summary: 'Lists runs, newest first: the owner sees all, others what they started.',
        tags: ['runs'],
        parameters: QUERY,
        responses: { 200: json('Runs.', refer('runs_page')), ...refusals(404, 503) },
      },
    },
    '/runs/{id}': {
      get: {
        operationId: 'getRun',
        summary: 'Tells everything that is known of a run.',
        tags: ['runs'],
        parameters: [RUN],
        responses: { 200: json('Its record.', refer('run_record')), ...refusals(404, 503) },
      },
    },
    '/runs/{id}/events': {
      get: {
        operationId: 'followRun',
        summary: 'Tells of each command, of progress and of the end as Server-Sent Events: command, progress, done.',
        tags: ['runs'],
        parameters: [RUN, { name: 'Last-Event-ID', in: 'header', description: 'Goes on behind this event.', schema: text }],
        responses: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: text } } },
          204: { description: 'The run is over and everything was told.' },
          ...refusals(404, 503),
        },
      },
    },
    '/runs/{id}/cancel': change('cancelRun', 'Asks a run to stop.'),
    '/runs/{id}/resume': change('resumeRun', 'Runs what has not ended well as a new run, or all from a command on.', {
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { from: { oneOf: [{ type: 'integer', minimum: 0 }, text], description: 'An index, or the id of a node.' } },
            },
          },
        },
      },
    }),
    '/runs/{id}/undo': change('undoRun', 'Takes back what a run changed, as a new run.'),
  };
};
