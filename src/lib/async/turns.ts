import { setMaxListeners } from 'node:events';

/** Who may work, by name: one after the other, in the order they came. */
export interface Turns {
  /** Waits for a turn; what it answers ends it. Rejects with the reason of the signal when that comes first. */
  take(name: string, signal: AbortSignal): Promise<() => void>;
  /** Whether anybody waits behind whoever has the turn. */
  isAwaited(name: string): boolean;
}

export const createTurns = (): Turns => {
  /** Those who wait behind the one whose turn it is. */
  const lines = new Map<string, (() => void)[]>();
  const pass = (name: string): void => {
    const next = lines.get(name)?.shift();
    if (next === undefined) lines.delete(name);
    else next();
  };
  return {
    async take(name, signal) {
      signal.throwIfAborted();
      const line = lines.get(name);
      if (line === undefined) lines.set(name, []);
      else await standIn(line, signal);
      return () => pass(name);
    },
    isAwaited: (name) => (lines.get(name)?.length ?? 0) > 0,
  };
};

const standIn = (line: (() => void)[], signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const go = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      line.splice(line.indexOf(go), 1);
      reject(signal.reason);
    };
    line.push(go);
    setMaxListeners(0, signal); // all commands of a run listen to one signal
    signal.addEventListener('abort', leave, { once: true });
  });
