import type { GuardRules } from '../../core/guard-rules.ts';
import type { FaultVerdict, Guard, Limits } from '../../core/ports/limits.ts';
import type { Locks } from '../../core/ports/locks.ts';
import { isTransient } from '../../core/transient.ts';

export interface GuardParts {
  readonly limits: Limits;
  readonly locks: Locks;
}

type Work = (signal: AbortSignal) => Promise<unknown>;
type Layer = (work: Work) => Work;

/**
 * Makes the guard of one thing; its limits and breaker go by `name`. A token is taken first, then there must be room, then the locks
 * are waited for, so that nobody who waits for a lock or a token keeps another one from working; the breaker sees only the work itself.
 */
export const createGuard = (name: string, rules: GuardRules, parts: GuardParts): Guard => {
  const layers = [breakerLayer, fileLockLayer, lockLayer, bulkheadLayer, rateLayer].flatMap((make) => make(name, rules, parts) ?? []);
  const { retry, quota } = rules;
  const timeoutS = shortest(rules.timeout_s, quota?.max_seconds);
  return {
    ...(retry !== undefined && { retry: { attempts: retry.attempts, backoffS: retry.backoff_s, capS: retry.cap_s } }),
    ...(timeoutS !== undefined && { timeoutS }),
    ...(quota !== undefined && quota.max_bytes > 0 && { maxBytes: quota.max_bytes }),
    ...(layers.length > 0 && {
      around: (work, signal) =>
        layers.reduce<Work>(
          (inner, layer) => layer(inner),
          async (own) => work(own),
        )(signal),
    }),
  };
};

type MakeLayer = (name: string, rules: GuardRules, parts: GuardParts) => Layer | undefined;

const rateLayer: MakeLayer = (name, { rate_limit: rule }, { limits }) =>
  rule &&
  ((work) => async (signal) => {
    await limits.takeTokens(name, { rate: rule.rate, burst: rule.burst ?? null }, { tokens: 1, timeoutS: rule.timeout_s ?? null, signal });
    return work(signal);
  });

const bulkheadLayer: MakeLayer = (name, { bulkhead: rule }, { limits }) =>
  rule &&
  ((work) => (signal) =>
    limits.insideBulkhead(name, { maxConcurrent: rule.max_concurrent, maxWaiting: rule.max_waiting }, signal, () => work(signal)));

const lockLayer: MakeLayer = (_, { lock }, { locks }) =>
  lock === undefined
    ? undefined
    : (work) => (signal) => locks.hold({ name: lock, dbPath: null }, { ttlS: null, timeoutS: null, signal }, (held) => work(held));

const fileLockLayer: MakeLayer = (_, { file_lock: path }, { locks }) =>
  path === undefined ? undefined : (work) => (signal) => locks.holdFile(path, { create: true, timeoutS: null, signal }, () => work(signal));

const breakerLayer: MakeLayer = (name, { circuit_breaker: rule }, { limits }) =>
  rule &&
  ((work) => (signal) => {
    const breaker = { failureThreshold: rule.failure_threshold, recoveryS: rule.recovery_timeout };
    // What was stopped may complain in words of its own; why it was stopped is what counts.
    return limits.throughBreaker(
      name,
      breaker,
      () => work(signal),
      (fault) => judge(signal.aborted ? signal.reason : fault),
    );
  });

/** What may pass speaks of the thing behind; any other fault is an answer from it. A caller's own mistakes shut nobody out. */
const judge = (fault: unknown): FaultVerdict => {
  if (isTransient(fault)) return 'failure';
  return fault instanceof Error && (fault.name === 'AbortError' || fault.name === 'CancelledException') ? 'unknown' : 'success';
};

const shortest = (one: number | undefined, other: number | undefined): number | undefined => {
  const limits = [one, other].filter((limit) => limit !== undefined && limit > 0);
  return limits.length === 0 ? undefined : Math.min(...limits.map(Number));
};
