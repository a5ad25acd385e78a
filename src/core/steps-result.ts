import { ExecuteActionException } from './errors.ts';
import type { Counts, RunResult, Status } from './result.ts';
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

/** Whether only the sum of a result is shown, because there are too many like it. */
export const isAddedUp = ({ counts, results }: RunResult): boolean => results.length < totalOf(counts);

/** The sum of results of which the single commands are not shown. */
export const addUp = (sum: RunResult | undefined, { run_id, ok, status, counts, duration_ms }: RunResult): RunResult => {
  if (sum === undefined) return { run_id, ok, status, counts, duration_ms, results: [] };
  const all = { ...sum.counts };
  for (const key of Object.keys(counts) as Status[]) all[key] += counts[key]; // a record of all states and no other key
  return {
    run_id,
    ok: sum.ok && ok,
    status: sum.status === 'ok' ? status : sum.status,
    counts: all,
    duration_ms: sum.duration_ms + duration_ms,
    results: [],
  };
};

const totalOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
