import { ExecuteActionException } from './errors.ts';
import type { RunResult } from './result.ts';
import type { Shape } from './shapes.ts';

/** The result of a whole nested list, as an action's value. */
export const runResult: Shape<RunResult> = {
  schema: { $ref: '#/$defs/run_result' },
  expected: 'the result of a list',
  accepts: (value) => typeof value === 'object' && value !== null,
};

/** The result of a nested list that must have ended ok: otherwise its command fails, naming the first trouble. */
export const demandOk = (result: RunResult): RunResult => {
  if (result.ok) return result;
  const first = result.results.find(({ status }) => status === 'failed' || status === 'cancelled');
  const why =
    first?.error === undefined ? `it ended as ${result.status}` : `command ${first.index} (${first.action}) said: ${first.error.message}`;
  throw new ExecuteActionException(`The nested list did not succeed; ${why}`, { context: { counts: result.counts } });
};
