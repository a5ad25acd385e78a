import { setMaxListeners } from 'node:events';
import { InternalException } from '../../../core/errors.ts';
import { createPool } from '../pool.ts';
import type { TaskInput, TaskName, TaskValue } from '../tasks.ts';
import { type Handed, THREAD_ENDED, type ThreadLimits } from '../thread.ts';
import { workerUrl } from '../worker-url.ts';
import { endingCrew, keepingCrew } from './crew.ts';
import { openSilenceWatch, type SilenceWatch } from './silence.ts';

/** Why threads were ended: the task gave no sign, took too much memory, or killed its thread in another way. */
export type EndReason = 'silent' | 'memory' | 'crashed';

export interface ForeignOptions {
  /** Ends the threads at once, whatever they do. */
  readonly signal: AbortSignal;
  /** The fault of the command whose thread had to be ended. */
  readonly ended: (why: EndReason, cause?: unknown) => Error;
  /** How many threads there are at most. */
  readonly width?: number;
  /** How long a task may give no sign. */
  readonly maxSilentMs?: number;
  /** Keep the threads for the next one, unless they were ended; for tasks that keep little memory. */
  readonly isKept?: boolean;
  /** For threads that are not kept; without it, what the largest file needs that is read in memory. */
  readonly limits?: ThreadLimits;
  /** The module a thread starts from. */
  readonly url?: () => Promise<URL | undefined>;
}

/** Threads for code that we did not write, on bytes that nobody trusts, until they are disposed of. */
export interface ForeignThreads extends AsyncDisposable {
  run<N extends TaskName>(task: N, input: TaskInput<N>, options?: ForeignRun): Promise<TaskValue<N>>;
}

interface ForeignRun {
  readonly transfer?: readonly Handed[];
  /** Gets the watch over this task, for those that talk while they run. */
  readonly watched?: (watch: SilenceWatch) => void;
}

const MAX_SILENT_MS = 120_000;

/** Opens threads that end with the signal, when a task is silent for too long, and when it takes too much memory. */
export const openForeignThreads = ({
  signal,
  ended,
  width = 1,
  maxSilentMs = MAX_SILENT_MS,
  isKept = false,
  limits,
  url = workerUrl,
}: ForeignOptions): ForeignThreads => {
  const stop = new AbortController();
  const pool = createPool({ width, url, crew: isKept ? keepingCrew(stop.signal) : endingCrew(limits) });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    signal.removeEventListener('abort', follow);
    closing ??= Promise.resolve(pool[Symbol.asyncDispose]());
    return closing;
  };
  const halt = (reason: unknown): void => {
    stop.abort(reason);
    close().catch(() => {}); // told to whoever disposes of them
  };
  const follow = () => halt(signal.reason);
  setMaxListeners(0, signal); // all commands of a run listen to one signal
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });

  return {
    async run(task, input, { transfer = [], watched } = {}) {
      const watch = openSilenceWatch(maxSilentMs, () => halt(ended('silent')));
      watched?.(watch);
      try {
        return await pool.run(task, input, { signal: stop.signal, transfer });
      } catch (fault) {
        stop.signal.throwIfAborted();
        throw isThreadFault(fault) ? ended(isOutOfMemory(fault.cause) ? 'memory' : 'crashed', fault) : fault;
      } finally {
        watch.close();
      }
    },
    [Symbol.asyncDispose]: close,
  };
};

const isThreadFault = (fault: unknown): fault is InternalException =>
  fault instanceof InternalException && fault.context.reason === THREAD_ENDED;

const isOutOfMemory = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
