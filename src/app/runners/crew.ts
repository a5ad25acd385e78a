import { setMaxListeners } from 'node:events';
import { OWNER_NAME } from '../../core/reach.ts';
import { createLine, type RunKey, type Waiter } from './line.ts';
import { createMemoryWatch, type MemoryLimits } from './memory.ts';
import type { PlaceOf } from './places.ts';
import type { RunnerThread } from './runner-thread.ts';
import { createWatch } from './watch.ts';

/** One command that wants a thread. */
export interface Work extends Waiter {
  readonly signal: AbortSignal;
  /** It may take as much memory as a document has, many times over. */
  readonly isHeavy?: boolean;
  /** The paths that it names, absolute as written. */
  paths(): readonly string[];
  begin(thread: RunnerThread): void;
  /** Tells the thread to stop it. */
  abort(thread: RunnerThread): void;
  /** It will never end by itself: it did not begin, or its thread is gone. */
  fail(fault: unknown): void;
}

/** Why a thread was ended while it had work. */
export type EndReason = 'spinning' | 'unheeding' | 'memory' | 'shared_memory' | 'crashed' | 'closed';

/** A thread and the run that has it. A run keeps its thread until it ends or somebody else needs it while the run does nothing there. */
export interface Slot {
  readonly thread: RunnerThread;
  isReady: boolean;
  run: RunKey | undefined;
  readonly work: Set<Work>;
  /** Since when it has had nothing to do. */
  idleSinceMs: number;
  /** It waits for a device: neither a sign of life nor processor time. */
  isStuck: boolean;
}

export interface CrewOptions {
  /** How many threads there are at most, beside those that wait for a device. */
  readonly width: number;
  /** How many can work at the same time. */
  readonly processors: number;
  /** Processor seconds for which a command of a limited caller may keep its thread from answering. */
  readonly maxSpinMs: number;
  readonly memory: MemoryLimits;
  start(events: SlotEvents): RunnerThread;
  readonly placeOf: PlaceOf;
  /** Another run gets the thread of this one. */
  onLeft(runId: string, thread: RunnerThread): void;
  /** A thread is gone, or will be when its device answers. */
  onGone(thread: RunnerThread): void;
  /** The fault of a command whose thread had to be ended. */
  faultOf(why: EndReason, work: Work): unknown;
  now(): number;
  later(ms: number, work: () => void): () => void;
}

/** What a thread tells its slot. */
export interface SlotEvents {
  onReady(): void;
  onPong(heapBytes: number): void;
  onExit(why: 'memory' | 'crashed' | undefined): void;
}

/** Hands commands to threads. */
export interface Crew {
  add(work: Work): void;
  /** The command has ended. */
  ended(work: Work): void;
  /** The run is over. */
  release(runId: string): void;
  readonly threads: readonly RunnerThread[];
  /** Threads that were given up and still wait for a device. */
  readonly abandoned: number;
  /** Ends all threads, those at work at once; what they have fails. */
  close(): void;
}

/** How many threads one place may hold up. */
const STUCK_PER_PLACE = 3;
/** A waiting command gets a new thread only when none came free meanwhile: most commands take less than a start. */
const GROW_AFTER_MS = 10;
/** More threads than processors help only where commands wait for something, so that none ends for this long. */
const STANDSTILL_MS = 100;
/** A run that did nothing for this long loses its thread before a new one is started. */
const LEFT_ALONE_MS = 50;
const IDLE_MS = 30_000;
/** How many works that may take much memory callers with limits have at once, all together: each can take half of what there is for them. */
const MOST_HEAVY = 2;
/** With fewer threads than this none can be spared for others. */
const FEW = 4;

