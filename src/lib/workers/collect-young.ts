import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees young objects on this thread. */
export const createCollector = (): (() => void) => {
  const collect = globalThis.gc ?? findCollector();
  return () => collect({ type: 'minor', execution: 'sync' });
};

/**
 * A flag decides which globals a new context has. It must not stay set: V8 takes compiled code from a cache only under the flags it was
 * made with, Node's own code too, and without that a thread takes three times as long to start.
 */
const findCollector = (): NonNullable<typeof globalThis.gc> => {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc');
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
};
