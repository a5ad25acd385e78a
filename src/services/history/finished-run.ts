import type { Json } from '../../core/errors.ts';
import { keepOutcome } from '../../core/kept-outcome.ts';
import type { RunBegun } from '../../core/ports.ts';
import type { RunResult } from '../../core/result.ts';
import type { FinishedRun, RunSource } from '../engine/port/runs.ts';

export interface FinishedRunRules {
  /** Takes secrets out of a list and its values; gives back the same reference where there are none. */
  mask(value: unknown): unknown;
  /** What to write down beside the run: `{ factotum: '1.2.3' }`. */
  readonly versions?: { readonly [part: string]: string };
}

/** The record of a run that is over, secrets taken out. */
export const finishedRun = (run: RunBegun, result: RunResult, { mask, versions }: FinishedRunRules): FinishedRun => {
  const body = mask(run.request);
  const { name, mode, dry_run } = optionsOf(run.request);
  return {
    runId: run.runId,
    source: run.source as RunSource, // doors name themselves in the words of the store
    caller: run.caller,
    body: body as Json, // a request that was let in is JSON
    // Such a list cannot be run again as it is kept.
    ...(body !== run.request && { options: { masked: true } }),
    ...(typeof name === 'string' && { name }),
    mode: typeof mode === 'string' ? mode : 'nodes' in optionsOf(run.request) ? 'graph' : 'serial',
    isDryRun: dry_run === true,
    ...(result.plan_hash !== undefined && { planHash: result.plan_hash }),
    ...(versions !== undefined && { versions }),
    state: result.status,
    startedAt: run.startedAt.getTime(),
    durationMs: result.duration_ms,
    counts: result.counts,
    commands: result.results.map((outcome) => keepOutcome(outcome, mask)),
  };
};

/** The options that a wrapped list or a graph has beside its commands. */
const optionsOf = (request: unknown): { readonly [key: string]: unknown } =>
  typeof request === 'object' && request !== null && !Array.isArray(request) ? (request as { readonly [key: string]: unknown }) : {}; // an object
