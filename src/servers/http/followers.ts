import type { Writable } from 'node:stream';
import type { Caller } from '../../access/caller.ts';
import type { Gate } from '../../access/gate.ts';
import { SHARES } from '../../core/caller-limits.ts';
import { OWNER_NAME } from '../../core/reach.ts';
import { shareUsedUp } from './routes/turn.ts';

/** Those who are told something for as long as they stay connected. */
export interface Followers {
  /** Throws `Refused` where the caller has too many. */
  add(stream: Writable, caller: Caller): void;
  /** Looks after them no more. */
  close(): void;
}

/** Cuts off whoever follows with a secret that counts no more: a connection that only gives asks for nothing that could be refused. */
export const createFollowers = ({ onReplaced, standing }: Gate): Followers => {
  const open = new Map<Writable, Caller>();
  const counts = new Map<string, number>();
  const count = ({ name }: Caller, step: number): number => {
    const now = (counts.get(name) ?? 0) + step;
    if (now === 0) counts.delete(name);
    else counts.set(name, now);
    return now;
  };
  const close = onReplaced?.(() => {
    for (const [stream, caller] of open) if (standing?.(caller) === undefined) stream.destroy();
  });
  return {
    add(stream, caller) {
      if (caller.name !== OWNER_NAME) {
        if (count(caller, 1) > (caller.policy?.maxStreams ?? SHARES.maxStreams.usual)) {
          count(caller, -1);
          throw shareUsedUp('maxStreams');
        }
        stream.once('close', () => count(caller, -1));
      }
      if (close === undefined) return;
      open.set(stream, caller);
      stream.once('close', () => open.delete(stream));
    },
    close: () => close?.(),
  };
};
