import { RecordedException } from '../../core/errors.ts';
import type { RunResult } from '../../core/result.ts';
import { demandOk } from '../../core/steps-result.ts';

/** A list that failed because of the limit around it fails its command with the limit's own error. */
export const demandWithin = (run: RunResult, limit: string): RunResult => {
  const hit = run.results.find(({ error }) => error?.type === limit);
  if (hit?.error !== undefined) throw new RecordedException(hit.error);
  return demandOk(run);
};
