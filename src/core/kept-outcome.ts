import { jsonBeginning } from './json-pieces.ts';
import { PrintedValue } from './printed.ts';
import type { ErrorRecord, Note, Outcome, Plan, RunResult, Status } from './result.ts';

/** An outcome as a store keeps it. */
export interface KeptOutcome {
  readonly index: number;
  readonly id?: string | null;
  readonly action: string | null;
  readonly state: Status;
  readonly value?: unknown;
  readonly error?: ErrorRecord;
  readonly reason?: string;
  readonly notes?: readonly Note[];
  readonly plan?: Plan;
  readonly steps?: RunResult | readonly RunResult[];
  readonly durationMs?: number;
  /** The value was too long and is cut. */
  readonly truncated?: true;
}

/** What one command may put into the history; direct answers are never cut. */
export const MAX_KEPT_BYTES = 1024 * 1024;

const MASKED: Note = { kind: 'masked', message: 'The value held a secret, which is not kept.' };

/** What is kept of an outcome, secrets taken out. `mask` gives back the same reference where there was none. */
export const keepOutcome = (outcome: Outcome, mask: (value: unknown) => unknown): KeptOutcome => {
  const { index, id, action, status, value, error, reason, plan, steps, duration_ms } = outcome;
  // A text as long as a disk is not looked through for secrets only to be cut.
  const begun = value instanceof PrintedValue ? undefined : beginningOf(value);
  const kept = value instanceof PrintedValue ? value.atMost(MAX_KEPT_BYTES) : (begun ?? value);
  const shown = mask(kept);
  const isTold = { plan: !isTooLong(plan), steps: !isTooLong(steps) };
  const notes = shown === kept ? outcome.notes : [...(outcome.notes ?? []), MASKED];
  return {
    index,
    ...(id !== undefined && { id }),
    action,
    state: status,
    ...(shown !== undefined && { value: shown }),
    ...(error !== undefined && { error }),
    ...(reason !== undefined && { reason }),
    ...(notes !== undefined && { notes }),
    // Masking keeps the shape.
    ...(plan !== undefined && isTold.plan && { plan: mask(plan) as Plan }),
    ...(steps !== undefined && isTold.steps && { steps: mask(steps) as RunResult | readonly RunResult[] }),
    ...((begun !== undefined || !isTold.plan || !isTold.steps) && { truncated: true }),
    durationMs: duration_ms,
  };
};

/** What is cut off must not be the second half of a secret that is not known by its first. */
const BEYOND = 4 * 1024;

/** The beginning of a value that will be cut; undefined where it is short enough. */
const beginningOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value.length > MAX_KEPT_BYTES + BEYOND ? value.slice(0, MAX_KEPT_BYTES + BEYOND) : undefined;
  return typeof value === 'object' && value !== null
    ? jsonBeginning(value, MAX_KEPT_BYTES + BEYOND)?.slice(0, MAX_KEPT_BYTES + BEYOND)
    : undefined;
};

const isTooLong = (told: object | undefined): boolean => told !== undefined && jsonBeginning(told, MAX_KEPT_BYTES) !== undefined;

/** A kept outcome as it stands in the place of a command that is not run again. A value that is not the whole truth is left out. */
export const reuseOutcome = (kept: KeptOutcome, status: Status): Outcome => {
  const { index, id, action, value, error, reason, notes, plan, steps, durationMs = 0 } = kept;
  return {
    index,
    ...(id !== undefined && id !== null && { id }),
    action,
    status,
    ...(isWhole(kept) && { value }),
    ...(error !== undefined && { error }),
    ...(reason !== undefined && { reason }),
    ...(notes !== undefined && { notes }),
    ...(plan !== undefined && { plan }),
    ...(steps !== undefined && { steps }),
    duration_ms: durationMs,
  };
};

const isWhole = ({ value, truncated, notes = [] }: KeptOutcome): boolean =>
  value !== undefined && truncated !== true && !notes.some(({ kind }) => kind === MASKED.kind);
