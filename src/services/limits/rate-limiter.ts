import { RateLimitExceededException } from '../../core/errors.ts';
import type { Limits, RateRule, TokenRequest } from '../../core/ports/limits.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { Wait } from '../../lib/async/wait.ts';
import type { States } from '../engine/port/shelves.ts';
import { createKept } from './kept.ts';
import { createTurns } from './turns.ts';

/** How full a bucket was at some moment. Below zero: tokens that somebody waits for already. */
type Bucket = { readonly tokens: number; readonly at: number; readonly rate: number; readonly burst: number };

export interface RateLimiter extends Pick<Limits, 'takeTokens'> {
  list(): Promise<readonly { readonly kind: 'rate_limit'; readonly name: string; readonly tokens: number }[]>;
}

export interface RateLimiterParts {
  /** Where the state is kept; undefined: in memory only. */
  states(): Promise<States | undefined>;
  readonly clock: Clock;
  readonly log: Log;
  readonly wait: Wait;
}

/** More names than this are looked through for buckets that are full again, and so as good as forgotten. */
const SWEEP_FROM = 1_000;

/**
 * Token buckets. Whoever finds too few tokens reserves them and waits until they have come, so that nobody is overtaken, in this process
 * or another. What a process had reserved that died meanwhile comes back with time, like everything that was taken.
 */
export const createRateLimiter = ({ states, clock, log, wait }: RateLimiterParts): RateLimiter => {
  const kept = createKept<Bucket>({ kind: 'rate_limit', states, log });
  const inTurn = createTurns();
  let setsUntilSweep = SWEEP_FROM;

  const sweep = async () => {
    setsUntilSweep = SWEEP_FROM;
    const now = clock.now();
    for (const [name, bucket] of await kept.list())
      if (refilled(bucket, now).tokens >= bucket.burst) await kept.swap(name, bucket, undefined);
  };

  /** Takes or reserves; answers how long to wait. Begins anew where another process was faster. */
  const reserve = async (name: string, rule: RateRule, { tokens, timeoutS }: TokenRequest): Promise<number> => {
    const burst = rule.burst ?? Math.max(rule.rate, tokens);
    if (tokens > burst) throw neverEnough(name, tokens, burst);
    for (;;) {
      const before = await kept.get(name);
      const now = clock.now();
      const bucket = refilled({ ...(before ?? { tokens: burst, at: now }), rate: rule.rate, burst }, now);
      const left = bucket.tokens - tokens;
      const waitS = Math.max(0, -left / rule.rate);
      if (timeoutS !== null && waitS > timeoutS) throw notInTime(name, waitS, timeoutS);
      if (!(await kept.swap(name, before, { ...bucket, tokens: left }))) continue;
      setsUntilSweep -= 1;
      if (setsUntilSweep <= 0) await sweep();
      return waitS * 1000;
    }
  };

  const giveBack = async (name: string, tokens: number): Promise<void> => {
    for (;;) {
      const before = await kept.get(name);
      if (before === undefined) return; // full again
      const bucket = refilled(before, clock.now());
      if (await kept.swap(name, before, { ...bucket, tokens: Math.min(bucket.burst, bucket.tokens + tokens) })) return;
    }
  };

  return {
    async takeTokens(name, rule, request) {
      request.signal.throwIfAborted();
      const waitMs = await inTurn(name, () => reserve(name, rule, request));
      try {
        if (waitMs > 0) await wait(waitMs, request.signal);
      } catch (fault) {
        await inTurn(name, () => giveBack(name, request.tokens));
        throw fault;
      }
    },
    async list() {
      const now = clock.now();
      return (await kept.list()).flatMap(([name, bucket]) => {
        const { tokens } = refilled(bucket, now);
        return tokens >= bucket.burst ? [] : [{ kind: 'rate_limit', name, tokens } as const];
      });
    },
  };
};

/** A clock that was set back gives nothing and takes nothing. */
const refilled = (bucket: Bucket, now: number): Bucket => ({
  ...bucket,
  tokens: Math.min(bucket.burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * bucket.rate),
  at: now,
});

const notInTime = (name: string, waitS: number, timeoutS: number) =>
  new RateLimitExceededException(
    `The rate limit ${JSON.stringify(name)} has no token for another ${round(waitS)} s, longer than the timeout of ${timeoutS} s; try later or wait longer.`,
    { context: { name, retry_after_s: round(waitS) }, retryable: true },
  );

const neverEnough = (name: string, tokens: number, burst: number) =>
  new RateLimitExceededException(
    `The rate limit ${JSON.stringify(name)} never holds more than ${burst} tokens, so ${tokens} cannot be taken; raise burst or take fewer.`,
    { context: { name, burst, tokens } },
  );

const round = (seconds: number): number => Math.ceil(seconds * 1000) / 1000;
