import { Quota as HouseQuota } from '../../core/quota.ts';
import { DEFAULT_RETRY, retryOnTransient } from '../../core/retry.ts';
import { readArguments } from './keywords.ts';

interface QuotaArguments {
  readonly max_bytes?: number;
  readonly max_seconds?: number;
}

/** A cap on bytes and seconds; 0 or less means no cap. */
export class Quota {
  readonly #quota: HouseQuota;

  constructor(max_bytes?: number | QuotaArguments, max_seconds?: number | QuotaArguments) {
    const kinds = { max_bytes: 'number', max_seconds: 'number' } as const;
    const given = readArguments<QuotaArguments>('Quota', kinds, [max_bytes, max_seconds]);
    this.#quota = new HouseQuota({ maxBytes: given.max_bytes ?? 0, maxSeconds: given.max_seconds ?? 0 });
  }

  get max_bytes(): number {
    return this.#quota.maxBytes;
  }

  get max_seconds(): number {
    return this.#quota.maxSeconds;
  }

  check_size(bytes: number): void {
    this.#quota.checkSize(bytes);
  }

  time_budget<T>(work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    return this.#quota.timeBudget(work);
  }

  wraps<A extends unknown[], T>(work: (...args: A) => T | Promise<T>): (...args: A) => Promise<T> {
    return this.#quota.wraps(work);
  }
}

interface RetryArguments {
  readonly max_attempts?: number;
  readonly backoff_base?: number;
  readonly backoff_cap?: number;
  readonly retriable?: (fault: unknown) => boolean;
}

/** Wraps a function so that transient errors are retried. */
export const retry_on_transient = (
  max_attempts?: number | RetryArguments,
  backoff_base?: number | RetryArguments,
  backoff_cap?: number | RetryArguments,
  retriable?: ((fault: unknown) => boolean) | RetryArguments,
): ReturnType<typeof retryOnTransient> => {
  const kinds = { max_attempts: 'number', backoff_base: 'number', backoff_cap: 'number', retriable: 'function' } as const;
  const given = readArguments<RetryArguments>('retry_on_transient', kinds, [max_attempts, backoff_base, backoff_cap, retriable]);
  return retryOnTransient({
    maxAttempts: given.max_attempts ?? DEFAULT_RETRY.attempts,
    backoffBase: given.backoff_base ?? DEFAULT_RETRY.backoffS,
    backoffCap: given.backoff_cap ?? DEFAULT_RETRY.capS,
    ...(given.retriable && { retriable: given.retriable }),
  });
};
