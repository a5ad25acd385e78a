import { setTimeout as delay } from 'node:timers/promises';
import { ArgumentException, FileAutomationException, RetryExhaustedException } from './errors.ts';
import { isTransient } from './transient.ts';

/** How often and how patiently something is tried again. */
export interface RetryRule {
  readonly attempts: number;
  readonly backoffS: number;
  readonly capS: number;
}

export const DEFAULT_RETRY: RetryRule = { attempts: 3, backoffS: 0.5, capS: 8 };

/** More would be no number any more. */
const MAX_DOUBLINGS = 1_000;

/** Seconds to wait before the attempt after `attempt` (1-based): full jitter under a capped doubling. */
export const backoff = (rule: RetryRule, attempt: number, random: () => number = Math.random): number =>
  random() * Math.min(rule.capS, rule.backoffS * 2 ** Math.min(attempt - 1, MAX_DOUBLINGS));

/** What a retry needs of its surroundings; tests hand in a clock that does not wait. */
export interface RetryWorld {
  readonly signal?: AbortSignal;
  readonly isRetriable?: (fault: unknown) => boolean;
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
  readonly random?: () => number;
}

/** Longer timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const sleep = (ms: number, signal: AbortSignal | undefined) =>
  delay(Math.min(ms, MAX_TIMER_MS), undefined, signal === undefined ? {} : { signal });

/** Runs the work until it succeeds, fails for good, or the attempts are used up (`RetryExhaustedException`). */
export const retry = async <T>(
  work: (attempt: number) => T | Promise<T>,
  rule: RetryRule,
  { signal, isRetriable = isTransient, wait = sleep, random = Math.random }: RetryWorld = {},
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await work(attempt);
    } catch (fault) {
      if (signal?.aborted === true || !isRetriable(fault)) throw fault;
      if (attempt >= rule.attempts) throw exhausted(fault, attempt);
    }
    await wait(backoff(rule, attempt, random) * 1000, signal);
  }
};

const exhausted = (fault: unknown, attempts: number) =>
  new RetryExhaustedException(
    `All ${attempts} attempts failed; the last one said: ${fault instanceof Error ? fault.message : String(fault)}`,
    {
      cause: fault,
      context: { attempts, last: fault instanceof FileAutomationException ? fault.type : fault instanceof Error ? fault.name : 'unknown' },
    },
  );

/** Options of `retryOnTransient`, in the specification's words. */
export interface RetryOptions {
  readonly maxAttempts?: number;
  readonly backoffBase?: number;
  readonly backoffCap?: number;
  readonly retriable?: (fault: unknown) => boolean;
}

/** Wraps a function so that transient errors are retried with capped exponential back-off and full jitter. */
export const retryOnTransient = ({
  maxAttempts = DEFAULT_RETRY.attempts,
  backoffBase = DEFAULT_RETRY.backoffS,
  backoffCap = DEFAULT_RETRY.capS,
  retriable,
  ...others
}: RetryOptions = {}) => {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    // A misspelt limit would be another one.
    throw new ArgumentException(
      `retryOnTransient has no argument ${JSON.stringify(unknown)}; it takes maxAttempts, backoffBase, backoffCap, retriable.`,
      { context: { argument: unknown } },
    );
  }
  return <A extends unknown[], T>(work: (...args: A) => T | Promise<T>) =>
    (...args: A): Promise<T> =>
      retry(
        () => work(...args),
        { attempts: maxAttempts, backoffS: backoffBase, capS: backoffCap },
        retriable === undefined ? {} : { isRetriable: retriable },
      );
};
