import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OWNER } from '../access/caller.ts';
import { createGate } from '../access/gate.ts';
import { createTurnstile } from './turnstile.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const named = (name: string) => ({ name, remote: true });
const DAY_MS = 86_400_000;

test('lists under way are counted through all callers, and told to wait beyond the limit', () => {
  const turnstile = createTurnstile({ inFlight: 2, requestsPerMinute: 0 });
  expect([turnstile.enter(named('a')), turnstile.enter(named('b'))]).toEqual([undefined, undefined]);
  expect(turnstile.enter(named('c'))).toEqual({ reason: 'busy', retryAfterS: 1 });
  turnstile.leave();
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
  turnstile.leave();
  await drained;
  expect(turnstile.inFlight).toBe(0);
});
