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
  /** Without it, what the largest input needs, or what a caller with limits may take. */
  readonly maxHeapMb?: number;
}

const MB = 1024 * 1024;
const MAX_HEAP_MB = { limited: 320, free: 3072 };
const MAX_SILENT_MS = { limited: 60_000, free: 300_000 };

/** One piece of work at a time for callers with limits and one for others: each may take much memory. */
const turns = createTurns();

/**
 * Does work that is long and cannot pause on a thread of its own, which ends with the signal, or when it takes too much memory or time.
 * For our own code too, where it works through a large input in one go.
 */
export const runBounded = async <N extends TaskName>(task: N, input: TaskInput<N>, work: BoundedWork): Promise<TaskValue<N>> => {
  const { signal, isLimited, transfer = [] } = work;
  const who = isLimited ? 'limited' : 'free';
  const heapMb = work.maxHeapMb ?? MAX_HEAP_MB[who];
  const limits: ThreadLimits = { heap: { maxOldGenerationSizeMb: heapMb }, maxWasmBytes: heapMb * MB };
  const endTurn = await turns.take(who, signal);
  try {
    await using threads = openForeignThreads({ signal, limits, maxSilentMs: MAX_SILENT_MS[who], ended: whyEnded(work, heapMb) });
    return await threads.run(task, input, { transfer });
  } finally {
    endTurn();
  }
};

const whyEnded =
  ({ name, makeError }: BoundedWork, heapMb: number) =>
  (why: EndReason, cause?: unknown): Error => {
    const context = { path: name, reason: why };
    switch (why) {
      case 'memory':
        return new QuotaExceededException(`${name} needs more than ${heapMb} MB of memory; split it, or ask for less at once.`, {
          context: { ...context, limit: 'memory' },
          cause,
        });
      case 'silent':
        return new TimeoutException(`${name} takes too long to work through; split it, or ask for less at once.`, { context, cause });
      case 'crashed':
        return makeError(`${name} makes its reader fail; check that it is whole.`, context);
    }
  };
