import type { Caller } from '../../../access/caller.ts';
import type { Turnstile } from '../../turnstile.ts';
import { Refused } from '../refuse.ts';

const WHY = {
  draining: [503, 'draining', 'The service is stopping; try another one or later.'],
  busy: [503, 'too-many-in-flight', 'Too many lists are under way; try again.'],
  rate: [429, 'too-many-requests', 'This caller has sent too many requests in a minute.'],
} as const;

/** Does work that counts as a list under way; refuses when there are too many. */
export const inTurn = async <T>(turnstile: Turnstile, caller: Caller, work: () => Promise<T>): Promise<T> => {
  enterTurn(turnstile, caller);
  try {
    return await work();
  } finally {
    turnstile.leave();
  }
};

/** Counts a list as under way, until the turnstile is left; refuses when there are too many. */
export const enterTurn = (turnstile: Turnstile, caller: Caller): void => {
  const wait = turnstile.enter(caller);
  if (wait === undefined) return;
  const [status, kind, detail] = WHY[wait.reason];
  throw new Refused(status, kind, detail, { 'Retry-After': String(wait.retryAfterS) });
};
