import { QuotaExceededException, TimeoutException } from '../../../core/errors.ts';
import { createTurns } from '../../async/turns.ts';
import type { TaskInput, TaskName, TaskValue } from '../tasks.ts';
import type { Handed, ThreadLimits } from '../thread.ts';
import { type EndReason, openForeignThreads } from './threads.ts';

/** For whom work is done, and what it is about. */
export interface BoundedWork {
  readonly signal: AbortSignal;
  /** Has less memory and time. */
  readonly isLimited: boolean;
  /** What is worked on, for messages: a path. */
  readonly name: string;
  /** The error where the task kills its thread. */
  readonly makeError: (message: string, context: { readonly path: string; readonly reason: string }) => Error;
  readonly transfer?: readonly Handed[];
}

const MB = 1024 * 1024;
/** What a task may take, which it sees to itself: see `heap-watch.ts`. */
const MAX_BYTES = { limited: 256 * MB, free: 2048 * MB };
/** So far away that no step of a task which keeps to that reaches it: beyond it the whole process would end. */
const LIMITS: ThreadLimits = { heap: { maxOldGenerationSizeMb: 4096 }, maxWasmBytes: 1024 * MB };
const MAX_SILENT_MS = { limited: 60_000, free: 300_000 };

/** One piece of work at a time for callers with limits and one for others: each may take much memory. */
const turns = createTurns();

/** How many bytes of memory a task may take for a caller. */
export const memoryFor = (isLimited: boolean): number => MAX_BYTES[isLimited ? 'limited' : 'free'];

/**
 * Does work that is long and cannot pause on a thread of its own, which ends with the signal, or when it takes too much memory or time.
 * For our own code too, where it works through a large input in one go.
 */
export const runBounded = async <N extends TaskName>(task: N, input: TaskInput<N>, work: BoundedWork): Promise<TaskValue<N>> => {
  const { signal, isLimited, transfer = [] } = work;
  const who = isLimited ? 'limited' : 'free';
  const endTurn = await turns.take(who, signal);
  try {
    await using threads = openForeignThreads({ signal, limits: LIMITS, maxSilentMs: MAX_SILENT_MS[who], ended: whyEnded(work) });
    return await threads.run(task, input, { transfer });
  } finally {
    endTurn();
  }
};

const whyEnded =
  ({ name, makeError }: BoundedWork) =>
  (why: EndReason, cause?: unknown): Error => {
    const context = { path: name, reason: why };
    switch (why) {
      case 'memory':
        return new QuotaExceededException(`${name} needs more memory than there is; split it, or ask for less at once.`, {
          context: { ...context, limit: 'memory' },
          cause,
        });
      case 'silent':
        return new TimeoutException(`${name} takes too long to work through; split it, or ask for less at once.`, { context, cause });
      case 'crashed':
        return makeError(`${name} makes its reader fail; check that it is whole.`, context);
    }
  };
