import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Caller } from '../../access/caller.ts';
import { jsonPieces } from '../../core/json-pieces.ts';
import { TimeSlice, threadSlices } from '../../lib/async/time-slice.ts';
import type { Limits } from '../limits.ts';
import type { Turnstile } from '../turnstile.ts';
import type { Overdue, Watched } from './overdue.ts';
import type { Exchange } from './route.ts';

/** After this many steps the clock is looked at. */
const STEPS_OF_A_PIECE = 64;

/** Writes JSON in pieces, as fast as the client takes them, each masked when its turn comes; its head has been written. */
export const sendInPieces = async (response: ServerResponse, json: unknown, mask: (value: unknown) => unknown): Promise<void> => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const slice = new TimeSlice(threadSlices);
  for (const piece of jsonPieces(json, { rewrite: mask })) {
    if (gone.signal.aborted) return;
    const isTaken = response.write(piece);
    if (!isTaken) await once(response, 'drain', { signal: gone.signal }).catch(() => {}); // gone: the loop ends
    // A socket that takes everything at once drains without the loop coming round, and many sockets drain in one round.
    if (!isTaken || slice.isOver(STEPS_OF_A_PIECE)) await slice.next();
  }
  response.end();
};

/** What a door sends answers by. */
export interface DeliveryRules {
  readonly limits: Limits;
  readonly overdue: Overdue;
  readonly turnstile: Pick<Turnstile, 'leave'>;
}

/** Leaves the turn once everything of an answer is on its way, or its client gone. A client that takes nothing for too long is cut off. */
export const leaveWhenSent = ({ response, caller }: Pick<Exchange, 'response' | 'caller'>, rules: DeliveryRules): void => {
  const isSent = response.writableFinished || response.destroyed || (response.writableEnded && response.socket?.writableLength === 0);
  if (isSent) rules.turnstile.leave(caller);
  else leaveOnClose(response, caller, rules);
};

const leaveOnClose = (response: ServerResponse, caller: Caller, { limits, overdue, turnstile }: DeliveryRules): void => {
  const unsent = new Unsent(response, limits, overdue);
  response.once('close', () => {
    overdue.forget(unsent);
    turnstile.leave(caller);
  });
};

/** An answer that its client has not taken yet. */
class Unsent implements Watched {
  dueMs = 0;
  place = -1;
  readonly #response: ServerResponse;
  readonly #limits: Limits;
  readonly #overdue: Overdue;
  readonly #endMs: number;
  #taken = 0;

  constructor(response: ServerResponse, limits: Limits, overdue: Overdue) {
    this.#response = response;
    this.#limits = limits;
    this.#overdue = overdue;
    this.#endMs = performance.now() + limits.bodyTimeoutS * 1000;
    this.#wait();
  }

  late(): void {
    const isMoving = performance.now() < this.#endMs && takenOf(this.#response) > this.#taken;
    if (isMoving) this.#wait();
    else this.#response.destroy();
  }

  #wait(): void {
    this.#taken = takenOf(this.#response);
    this.dueMs = Math.min(performance.now() + this.#limits.bodyIdleTimeoutS * 1000, this.#endMs);
    this.#overdue.watch(this);
  }
}

const takenOf = ({ socket }: ServerResponse): number => (socket === null ? 0 : socket.bytesWritten - socket.writableLength);
