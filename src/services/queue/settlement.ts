import { FileAutomationException, InternalException } from '../../core/errors.ts';
import type { Counts, ErrorRecord, Outcome, RunResult } from '../../core/result.ts';
import { backoff, type RetryRule } from '../../core/retry.ts';
import type { Claim, Settlement } from '../engine/port/engine.ts';
import type { CommandChange } from '../engine/port/runs.ts';

export interface SettlementRules {
  readonly now: number;
  /** How long items of the queue wait before they are tried again. */
  readonly retry: RetryRule;
  readonly random: () => number;
  /** Whether an item may be tried again at all. */
  readonly hasAttemptsLeft: boolean;
  /** Takes secrets out of an error that no command has had. */
  mask(value: unknown): unknown;
}

/**
 * What is settled about a run: for good, or to be gone on with. `outcome` is its result, or why the list was refused as a whole;
 * `commands` is what the store does not know yet.
 */
export const settlementOf = (
  { runId, attempt, fence, source }: Claim,
  outcome: RunResult | Error,
  commands: readonly CommandChange[],
  rules: SettlementRules,
): Settlement => {
  const ref = { runId, attempt, fence };
  const isItem = source === 'queue';
  if (outcome instanceof Error) {
    const error = rules.mask(recordOf(outcome)) as ErrorRecord; // masking keeps the shape
    if (isItem && error.retryable && rules.hasAttemptsLeft) return { ...ref, commands, end: 'retry', runAt: later(attempt, rules), error };
    return isItem ? { ...ref, commands, end: 'dead', error } : { ...ref, commands, end: 'failed', counts: NOTHING, durationMs: 0, error };
  }
  const { counts, duration_ms: durationMs, results, plan_hash: planHash } = outcome;
  const facts = { ...ref, commands, counts, durationMs, ...(planHash !== undefined && { planHash }) };
  if (outcome.ok) return { ...facts, end: 'ok' };
  if (outcome.status === 'cancelled') return { ...facts, end: 'cancelled' };
  if (!isItem) return { ...facts, end: 'failed' };
  const again = toTryAgain(results);
  const error = firstError(results);
  if (again.length === 0 || !rules.hasAttemptsLeft) return { ...ref, commands, end: 'dead', error };
  return { ...ref, commands: [...commands, ...again.map(asWaiting)], end: 'retry', runAt: later(attempt, rules), error };
};

/** Commands that failed for a reason that may pass, and those that were held back. None: trying again is of no use. */
const toTryAgain = (results: readonly Outcome[]): readonly Outcome[] =>
  results.some(mayPass) ? results.filter((outcome) => mayPass(outcome) || outcome.status === 'skipped') : [];

const mayPass = ({ status, error }: Outcome): boolean => status === 'failed' && error?.retryable === true;

const asWaiting = ({ index }: Outcome): CommandChange => ({ index, state: 'waiting' });

const later = (attempt: number, { now, retry, random }: SettlementRules): number =>
  now + Math.round(backoff(retry, attempt, random) * 1000);

const firstError = (results: readonly Outcome[]): ErrorRecord =>
  results.find(({ status }) => status === 'failed')?.error ?? recordOf(new Error('nothing says why the run failed'));

/** The error of a refused run. What nobody expected is told without its inside. */
const recordOf = (fault: unknown): ErrorRecord =>
  (fault instanceof FileAutomationException
    ? fault
    : new InternalException('The run could not be started; the log has the details.', { cause: fault })
  ).toJSON();

const NOTHING: Counts = { ok: 0, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };
