import { createCrew, type SlotEvents, type Work } from '../../src/app/runners/crew.ts';
import type { RunnerThread } from '../../src/app/runners/runner-thread.ts';
import { OWNER_NAME } from '../../src/core/reach.ts';

/** A thread that does nothing by itself. */
interface FakeThread extends RunnerThread {
  readonly events: SlotEvents;
  readonly begun: string[];
  readonly aborted: string[];
  isEnded: boolean;
  isDismissed: boolean;
  usedMs: number;
}

/** A crew over threads that do nothing, on a clock that is moved by hand. */
export const openCrewRoom = ({ width = 4, processors = 4, maxSpinMs = 60_000 } = {}) => {
  let nowMs = 0;
  const process = { taken: 100 };
  const timers: { atMs: number; work: () => void }[] = [];
  const threads: FakeThread[] = [];
  const left: string[] = [];
  const crew = createCrew({
    width,
    processors,
    maxSpinMs,
    memory: { maxBytes: 256, maxThreadBytes: 2048, taken: () => process.taken },
    placeOf: (path) => path.split('/')[1] ?? '',
    start(events) {
      const thread: FakeThread = {
        tag: String(threads.length),
        events,
        begun: [],
        aborted: [],
        isEnded: false,
        isDismissed: false,
        usedMs: 0,
        send({ kind }) {
          if (kind === 'end') thread.isDismissed = true;
        },
        cpuMs: () => thread.usedMs,
        heapBytes: () => undefined,
        async end() {
          thread.isEnded = true;
        },
      };
      threads.push(thread);
      return thread;
    },
    onLeft: (runId, { tag }) => void left.push(`${runId} left ${tag}`),
    onGone() {},
    faultOf: (why) => why,
    now: () => nowMs,
    later(ms, work) {
      const timer = { atMs: nowMs + ms, work };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  });

  /** Lets time pass; what is due happens in its order. `meanwhile` is told how much passes before each step. */
  const pass = (ms: number, meanwhile: (stepMs: number) => void = () => {}): void => {
    const untilMs = nowMs + ms;
    for (;;) {
      const [next] = timers.filter(({ atMs }) => atMs <= untilMs).sort((one, other) => one.atMs - other.atMs);
      if (next === undefined) break;
      timers.splice(timers.indexOf(next), 1);
      meanwhile(next.atMs - nowMs);
      nowMs = next.atMs;
      next.work();
    }
    meanwhile(untilMs - nowMs);
    nowMs = untilMs;
  };

  /** A command of a run, `caller/run`. */
  const add = (key: string, path = '/disk/file', isHeavy = false) => {
    const [caller = ''] = key.split('/');
    const stop = new AbortController();
    const ended: unknown[] = [];
    const work: Work = {
      run: { id: key, caller, isLimited: caller !== OWNER_NAME },
      signal: stop.signal,
      isHeavy,
      paths: () => [path],
      begin: (thread) => void threads.find((each) => each === thread)?.begun.push(key),
      abort: (thread) => void threads.find((each) => each === thread)?.aborted.push(key),
      fail: (fault) => void ended.push(fault),
    };
    crew.add(work);
    const over = () => {
      crew.ended(work);
      crew.release(key);
    };
    return { stop, ended, rest: () => crew.ended(work), over };
  };

  const begun = () => threads.map((thread) => thread.begun.join(' '));
  /** All threads that were asked for become ready. */
  const ready = () => {
    for (const thread of [...threads]) thread.events.onReady();
  };
  /** Waits long enough for a new thread, and makes it ready. */
  const grow = () => {
    pass(20);
    ready();
  };
  return { crew, process, threads, left, pass, add, begun, ready, grow };
};
