import { either, integer, number } from '../../core/args.ts';
import { Quota as HouseQuota } from '../../core/quota.ts';
import { DEFAULT_RETRY, retryOnTransient } from '../../core/retry.ts';
import { type CallOf, callable, handed, readArguments } from '../library/arguments.ts';

const LIMITS = [
  ['max_bytes', number('Most bytes; none where it is 0 or less.', { default: 0 })],
  ['max_seconds', number('Most seconds; none where it is 0 or less.', { default: 0 })],
] as const;
const SIZE = [['nbytes', number('How many bytes there are.')]] as const;

/** A cap on bytes and seconds; 0 or less means no cap. */
export class Quota {
  readonly #quota: HouseQuota;

  constructor(...call: CallOf<typeof LIMITS>) {
    const { max_bytes, max_seconds } = readArguments('Quota', LIMITS, call);
    this.#quota = new HouseQuota({ maxBytes: max_bytes, maxSeconds: max_seconds });
  }

  get max_bytes(): number {
    return this.#quota.maxBytes;
  }

  get max_seconds(): number {
    return this.#quota.maxSeconds;
  }

  check_size(...call: CallOf<typeof SIZE>): void {
    this.#quota.checkSize(readArguments('Quota.check_size', SIZE, call).nbytes);
  }

  time_budget<T>(work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    return this.#quota.timeBudget(work);
  }

  wraps<A extends unknown[], T>(work: (...args: A) => T | Promise<T>): (...args: A) => Promise<T> {
    return this.#quota.wraps(work);
  }
}

const predicate = handed<(fault: unknown) => boolean>('a function', (value) => typeof value === 'function');

/** Wraps a function so that transient errors are retried. */
export const retry_on_transient = callable(
  'retry_on_transient',
  [
    ['max_attempts', integer('How often it is tried in all.', { default: DEFAULT_RETRY.attempts, min: 1 })],
    ['backoff_base', number('Seconds before the second attempt, at most.', { default: DEFAULT_RETRY.backoffS, min: 0 })],
    ['backoff_cap', number('Seconds before any attempt, at most.', { default: DEFAULT_RETRY.capS, min: 0 })],
    ['retriable', either('Whether an error is worth another attempt.', [predicate], { default: null })],
  ],
  ({ max_attempts, backoff_base, backoff_cap, retriable }) =>
    retryOnTransient({
      maxAttempts: max_attempts,
      backoffBase: backoff_base,
      backoffCap: backoff_cap,
      ...(retriable && { retriable }),
    }),
);
