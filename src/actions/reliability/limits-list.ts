import { defineAction } from '../../core/action.ts';
import { array, choice, numeric, object, string, whole } from '../../core/shapes.ts';
import { limitsOf } from './limits.ts';

const snapshot = object(
  { kind: choice(['rate_limit', 'circuit_breaker', 'bulkhead']), name: string() },
  { tokens: numeric(), state: choice(['closed', 'open', 'half_open']), failures: whole(), running: whole(), waiting: whole() },
);

export const limitsList = defineAction({
  name: 'FA_limits_list',
  summary:
    'Lists the limits that hold somebody back or soon will: buckets that are not full, breakers with failures, places that are taken.',
  args: {},
  returns: array(snapshot),
  idempotent: true,
  reserved: true,
  examples: [{ args: {}, value: [] }],
  run: async (ctx) => (await limitsOf(ctx).list()).map((each) => ({ ...each })),
});
