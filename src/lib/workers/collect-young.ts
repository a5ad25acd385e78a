import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isOwnProcess } from '../process/own-process.ts';

/** Frees young objects on this thread, or all that nobody needs any more. */
export const createCollector = (type: 'minor' | 'major' = 'minor'): (() => void) => {
  const collect = globalThis.gc ?? findCollector();
  // Asked for by its name, the great collection of Node 20 frees nothing.
  return type === 'major' ? () => void collect() : () => collect({ type, execution: 'sync' });
};

/**
 * A flag decides which globals a new context has. It must not stay set: V8 takes compiled code from a cache only under the flags it was
 * made with, Node's own code too, and without that a thread takes three times as long to start.
 */
const findCollector = (): NonNullable<typeof globalThis.gc> => {
  for (let tried = 0; isOwnProcess && tried < TRIES; tried += 1) {
    setFlagsFromString('--expose-gc');
    const found: typeof globalThis.gc = runInNewContext('globalThis.gc');
    setFlagsFromString('--no-expose-gc');
    if (found !== undefined) return found;
  }
  return (() => {}) as NonNullable<typeof globalThis.gc>; // then V8 collects when it likes
};

/** Flags belong to the process: another thread that looks for the collector may take the flag away at the wrong moment. */
const TRIES = 20;
