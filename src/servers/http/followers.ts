import type { Writable } from 'node:stream';
import type { Caller } from '../../access/caller.ts';
import type { Gate } from '../../access/gate.ts';

/** Those who are told something for as long as they stay connected. */
export interface Followers {
  add(stream: Writable, caller: Caller): void;
  /** Looks after them no more. */
  close(): void;
}

/** Cuts off whoever follows with a secret that counts no more: a connection that only gives asks for nothing that could be refused. */
export const createFollowers = ({ onReplaced, standing }: Gate): Followers => {
  const open = new Map<Writable, Caller>();
  const close = onReplaced?.(() => {
    for (const [stream, caller] of open) if (standing?.(caller) === undefined) stream.destroy();
  });
  return {
    add(stream, caller) {
      if (close === undefined) return;
      open.set(stream, caller);
      stream.once('close', () => open.delete(stream));
    },
    close: () => close?.(),
  };
};
