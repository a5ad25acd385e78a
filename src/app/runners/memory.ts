import type { Slot } from './crew.ts';

export interface MemoryLimits {
  /** Bytes that the process may take beyond what it has at rest, before work of limited callers is ended. */
  readonly maxBytes: number;
  /** Bytes that one thread may take, whoever it works for. */
  readonly maxThreadBytes: number;
  /** Bytes that the process takes now. */
  taken(): number;
}

export interface MemoryOptions extends MemoryLimits {
  now(): number;
  end(slot: Slot, why: 'memory' | 'shared_memory'): void;
  /** Ends threads without work that take much; tells whether there was one. */
  endHeavyAtRest(): boolean;
}

/**
 * Watches what threads take of memory. The heap limits of V8 are no bound: a single step that takes more than they leave, such as a set
 * that doubles, ends the whole process and not only the thread. So they are far away, and a thread is ended long before.
 */
export interface MemoryWatch {
  /** Nobody works: what the process takes now is its own. */
  atRest(): void;
  began(slot: Slot): void;
  /** The thread has said how much its heap takes. */
  told(slot: Slot, bytes: number): void;
  /** Whether a thread is known to take much. */
  isHeavy(slot: Slot): boolean;
  /** Ends a thread where there is need; tells whether it should be looked at again soon. */
  look(working: Iterable<Slot>): boolean;
  gone(slot: Slot): void;
}

/** Below this share of the bound a thread has no part in it that is worth its end. */
const HEAVY_SHARE = 0.25;
/** From this share on it is looked at more often: a thread can take some hundred megabytes in a tenth of a second. */
const NEAR_SHARE = 0.5;
/** So long nobody else is ended for the memory of a thread that is still on its way out. */
const ENDING_MS = 500;

export const createMemoryWatch = ({ maxBytes, maxThreadBytes, taken, now, end, endHeavyAtRest }: MemoryOptions): MemoryWatch => {
  const heavyBytes = maxBytes * HEAVY_SHARE;
  /** What each thread last said, and what the process took then. */
  const known = new WeakMap<Slot, { readonly bytes: number; readonly ofProcess: number }>();
  const asked = new WeakSet<Slot>();
  let ending: { readonly slot: Slot; readonly sinceMs: number } | undefined;
  /** The lowest that was ever seen at rest: threads keep memory, and what one work leaves behind must not make room for the next. */
  let atRest = Number.POSITIVE_INFINITY;
  let ofProcess = 0;

  const told = (slot: Slot, bytes: number): void => void known.set(slot, { bytes, ofProcess });

  /** A thread that has said nothing since may have taken all that the process took since. */
  const atMost = (slot: Slot): number => {
    const last = known.get(slot);
    return last === undefined ? 0 : last.bytes + Math.max(0, ofProcess - last.ofProcess);
  };

  const ask = (slot: Slot): void => {
    const answer = asked.has(slot) ? undefined : slot.thread.heapBytes();
    if (answer === undefined) return;
    asked.add(slot);
    void answer.then((bytes) => {
      asked.delete(slot);
      if (bytes !== undefined) told(slot, bytes);
    });
  };

  const endOne = (slot: Slot, why: 'memory' | 'shared_memory'): void => {
    ending = { slot, sinceMs: now() };
    end(slot, why);
  };

  return {
    atRest() {
      ofProcess = taken();
      atRest = Math.min(atRest, ofProcess);
    },
    began: (slot) => told(slot, known.get(slot)?.bytes ?? 0),
    told,
    isHeavy: (slot) => (known.get(slot)?.bytes ?? 0) >= heavyBytes,
    look(working) {
      ofProcess = taken();
      const more = ofProcess - atRest;
      const isNear = more >= Math.min(maxBytes, maxThreadBytes) * NEAR_SHARE;
      if (!isNear || (ending !== undefined && now() - ending.sinceMs < ENDING_MS)) return isNear;
      const slots = [...working].filter((slot) => !waitsForDevice(slot));
      for (const slot of slots) ask(slot);
      slots.sort((one, other) => atMost(other) - atMost(one));
      const [heaviest] = slots;
      if (heaviest !== undefined && atMost(heaviest) > maxThreadBytes) endOne(heaviest, 'memory');
      else if (more > maxBytes && !endHeavyAtRest()) {
        const limited = slots.find(({ run }) => run?.isLimited === true);
        if (limited !== undefined && atMost(limited) >= heavyBytes) endOne(limited, 'shared_memory');
      }
      return true;
    },
    gone(slot) {
      if (ending?.slot === slot) ending = undefined;
    },
  };
};

/** What stands still takes nothing. Where the system does not tell, it may well compute. */
const waitsForDevice = ({ isStuck, thread }: Slot): boolean => isStuck && thread.cpuMs() !== undefined;
