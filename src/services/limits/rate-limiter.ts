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
  states(): States | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly wait: Wait;
}

/** More names than this are looked through for buckets that are full again, and so as good as forgotten. */
const SWEEP_FROM = 1_000;

/** Token buckets. Whoever finds too few tokens reserves them and waits until they have come, so that nobody is overtaken. */
export const createRateLimiter = ({ states, clock, log, wait }: RateLimiterParts): RateLimiter => {
  const kept = createKept<Bucket>({ kind: 'rate_limit', states, log });
  const inTurn = createTurns();
  /** Buckets with waiters of this process; reservations die with it and are not stored. */
  const reserved = new Map<string, Bucket>();
  let setsUntilSweep = SWEEP_FROM;

  /** The bucket as it is now, given how it was kept. */
  const current = (name: string, before: Bucket | undefined, rule: Pick<Bucket, 'rate' | 'burst'>): Bucket => {
    const now = clock.now();
    const own = reserved.get(name);
    const bucket = (own !== undefined && refilled(own, now).tokens < 0 ? own : before) ?? { tokens: rule.burst, at: now };
    return refilled({ ...bucket, ...rule }, now);
  };

  /** False: another process has changed the bucket meanwhile. */
  const save = async (name: string, before: Bucket | undefined, bucket: Bucket): Promise<boolean> => {
    if (!(await kept.swap(name, before, { ...bucket, tokens: Math.max(0, bucket.tokens) }))) return false;
    if (bucket.tokens < 0) reserved.set(name, bucket);
    else reserved.delete(name);
    setsUntilSweep -= 1;
    if (setsUntilSweep <= 0) await sweep();
    return true;
  };

  const sweep = async () => {
    setsUntilSweep = SWEEP_FROM;
    const now = clock.now();
    for (const [name, bucket] of await kept.list())
      if (refilled(bucket, now).tokens >= bucket.burst) await kept.swap(name, bucket, undefined);
  };

  /** Takes or reserves; answers how long to wait. */
  const reserve = async (name: string, rule: RateRule, { tokens, timeoutS }: TokenRequest): Promise<number> => {
    const burst = rule.burst ?? Math.max(rule.rate, tokens);
    if (tokens > burst) throw neverEnough(name, tokens, burst);
    for (;;) {
      const before = await kept.get(name);
      const bucket = current(name, before, { rate: rule.rate, burst });
      const left = bucket.tokens - tokens;
      const waitS = Math.max(0, -left / rule.rate);
      if (timeoutS !== null && waitS > timeoutS) throw notInTime(name, waitS, timeoutS);
      if (await save(name, before, { ...bucket, tokens: left })) return waitS * 1000;
    }
  };

  const giveBack = (name: string, tokens: number): Promise<void> =>
    inTurn(name, async () => {
      const own = reserved.get(name);
      if (own === undefined) return;
      const bucket = { ...own, tokens: Math.min(own.burst, own.tokens + tokens) };
      while (!(await save(name, await kept.get(name), bucket))); // what this process had reserved is its own to give back
    });

  return {
    async takeTokens(name, rule, request) {
      request.signal.throwIfAborted();
      const waitMs = await inTurn(name, () => reserve(name, rule, request));
      try {
        if (waitMs > 0) await wait(waitMs, request.signal);
      } catch (fault) {
        await giveBack(name, request.tokens);
        throw fault;
      }
    },
    async list() {
      const now = clock.now();
      const known = new Map([...(await kept.list()), ...reserved]);
      return [...known].flatMap(([name, bucket]) => {
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