export const createCrew = (options: CrewOptions): Crew => {
  const { width, placeOf, now, later, onLeft, onGone, faultOf } = options;
  const share = Math.max(1, Math.floor(width / 2));
  const line = createLine<Work & { readonly sinceMs: number }>();
  const slots = new Set<Slot>();
  const slotOf = new Map<Work, Slot>();
  const byRun = new Map<string, Slot>();
  /** Given up while they waited for a device, with the places that they wait for. */
  const abandoned = new Map<RunnerThread, readonly string[]>();
  const listeners = new Map<Work, () => void>();
  let growing: (() => void) | undefined;
  let tidying: (() => void) | undefined;
  let isClosed = false;
  let lastEndMs = Number.NEGATIVE_INFINITY;

  const live = () => [...slots].filter(({ isStuck }) => !isStuck);
  const placesOf = (work: Iterable<Work>): readonly string[] => [...new Set([...work].flatMap((each) => each.paths().map(placeOf)))];

  const listen = (work: Work, onAbort: () => void): void => {
    forget(work);
    listeners.set(work, onAbort);
    setMaxListeners(0, work.signal); // all commands of a service listen to one signal
    work.signal.addEventListener('abort', onAbort, { once: true });
  };
  const forget = (work: Work): void => {
    const listener = listeners.get(work);
    if (listener !== undefined) work.signal.removeEventListener('abort', listener);
    listeners.delete(work);
  };

  /** Takes a thread out; whatever it has fails. */
  const giveUp = (slot: Slot, why: EndReason): void => {
    if (!slots.delete(slot)) return;
    watch.forget(slot);
    if (slot.isStuck) abandoned.set(slot.thread, placesOf(slot.work));
    if (slot.run !== undefined && byRun.get(slot.run.id) === slot) byRun.delete(slot.run.id);
    onGone(slot.thread);
    for (const work of slot.work) {
      forget(work);
      slotOf.delete(work);
      work.fail(work.signal.aborted ? work.signal.reason : faultOf(why, work));
    }
    slot.work.clear();
    feed();
  };
  const end = (slot: Slot, why: EndReason): void => {
    giveUp(slot, why);
    void slot.thread.end();
  };

  const failAll = (why: EndReason): void => {
    for (const work of line.takeAll()) {
      forget(work);
      work.fail(faultOf(why, work));
    }
  };

  const memory = createMemoryWatch({
    ...options.memory,
    now,
    end,
    endHeavyAtRest() {
      const heavy = live().filter((slot) => slot.work.size === 0 && slot.run === undefined && memory.isHeavy(slot));
      for (const slot of heavy) dismiss(slot);
      return heavy.length > 0;
    },
  });
  const watch = createWatch({ now, later, maxSpinMs: options.maxSpinMs, memory, end, onStuck: () => feed() });

  const startSlot = (): Slot => {
    const slot: Slot = {
      thread: options.start({
        onReady() {
          slot.isReady = true;
          feed();
        },
        onPong(heapBytes) {
          memory.told(slot, heapBytes);
          if (watch.answered(slot)) feed();
        },
        onExit(why) {
          abandoned.delete(slot.thread);
          memory.gone(slot);
          // One that cannot even start would be started for ever.
          if (!slot.isReady) failAll(why ?? 'crashed');
          giveUp(slot, why ?? 'crashed');
          feed();
        },
      }),
      isReady: false,
      run: undefined,
      work: new Set(),
      idleSinceMs: now(),
      isStuck: false,
    };
    slots.add(slot);
    return slot;
  };

  const give = (slot: Slot, work: Work): void => {
    slot.work.add(work);
    slotOf.set(work, slot);
    listen(work, () => {
      work.abort(slot.thread);
      watch.stopping(slot);
    });
    work.begin(slot.thread);
    watch.began(slot);
  };

  const assign = (slot: Slot, run: RunKey): void => {
    if (slot.run !== undefined) {
      byRun.delete(slot.run.id);
      onLeft(slot.run.id, slot.thread);
    }
    slot.run = run;
    byRun.set(run.id, slot);
    for (const work of line.takeRun(run.id)) give(slot, work);
  };

  /** One place never has all threads: bulk work that waits for its device gives signs of life. */
  const leavesRoom = (work: Work): boolean => {
    const busy = live().filter((slot) => slot.work.size > 0);
    if (width < FEW || busy.length < width - 1) return true;
    const [place] = placesOf([work]);
    return place === undefined || busy.filter((slot) => placesOf(slot.work).includes(place)).length < width - 1;
  };

  const isTooHeavy = ({ isHeavy = false, run }: Work): boolean =>
    isHeavy &&
    run.isLimited &&
    [...slotOf].filter(([other, slot]) => other.isHeavy === true && other.run.isLimited && !slot.isStuck).length >= MOST_HEAVY;

  const mayGo = (work: Work): boolean => {
    if (isTooHeavy(work)) return false;
    const { caller, isLimited } = work.run;
    if (isLimited && [...slots].filter(({ run, work: { size } }) => run?.caller === caller && size > 0).length >= share) return false;
    if (!leavesRoom(work)) return false;
    const stuck = [...slots].filter(({ isStuck }) => isStuck);
    if (stuck.length + abandoned.size < STUCK_PER_PLACE) return true;
    const held = [...stuck.map((slot) => placesOf(slot.work)), ...abandoned.values()];
    return placesOf([work]).every((place) => held.filter((places) => places.includes(place)).length < STUCK_PER_PLACE);
  };

  /** A thread for one more run; undefined where it has to wait. */
  const findSlot = (sinceMs: number): Slot | undefined => {
    const free = live().filter(({ work, isReady }) => work.size === 0 && isReady);
    const unused = free.find(({ run }) => run === undefined);
    if (unused !== undefined) return unused;
    const [longest] = free.sort((one, other) => one.idleSinceMs - other.idleSinceMs);
    if (longest !== undefined && now() - longest.idleSinceMs >= LEFT_ALONE_MS) return longest;
    const working = live();
    if (working.length >= width || working.some(({ isReady }) => !isReady)) return longest;
    const patienceMs = working.length < options.processors ? GROW_AFTER_MS : STANDSTILL_MS;
    const waitedMs = now() - (working.length < options.processors ? sinceMs : Math.max(sinceMs, lastEndMs));
    if (working.length > 0 && waitedMs < patienceMs) {
      growing ??= later(patienceMs - waitedMs, () => {
        growing = undefined;
        feed();
      });
      return undefined;
    }
    startSlot();
    return longest;
  };

  const feed = (): void => {
    while (line.size > 0 && !isClosed) {
      const ownerHasOne = [...slots].some(({ run, work }) => run?.isLimited === false && work.size > 0);
      const work = line.next(mayGo, ownerHasOne ? undefined : OWNER_NAME);
      const own = work && byRun.get(work.run.id);
      const slot = own ?? (work && findSlot(work.sinceMs));
      if (work === undefined || slot === undefined) return;
      if (own === undefined) assign(slot, work.run);
      else for (const each of line.takeRun(work.run.id)) give(own, each);
    }
  };

  /** Threads that had nothing to do for a while go; one stays, for whoever comes next. */
  const tidy = (): void => {
    tidying = undefined;
    const idle = live().filter(({ work, run }) => work.size === 0 && run === undefined);
    const old = idle.filter(({ idleSinceMs }) => now() - idleSinceMs >= IDLE_MS);
    for (const slot of old.slice(0, Math.max(0, slots.size - 1))) dismiss(slot);
    if (slots.size > 1) tidying = later(IDLE_MS, tidy);
  };
  const dismiss = (slot: Slot): void => {
    slots.delete(slot);
    slot.thread.send({ kind: 'end' });
  };

  const rest = (slot: Slot): void => {
    slot.idleSinceMs = now();
    watch.forget(slot);
    // One that waited for its device may be one too many by now.
    if (slot.run === undefined && live().length > width) dismiss(slot);
    if (slots.size > 1) tidying ??= later(IDLE_MS, tidy);
  };

  return {
    add(work) {
      if (work.signal.aborted || isClosed) return work.fail(work.signal.aborted ? work.signal.reason : faultOf('closed', work));
      const own = byRun.get(work.run.id);
      if (own !== undefined && !isTooHeavy(work)) return give(own, work);
      const waiting = Object.assign(work, { sinceMs: now() });
      line.add(waiting);
      listen(work, () => {
        line.remove(waiting);
        forget(work);
        work.fail(work.signal.reason);
      });
      feed();
    },
    ended(work) {
      const slot = slotOf.get(work);
      forget(work);
      slotOf.delete(work);
      if (slot === undefined) return;
      slot.work.delete(work);
      lastEndMs = now();
      watch.ended(slot);
      if (slot.work.size === 0) rest(slot);
      feed();
    },
    release(runId) {
      const slot = byRun.size === 0 ? undefined : byRun.get(runId);
      if (slot === undefined) return;
      byRun.delete(runId);
      slot.run = undefined;
      if (slot.work.size === 0) rest(slot);
      feed();
    },
    get threads() {
      return [...slots].map(({ thread }) => thread);
    },
    get abandoned() {
      return abandoned.size;
    },
    close() {
      isClosed = true;
      growing?.();
      tidying?.();
      watch.close();
      failAll('closed');
      for (const slot of [...slots]) {
        if (slot.work.size === 0) dismiss(slot);
        else end(slot, 'closed');
      }
    },
  };
};
