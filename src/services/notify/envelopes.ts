import type { SinkTable } from '../../core/ports/notify.ts';
import type { OutboxMessage } from '../engine/port/shelves.ts';
import { gather, type Message } from './message.ts';

/** A message as it waits in the store. */
export type Waiting = {
  readonly message: Message;
  /** Held for a time of day or a digest: all of these go out as one. */
  readonly isHeld: boolean;
};

/** What is handed to a sink at once, and the rows of the store that are done with then. */
export interface Envelope {
  readonly message: Message;
  readonly ids: readonly number[];
  /** This one counts. */
  readonly attempts: number;
}

/** Puts what waits for one sink into envelopes. Incidents are opened and resolved one by one, so a pager is never sent a digest. */
export const envelopesFor = ({ type }: SinkTable, due: readonly OutboxMessage[]): readonly Envelope[] => {
  // Only the outbox writes payloads, and only of this type.
  const waiting = due.map(({ id, attempts, payload }) => ({ id, attempts, ...(payload as Waiting) }));
  const [first, ...rest] = waiting.filter(({ isHeld }) => isHeld && type !== 'pagerduty');
  // The first attempt of what was not held was made when it was posted, without being taken from the store.
  const alone = waiting
    .filter(({ isHeld }) => !isHeld || type === 'pagerduty')
    .map(({ id, attempts, message, isHeld }) => ({ message, ids: [id], attempts: isHeld ? attempts : attempts + 1 }));
  if (first === undefined) return alone;
  const held = [first, ...rest];
  const message = gather([first.message, ...rest.map((each) => each.message)]);
  return [{ message, ids: held.map(({ id }) => id), attempts: Math.max(...held.map(({ attempts }) => attempts)) }, ...alone];
};
