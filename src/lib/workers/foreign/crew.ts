import type { Crew } from '../pool.ts';
import { startThread, type Thread, type ThreadLimits } from '../thread.ts';

/** What foreign code may take: enough for an honest file of the largest size that is read in memory. */
const LIMITS: ThreadLimits = { heap: { maxOldGenerationSizeMb: 1024 }, maxWasmBytes: 1024 * 1024 * 1024 };
/** Threads that wait for their next task; starting one takes some 30 ms. */
const MAX_IDLE = 4;

const idle = new Map<Thread, string>();

/** Starts every thread anew, and ends it. */
export const endingCrew = (limits = LIMITS): Crew => ({
  join: (from, events) => startThread(from, events, limits),
  leave: (thread) => thread.end(),
});

/** Takes threads that idle, and lets them idle again unless they are in the middle of something or `spoilt` has fired. */
export const keepingCrew = (spoilt: AbortSignal): Crew => {
  const places = new Map<Thread, string>();
  return {
    join(from, events) {
      const [thread] = [...idle].find(([, place]) => place === from.href) ?? [startThread(from, events, LIMITS)];
      idle.delete(thread);
      thread.handOver(events);
      places.set(thread, from.href);
      return thread;
    },
    async leave(thread) {
      if (spoilt.aborted || thread.load > 0 || idle.size >= MAX_IDLE) return thread.end();
      idle.set(thread, places.get(thread) ?? '');
      thread.handOver({ onFree() {}, onEnd: () => void idle.delete(thread) });
      return undefined;
    },
  };
};
