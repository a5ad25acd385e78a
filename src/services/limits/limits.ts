import type { Limits } from '../../core/ports/limits.ts';
import { systemWait, type Wait } from '../../lib/async/wait.ts';
import { createBulkheads } from './bulkhead.ts';
import { type CircuitBreakersParts, createCircuitBreakers } from './circuit-breaker.ts';
import { createOwnNames, type OwnNamesParts } from './own-names.ts';
import { createRateLimiter } from './rate-limiter.ts';

export interface LimitsParts extends CircuitBreakersParts {
  readonly wait?: Wait;
  /** Throws where a caller with limits that has so many names may have no further one; left out: names are free. */
  readonly demandName?: OwnNamesParts['demand'];
}

/** The limits of one house. Without a store they last as long as the process. */
export const createLimits = ({ wait = systemWait, demandName = () => {}, ...parts }: LimitsParts): Limits => {
  const { list: listRates, ...rates } = createRateLimiter({ ...parts, wait });
  const { list: listBreakers, ...breakers } = createCircuitBreakers(parts);
  const { list: listBulkheads, ...bulkheads } = createBulkheads();
  const list = async () => [...(await listRates()), ...(await listBreakers()), ...listBulkheads()];
  const underName = createOwnNames({ list, demand: demandName });
  return {
    ...rates,
    ...breakers,
    ...bulkheads,
    takeTokens: (name, rule, request) => underName(name, () => rates.takeTokens(name, rule, request)),
    throughBreaker: (name, rule, work, judge) => underName(name, () => breakers.throughBreaker(name, rule, work, judge)),
    list,
  };
};
