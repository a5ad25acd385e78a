import type { Status } from '../../../src/core/result.ts';
import { DEFAULT_RETRY } from '../../../src/core/retry.ts';
import type { JsonSchema } from '../../../src/core/shapes.ts';

const refer = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

const whole = { type: 'integer' };
const flag = (description: string, fallback: boolean): JsonSchema => ({ type: 'boolean', description, default: fallback });

/** Keys that a wrapped list and a graph share. */
const options: Readonly<Record<string, JsonSchema>> = {
  validate_first: flag('Check every name and argument before the first command runs.', false),
  dry_run: flag('Only tell what would happen.', false),
  max_workers: { type: 'integer', minimum: 1, description: 'How many commands run at once.', default: 4 },
  expect_plan: { type: 'string', description: 'Run only if planning again gives this plan_hash.' },
  name: { type: 'string', description: 'A label for history.' },
  quota: {
    type: 'object',
    description: 'Budget of the whole list; 0 or less: no limit.',
    properties: { max_bytes: whole, max_seconds: { type: 'number' } },
    additionalProperties: false,
  },
};

const commands: JsonSchema = { type: 'array', items: refer('command') };

const steps: Readonly<Record<string, JsonSchema>> = {
  steps: {
    description: 'Commands to run: a list, a wrapped list or a graph.',
    anyOf: [refer('command_list'), refer('wrapped_list'), refer('graph')],
  },
  command_list: { ...commands, description: 'Commands, run one after the other.' },
  wrapped_list: {
    type: 'object',
    description: 'A list with options.',
    properties: {
      actions: { ...commands, description: 'The commands.' },
      auto_control: { ...commands, description: 'The older name of actions.' },
      mode: { type: 'string', enum: ['serial', 'parallel'], description: 'One after the other, or several at once.', default: 'serial' },
      stop_on_error: flag('Leave out the rest after a failure; serial lists only.', false),
      ...options,
    },
    oneOf: [{ required: ['actions'] }, { required: ['auto_control'] }],
    additionalProperties: false,
  },
  graph: {
    type: 'object',
    description: 'Commands in the order of their dependencies.',
    properties: {
      nodes: { type: 'array', items: refer('node'), description: 'The nodes.' },
      fail_fast: flag('Skip what depends on a failed node.', true),
      ...options,
    },
    required: ['nodes'],
    additionalProperties: false,
  },
  node: {
    type: 'object',
    description: 'One command of a graph.',
    properties: {
      id: { type: 'string', minLength: 1, description: 'What other nodes call it.' },
      action: refer('command'),
      depends_on: { type: 'array', items: { type: 'string' }, description: 'The nodes that must have ended before.' },
      retry: {
        type: 'object',
        description: 'Repeat it after a passing fault.',
        properties: {
          attempts: { type: 'integer', minimum: 1, default: DEFAULT_RETRY.attempts },
          backoff_s: { type: 'number', minimum: 0, default: DEFAULT_RETRY.backoffS },
          cap_s: { type: 'number', minimum: 0, default: DEFAULT_RETRY.capS },
        },
        additionalProperties: false,
      },
      timeout_s: { type: 'number', exclusiveMinimum: 0, description: 'Stop it after this many seconds.' },
      run: { const: 'always', description: 'Run it whatever became of its dependencies.' },
    },
    required: ['id', 'action'],
    additionalProperties: false,
  },
  command: {
    type: 'array',
    description: 'The name of an action and its arguments, by name or in order.',
    prefixItems: [{ type: 'string', minLength: 1 }, { type: ['object', 'array'] }],
    minItems: 1,
    maxItems: 2,
  },
};

const statuses: readonly Status[] = ['ok', 'failed', 'skipped', 'planned', 'reused', 'cancelled', 'indeterminate'];

/** Results stay open for further keys: a reader of today meets the answers of tomorrow. */
const results: Readonly<Record<string, JsonSchema>> = {
  run_result: {
    type: 'object',
    description: 'The result of a list.',
    properties: {
      run_id: { type: 'string' },
      ok: { type: 'boolean' },
      status: { type: 'string', enum: ['ok', 'failed', 'cancelled'] },
      counts: { type: 'object', properties: Object.fromEntries(statuses.map((status) => [status, whole])), required: statuses },
      duration_ms: { type: 'number' },
      plan_hash: { type: 'string' },
      results: { type: 'array', items: refer('outcome') },
    },
    required: ['run_id', 'ok', 'status', 'counts', 'duration_ms', 'results'],
  },
  outcome: {
    type: 'object',
    description: 'What became of one command.',
    properties: {
      index: whole,
      id: { type: 'string' },
      action: { type: ['string', 'null'] },
      status: { type: 'string', enum: statuses },
      value: {},
      error: refer('error'),
      reason: { type: 'string' },
      plan: {
        type: 'object',
        properties: {
          arguments: {},
          effects: { type: 'array', items: refer('effect') },
          complete: { const: false, description: 'More than this may happen.' },
          unknown: { type: 'array', items: { type: 'string' }, description: 'Arguments whose value only a real run gets.' },
          steps: refer('steps_results'),
        },
        required: ['arguments', 'effects'],
      },
      notes: {
        type: 'array',
        items: { type: 'object', properties: { kind: { type: 'string' }, message: { type: 'string' } }, required: ['kind', 'message'] },
      },
      steps: refer('steps_results'),
      duration_ms: { type: 'number' },
    },
    required: ['index', 'action', 'status', 'duration_ms'],
  },
  steps_results: { anyOf: [refer('run_result'), { type: 'array', items: refer('run_result') }] },
  effect: {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['create', 'overwrite', 'delete', 'read', 'network', 'execute'] },
      target: { type: 'string' },
      bytes: { type: 'number' },
    },
    required: ['kind', 'target'],
  },
  error: {
    type: 'object',
    properties: { type: { type: 'string' }, message: { type: 'string' }, retryable: { type: 'boolean' }, context: { type: 'object' } },
    required: ['type', 'message', 'retryable', 'context'],
  },
};

/** The schemas that definitions refer to as `#/$defs/…`: nested lists on the way in, results on the way out. */
export const wireSchemas: Readonly<Record<string, JsonSchema>> = { ...steps, ...results };
