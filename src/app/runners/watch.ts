import type { EndReason, Slot } from './crew.ts';
import type { MemoryWatch } from './memory.ts';

export interface WatchOptions {
  now(): number;
  later(ms: number, work: () => void): () => void;
  /** For how long a command of a limited caller may use the processor without a sign of life. */
  readonly maxSpinMs: number;
  readonly memory: MemoryWatch;
  end(slot: Slot, why: EndReason): void;
  /** A thread waits for a device: others should not wait for it. */
  onStuck(slot: Slot): void;
}

/** Watches that threads with work give signs of life. */
export interface Watch {
  began(slot: Slot): void;
  /** One of its commands should stop. */
  stopping(slot: Slot): void;
  /** One of its commands has ended. */
  ended(slot: Slot): void;
  /** A sign of life; tells whether the thread was taken for stuck. */
  answered(slot: Slot): boolean;
  forget(slot: Slot): void;
  close(): void;
}

interface Watched {
  /** When it was asked for a sign of life that did not come yet, and what it had used of the processor then. */
  asked: { readonly atMs: number; readonly cpuMs: number | undefined } | undefined;
  /** Since when one of its commands should stop. */
  stopMs: number | undefined;
}

const LOOK_EVERY_MS = 100;
/** Where memory runs short. */
const LOOK_SOON_MS = 25;
/** Without a sign for this long a thread is held up. */
const SILENT_MS = 250;
/** What was told to stop and gives no sign of life has this long. */
const UNHEEDING_MS = 1_000;
/** What was told to stop and lives may take this long to clear up behind itself. */
const CLEARING_MS = 30_000;
/** A thread that computes gets more of the processor than this, however busy the machine is. */
const COMPUTING = 0.05;

export const createWatch = ({ now, later, maxSpinMs, memory, end, onStuck }: WatchOptions): Watch => {
  const watched = new Map<Slot, Watched>();
  let looking: (() => void) | undefined;

  const look = (): void => {
    looking = undefined;
    const isShort = watched.size > 0 && memory.look(watched.keys());
    for (const [slot, state] of watched) lookAt(slot, state);
    if (watched.size > 0) looking ??= later(isShort ? LOOK_SOON_MS : LOOK_EVERY_MS, look); // a thread that was ended may have made room for work
  };

  const lookAt = (slot: Slot, state: Watched): void => {
    const { asked, stopMs } = state;
    const stoppingMs = stopMs === undefined ? 0 : now() - stopMs;
    if (stoppingMs >= CLEARING_MS) {
      end(slot, 'unheeding');
      return;
    }
    if (asked === undefined) {
      state.asked = { atMs: now(), cpuMs: slot.thread.cpuMs() };
      slot.thread.send({ kind: 'ping' });
      return;
    }
    const silentMs = now() - asked.atMs;
    if (silentMs < SILENT_MS) return;
    const cpuMs = slot.thread.cpuMs();
    const computedMs = cpuMs === undefined || asked.cpuMs === undefined ? undefined : cpuMs - asked.cpuMs;
    const isComputing = computedMs !== undefined && computedMs > silentMs * COMPUTING;
    if (!slot.isStuck && slot.isReady && !isComputing) {
      slot.isStuck = true;
      onStuck(slot);
    }
    if (stopMs !== undefined && (slot.isStuck || stoppingMs >= UNHEEDING_MS)) end(slot, 'unheeding');
    else if (slot.run?.isLimited === true && computedMs !== undefined && computedMs >= maxSpinMs) end(slot, 'spinning');
  };

  return {
    began(slot) {
      if (looking === undefined && watched.size === 0) memory.atRest();
      if (!watched.has(slot)) {
        watched.set(slot, { asked: undefined, stopMs: undefined });
        memory.began(slot);
      }
      looking ??= later(LOOK_EVERY_MS, look);
    },
    stopping(slot) {
      const state = watched.get(slot);
      if (state === undefined) return;
      state.stopMs ??= now();
      if (slot.isStuck) end(slot, 'unheeding'); // nobody waits for a device that does not answer
    },
    ended(slot) {
      const state = watched.get(slot);
      if (state !== undefined && ![...slot.work].some(({ signal }) => signal.aborted)) state.stopMs = undefined;
    },
    answered(slot) {
      const state = watched.get(slot);
      if (state !== undefined) state.asked = undefined;
      const wasStuck = slot.isStuck;
      slot.isStuck = false;
      return wasStuck;
    },
    forget: (slot) => void watched.delete(slot),
    close() {
      looking?.();
      watched.clear();
    },
  };
};
