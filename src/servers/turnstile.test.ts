import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Caller, OWNER } from '../access/caller.ts';
import { createGate } from '../access/gate.ts';
import { createPolicy, type PolicyRules } from '../access/policy.ts';
import { createTurnstile, type Turnstile } from './turnstile.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const named = (name: string) => ({ name, remote: true });
const DAY_MS = 86_400_000;

test('lists under way are counted through all callers, and told to wait beyond the limit', () => {
  const turnstile = createTurnstile({ inFlight: 2, requestsPerMinute: 0 });
  expect([turnstile.enter(named('a')), turnstile.enter(named('b'))]).toEqual([undefined, undefined]);
  expect(turnstile.enter(named('c'))).toEqual({ reason: 'busy', retryAfterS: 1 });
  turnstile.leave(named('a'));
  expect(turnstile.enter(named('c'))).toBeUndefined();
  expect(turnstile.inFlight).toBe(2);
});

test('a caller has so many lists in a minute, whatever others do', () => {
  const turnstile = createTurnstile({ inFlight: 9, requestsPerMinute: 2 });
  const enter = (name: string) => turnstile.enter(named(name))?.reason;
  expect([enter('a'), enter('a'), enter('a'), enter('b')]).toEqual([undefined, undefined, 'rate', undefined]);
  vi.advanceTimersByTime(59_000);
  expect(turnstile.enter(named('a'))).toEqual({ reason: 'rate', retryAfterS: 1 });
  vi.advanceTimersByTime(1_000);
  expect(enter('a')).toBeUndefined();
});

test('a clock that is set back keeps nobody waiting', () => {
  const turnstile = createTurnstile({ inFlight: 9, requestsPerMinute: 1 });
  const gate = createGate({ credentials: [{ secret: 'right', caller: OWNER }], stranger: OWNER, wrongPerMinute: 1 });
  turnstile.enter(named('a'));
  gate.identify('wrong', 'there');
  vi.setSystemTime(Date.now() - DAY_MS);
  expect(turnstile.enter(named('a'))).toEqual({ reason: 'rate', retryAfterS: 60 });
  expect(gate.identify('wrong', 'there')).toEqual({ refused: 'too-many', retryAfterS: 60 });
  vi.advanceTimersByTime(60_000);
  expect(turnstile.enter(named('a'))).toBeUndefined();
  expect(gate.identify('wrong', 'there')).toEqual({ refused: 'wrong' });
});

test('once it drains nobody comes in, and it is over when the last one has left', async () => {
  const turnstile = createTurnstile({ inFlight: 9, requestsPerMinute: 0 });
  turnstile.enter(named('a'));
  let isOver = false;
  const drained = turnstile.drain().then(() => {
    isOver = true;
  });
  expect(turnstile.enter(named('b'))).toEqual({ reason: 'draining', retryAfterS: 5 });
  await Promise.resolve();
  expect(isOver).toBe(false);
  turnstile.leave(named('a'));
  await drained;
  expect(turnstile.inFlight).toBe(0);
});

describe('shares', () => {
  const limited = (name: string, rules: PolicyRules = {}) => ({ ...named(name), policy: createPolicy(rules) });
  const fill = (turnstile: Turnstile, caller: Caller) => {
    let count = 0;
    while (turnstile.enter(caller) === undefined) count += 1;
    return count;
  };

  test('one caller takes up its own, and nobody else’s', () => {
    const turnstile = createTurnstile({ inFlight: 256, requestsPerMinute: 0 });
    expect(fill(turnstile, limited('a'))).toBe(64);
    expect(turnstile.enter(limited('a'))).toEqual({ reason: 'share', retryAfterS: 1, share: 'maxInFlight' });
    expect(fill(turnstile, limited('b', { maxInFlight: 3 }))).toBe(3);
    expect(turnstile.usedUp()).toEqual([
      { caller: 'a', key: 'max_in_flight' },
      { caller: 'b', key: 'max_in_flight' },
    ]);
    turnstile.leave(limited('b'));
    expect(turnstile.usedUp()).toHaveLength(1);
    expect(turnstile.enter(limited('b', { maxInFlight: 3 }))).toBeUndefined();
  });

  test('all callers with limits together leave the owner room', () => {
    const turnstile = createTurnstile({ inFlight: 256, requestsPerMinute: 0 });
    const together = ['a', 'b', 'c', 'd', 'e'].map((name) => fill(turnstile, limited(name)));
    expect(together).toEqual([64, 64, 64, 32, 0]);
    expect(turnstile.enter(limited('e'))).toEqual({ reason: 'busy', retryAfterS: 1 });
    expect(fill(turnstile, OWNER)).toBe(32);
  });

  test('what waits in memory for a caller is counted until it is gone', () => {
    const turnstile = createTurnstile({ inFlight: 256, requestsPerMinute: 0 });
    const caller = limited('a', { maxHeldBytes: 100 });
    expect([turnstile.hold(caller, 60), turnstile.hold(caller, 60), turnstile.hold(caller, 40)]).toEqual([true, false, true]);
    expect(turnstile.enter(caller)?.reason).toBe('share');
    turnstile.release(caller, 60);
    expect(turnstile.enter(caller)).toBeUndefined();
    turnstile.release(caller, 40);
    expect(turnstile.hold(caller, 1_000)).toBe(true); // alone, of any size
    expect(turnstile.hold(limited('b'), 1_000)).toBe(true);
    expect([turnstile.hold(OWNER, 2 ** 40), turnstile.hold(OWNER, 2 ** 40)]).toEqual([true, true]);
  });
});
