import { defineAction } from '../../core/action.ts';
import * as shapes from '../../core/shapes.ts';
import { limitsOf } from './limits.ts';

const snapshot = shapes.object(
  { kind: shapes.oneOf(['rate_limit', 'circuit_breaker', 'bulkhead']), name: shapes.text() },
  {
    tokens: shapes.number(),
    state: shapes.oneOf(['closed', 'open', 'half_open']),
    failures: shapes.integer(),
    running: shapes.integer(),
    waiting: shapes.integer(),
  },
);

export const limitsList = defineAction({
  name: 'FA_limits_list',
  summary:
    'Lists the limits that hold somebody back or soon will: buckets that are not full, breakers with failures, places that are taken.',
  args: {},
  returns: shapes.list(snapshot),
  idempotent: true,
  reserved: true,
  examples: [{ args: {}, value: [] }],
  run: async (ctx) => (await limitsOf(ctx).list()).map((each) => ({ ...each })),
});
