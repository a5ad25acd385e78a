import { RateLimitExceededException } from '../../core/errors.ts';
import type { BulkheadRule, Limits } from '../../core/ports/limits.ts';

export interface Bulkheads extends Pick<Limits, 'insideBulkhead'> {
  list(): readonly { readonly kind: 'bulkhead'; readonly name: string; readonly running: number; readonly waiting: number }[];
}

interface Room {
  running: number;
  /** Who waits, first come first; each is called once when it may go in. */
  readonly waiting: Set<() => void>;
}

/** Rooms for a few calls at a time. Nothing of them is stored: after a crash nobody is inside. */
export const createBulkheads = (): Bulkheads => {
  const rooms = new Map<string, Room>();

  const enter = async (name: string, rule: BulkheadRule, signal: AbortSignal): Promise<Room> => {
    const room = rooms.get(name) ?? { running: 0, waiting: new Set() };
    rooms.set(name, room);
    if (room.running < rule.maxConcurrent && room.waiting.size === 0) room.running += 1;
    else if (room.waiting.size >= rule.maxWaiting) throw isFull(name, rule);
    else await turnIn(room, signal);
    return room;
  };

  /** Whoever leaves hands its place to the first who waits, so that nobody slips in between. */
  const leave = (name: string, room: Room): void => {
    const [next] = room.waiting;
    if (next !== undefined) next();
    else room.running -= 1;
    if (room.running === 0) rooms.delete(name);
  };

  return {
    async insideBulkhead(name, rule, signal, work) {
      signal.throwIfAborted();
      const room = await enter(name, rule, signal);
      try {
        return await work();
      } finally {
        leave(name, room);
      }
    },
    list: () => [...rooms].map(([name, { running, waiting }]) => ({ kind: 'bulkhead', name, running, waiting: waiting.size })),
  };
};

const turnIn = ({ waiting }: Room, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      waiting.delete(go);
      reject(signal.reason);
    };
    const go = () => {
      waiting.delete(go);
      signal.removeEventListener('abort', stop);
      resolve();
    };
    waiting.add(go);
    signal.addEventListener('abort', stop, { once: true });
  });

const isFull = (name: string, { maxConcurrent, maxWaiting }: BulkheadRule) =>
  new RateLimitExceededException(
    `${JSON.stringify(name)} is full: ${maxConcurrent} calls at once and ${maxWaiting} waiting are allowed; try later or raise max_concurrent.`,
    { context: { name, max_concurrent: maxConcurrent, max_waiting: maxWaiting }, retryable: true },
  );
