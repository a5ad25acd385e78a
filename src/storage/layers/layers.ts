import { DEFAULT_RETRY, type RetryRule, type RetryWorld } from '../../core/retry.ts';
import type { Storage } from '../../core/storage.ts';
import { type ByteTeller, counted } from './counted.ts';
import { retried } from './retried.ts';
import { verified } from './verified.ts';

/** What layers need of their surroundings; tests hand in a clock that does not wait. */
export type LayerWorld = Pick<RetryWorld, 'wait' | 'random'>;

export interface LayerOptions extends LayerWorld {
  readonly retry?: RetryRule;
  /** Told of all bytes, in this order: budget, brake, meter. */
  readonly tellers?: readonly ByteTeller[];
}

/** Puts the layers around a backend: the one place that says which there are and in what order. */
export const withLayers = (backend: Storage, { retry = DEFAULT_RETRY, tellers = [], ...world }: LayerOptions): Storage => {
  const told = tellers.reduceRight(counted, backend);
  return verified(retried(told, retry, world));
};
