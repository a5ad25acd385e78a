import type { Caller } from './caller.ts';
import { createGate, type Gate, type GateOptions } from './gate.ts';

/** A gate whose secrets can be exchanged while people come and go. */
export interface LiveGate extends Gate {
  /** From now on these count. A gate that demanded a secret demands one for ever: without any, nobody comes in. */
  replace(options: GateOptions): void;
  standing(caller: Caller): Caller | undefined;
  onReplaced(listener: () => void): () => void;
}

/** Makes a gate whose secrets can be exchanged. */
export const createLiveGate = (first: GateOptions): LiveGate => {
  let options = first;
  let gate = createGate(first);
  let isLocked = gate.locked;
  /** Who callers of earlier secrets are now. Whoever is not here has not changed. */
  const successors = new WeakMap<Caller, Caller | 'nobody'>();
  const listeners = new Set<() => void>();

  const successorOf = (secret: string, { credentials }: GateOptions): Caller | 'nobody' =>
    credentials.findLast((credential) => credential.secret === secret)?.caller ?? 'nobody';

  return {
    get locked() {
      return isLocked;
    },
    identify(presented, address) {
      if (gate.locked || !isLocked) return gate.identify(presented, address);
      return { refused: presented === undefined ? 'missing' : 'wrong' };
    },
    replace(next) {
      for (const { secret, caller } of options.credentials) successors.set(caller, successorOf(secret, next));
      const stillOpen = !isLocked && next.credentials.length === 0;
      successors.set(options.stranger, stillOpen ? next.stranger : 'nobody');
      for (const caller of [next.stranger, ...next.credentials.map((each) => each.caller)]) successors.delete(caller); // they are new
      options = next;
      gate = createGate(next);
      isLocked ||= gate.locked;
      for (const listener of listeners) listener();
    },
    standing(caller) {
      for (let now = caller; ; ) {
        const next = successors.get(now);
        if (next === undefined) return now;
        if (next === 'nobody') return undefined;
        now = next;
      }
    },
    onReplaced(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
