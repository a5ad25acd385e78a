import type { Json } from '../../core/errors.ts';
import { type KeptOutcome, keepOutcome } from '../../core/kept-outcome.ts';
import type { RunBegun } from '../../core/ports.ts';
import { OWNER_NAME } from '../../core/reach.ts';
import type { Outcome, RunResult } from '../../core/result.ts';
import type { TimeSlice } from '../../lib/async/time-slice.ts';
import type { FinishedRun, RunFacts, RunSource } from '../engine/port/runs.ts';
import { maskInSlices } from './mask-in-slices.ts';

export interface FinishedRunRules {
  /** Takes secrets out of a list and its values; gives back the same reference where there are none. */
  mask(value: unknown): unknown;
  /** The same for what came of a list, with the secrets that stand in it; left out: as `mask`. */
  maskFor?(request: unknown): (value: unknown) => unknown;
  /** What to write down beside the run: `{ factotum: '1.2.3' }`. */
  readonly versions?: { readonly [part: string]: string };
  /** Where relative paths of the list count from; given where that is not the directory of the service. */
  readonly cwd?: string;
}

/** What is known of a run before it has ended, secrets taken out. */
export const factsOf = (
  { runId, caller, source, request, startedAt, policy }: RunBegun,
  { mask, versions, cwd }: FinishedRunRules,
  body: unknown = mask(request),
) => {
  const isMasked = body !== request;
  const { name, mode, dry_run, expect_plan } = optionsOf(request);
  return {
    runId,
    source: source as RunSource, // doors name themselves in the words of the store
    caller,
    body: body as Json, // a request that was let in is JSON
    // A masked list cannot be run again as it is kept.
    ...((isMasked || cwd !== undefined) && { options: { ...(isMasked && { masked: true }), ...(cwd !== undefined && { cwd }) } }),
    ...(typeof name === 'string' && { name }),
    mode: typeof mode === 'string' ? mode : 'nodes' in optionsOf(request) ? 'graph' : 'serial',
    isDryRun: dry_run === true,
    ...(typeof expect_plan === 'string' && { planHash: expect_plan }),
    ...(versions !== undefined && { versions }),
    startedAt: startedAt.getTime(),
    ...(policy !== undefined && caller !== OWNER_NAME && { share: { queued: policy.maxQueued, storedBytes: policy.maxStoredBytes } }),
  } satisfies RunFacts & Pick<FinishedRun, 'runId' | 'startedAt'>;
};

/** The record of a run that is over, secrets taken out. */
export const finishedRun = (run: RunBegun, result: RunResult, rules: FinishedRunRules): FinishedRun => {
  const body = rules.mask(run.request);
  const maskValue = valueMask(run, rules, body);
  return recordOf(
    { run, result, rules },
    result.results.map((outcome) => keepOutcome(outcome, maskValue)),
    body,
  );
};

/** A list of which nothing is masked holds no secrets by name either. */
const valueMask = ({ request }: RunBegun, { mask, maskFor }: FinishedRunRules, body: unknown): FinishedRunRules['mask'] =>
  body === request || maskFor === undefined ? mask : maskFor(request);

/** The same where others wait for the thread: a long result takes long to be looked through. */
export const finishedRunInSlices = async (
  run: RunBegun,
  result: RunResult,
  { slice, ...rules }: FinishedRunRules & { readonly slice: TimeSlice },
): Promise<FinishedRun> => {
  const body = await maskInSlices(run.request, rules.mask, slice);
  const maskValue = valueMask(run, rules, body);
  const commands: KeptOutcome[] = [];
  for (const outcome of result.results) {
    commands.push(keepOutcome(outcome, maskValue));
    if (slice.isOver(isQuick(outcome) ? 1 : STEPS_OF_A_LOOK)) await slice.next();
  }
  return recordOf({ run, result, rules }, commands, body);
};

/** After this many steps the clock is looked at. */
const STEPS_OF_A_LOOK = 64;

const isQuick = ({ value, steps, plan }: Outcome): boolean =>
  steps === undefined &&
  plan === undefined &&
  (typeof value !== 'object' || value === null) &&
  (typeof value !== 'string' || value.length < 1024);

interface Ended {
  readonly run: RunBegun;
  readonly result: RunResult;
  readonly rules: FinishedRunRules;
}

const recordOf = ({ run, result, rules }: Ended, commands: readonly KeptOutcome[], body: unknown): FinishedRun => ({
  ...factsOf(run, rules, body),
  ...(result.plan_hash !== undefined && { planHash: result.plan_hash }),
  state: result.status,
  durationMs: result.duration_ms,
  counts: result.counts,
  commands,
});

/** The options that a wrapped list or a graph has beside its commands. */
const optionsOf = (request: unknown): { readonly [key: string]: unknown } =>
  typeof request === 'object' && request !== null && !Array.isArray(request) ? (request as { readonly [key: string]: unknown }) : {}; // an object
