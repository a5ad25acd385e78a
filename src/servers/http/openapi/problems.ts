import { refer, type Schema } from './dialect.ts';

interface ProblemResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const RETRY_AFTER = { 'Retry-After': 'Seconds to wait.' };

/** Why a request is refused, by status. A failed command is a result and none of these. */
const PROBLEMS: Readonly<Record<number, ProblemResponse>> = {
  400: { description: 'The request cannot be read: not JSON, a bad encoding, no list, a doubled header.' },
  401: { description: 'The secret is missing or wrong.', headers: { 'WWW-Authenticate': 'Always Bearer.' } },
  403: { description: 'Access list, policy or browser guard say no.' },
  404: { description: 'No action or run has this name, or the service keeps no history or metrics here.' },
  405: { description: 'The path does not take this method.', headers: { Allow: 'The methods that the path takes.' } },
  408: { description: 'The request came too slowly.' },
  409: {
    description:
      'What the list would do is no longer what `expect_plan` names, the run of this `Idempotency-Key` is under way, or a run cannot be resumed or undone now; nothing ran.',
  },
  413: { description: 'The body is too large.' },
  415: { description: 'The body is no `application/json`, or compressed.' },
  417: { description: 'An expectation other than `100-continue`.' },
  422: { description: '`validate_first` or the graph was refused, or the `Idempotency-Key` came with another body; nothing ran.' },
  426: { description: 'The path wants a WebSocket.', headers: { Upgrade: 'Always websocket.' } },
  429: { description: 'Too many requests of this caller, or wrong secrets of this address.', headers: RETRY_AFTER },
  431: { description: 'The head of the request is too large.' },
  500: { description: 'A fault of the server; its log has the details.' },
  503: { description: 'The service is stopping, too many lists are under way, or the store cannot be used.', headers: RETRY_AFTER },
};

/** A refusal in the form of RFC 9457. */
export const problemSchema: Schema = {
  type: 'object',
  description: 'Why a request was refused (RFC 9457).',
  properties: {
    type: { type: 'string', description: '`urn:factotum:error:<kind>`' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What, where, and what helps.' },
    error: refer('error'),
    run_id: { type: 'string' },
  },
  required: ['type', 'title', 'status', 'detail'],
};

const nameOf = (status: string | number): string => `problem_${status}`;

const content = { 'application/problem+json': { schema: refer('problem') } };

/** Every refusal as a response of the document. */
export const problemResponses: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(PROBLEMS).map(([status, { description, headers = {} }]) => [
    nameOf(status),
    {
      description,
      ...(Object.keys(headers).length > 0 && {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, about]) => [name, { description: about, schema: { type: 'string' } }]),
        ),
      }),
      content,
    },
  ]),
);

/** Refers an operation to its refusals. */
export const refusals = (...statuses: readonly number[]): Record<string, unknown> =>
  Object.fromEntries(statuses.map((status) => [String(status), { $ref: `#/components/responses/${nameOf(status)}` }]));
