import type { Caller } from '../../../access/caller.ts';
import { wordsOf } from '../../../access/shares.ts';
import { SHARE_WAITS, type Turnstile, type Wait } from '../../turnstile.ts';
import { Refused } from '../refuse.ts';

const WHY = {
  draining: [503, 'draining', 'The service is stopping; try another one or later.'],
  busy: [503, 'too-many-in-flight', 'Too many lists are under way; try again.'],
  share: [429, 'share-used-up', 'This caller has too much under way; wait until some of it is answered.'],
  rate: [429, 'too-many-requests', 'This caller has sent too many requests in a minute.'],
} as const;

/** Counts a request as under way, until the turnstile is left; refuses when there are too many. */
export const enterTurn = (turnstile: Turnstile, caller: Caller): void => {
  const wait = turnstile.enter(caller);
  if (wait !== undefined) throw refusedBy(wait);
};

/** What a caller hears that has too much in memory, or too many streams. */
export const shareUsedUp = (share: keyof typeof SHARE_WAITS): Refused => refusedBy(SHARE_WAITS[share]);

const refusedBy = ({ reason, retryAfterS, share }: Wait): Refused => {
  const [status, kind, detail] = WHY[reason];
  return new Refused(status, kind, share === undefined ? detail : wordsOf(share), { 'Retry-After': String(retryAfterS) });
};
