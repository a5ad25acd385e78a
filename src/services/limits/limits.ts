import type { Limits } from '../../core/ports/limits.ts';
import { systemWait, type Wait } from '../../lib/async/wait.ts';
import { createBulkheads } from './bulkhead.ts';
import { type CircuitBreakersParts, createCircuitBreakers } from './circuit-breaker.ts';
import { createRateLimiter } from './rate-limiter.ts';

export interface LimitsParts extends CircuitBreakersParts {
  readonly wait?: Wait;
}

/** The limits of one house. Without a store they last as long as the process. */
export const createLimits = ({ wait = systemWait, ...parts }: LimitsParts): Limits => {
  const { list: listRates, ...rates } = createRateLimiter({ ...parts, wait });
  const { list: listBreakers, ...breakers } = createCircuitBreakers(parts);
  const { list: listBulkheads, ...bulkheads } = createBulkheads();
  return {
    ...rates,
    ...breakers,
    ...bulkheads,
    list: async () => [...(await listRates()), ...(await listBreakers()), ...listBulkheads()],
  };
};
