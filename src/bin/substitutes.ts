import { closeSync, openSync, readSync } from 'node:fs';

/** Random bytes straight from the system. `node:crypto`, which does the same, takes a tenth of a short run to load. */
export const randomBytes = (count: number): Buffer => {
  const bytes = Buffer.alloc(count);
  let source: number;
  try {
    source = openSync('/dev/urandom', 'r');
  } catch {
    return require('node:crypto').randomBytes(count); // no such file on this system
  }
  try {
    for (let filled = 0; filled < count; ) filled += readSync(source, bytes, { offset: filled });
    return bytes;
  } finally {
    closeSync(source);
  }
};

/** Calls after which a run counts as long. */
const SHORT_RUN_CALLS = 1_000;

/**
 * Stands for `performance.now`, whose module takes as long to load as a short list to run. A long run, which asks for the time
 * often, gets the real one.
 */
export const createClock = (): (() => number) => {
  let calls = 0;
  let offset = 0;
  const coarse = () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  };
  return () => {
    if (calls < SHORT_RUN_CALLS) {
      calls += 1;
      return coarse();
    }
    if (calls === SHORT_RUN_CALLS) {
      calls += 1;
      const real = performance.now();
      offset = coarse() - real; // taken second, so that time does not go back; both never jump, but count from different starts
    }
    return performance.now() + offset;
  };
};
