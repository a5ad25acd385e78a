import { type MessagePort, type ResourceLimits, Worker } from 'node:worker_threads';
import { InternalException } from '../../core/errors.ts';
import { type Answer, type Order, type ThreadStart, unpackFault } from './messages.ts';

/** Marks the fault of a job whose thread is gone. */
export const THREAD_ENDED = 'thread_ended';

/** What can be handed over to a thread instead of copied. */
export type Handed = ArrayBuffer | MessagePort;

/** An order, and who waits for its answer. */
export interface Job extends Order {
  readonly transfer: readonly Handed[];
  done(value: unknown): void;
  fail(fault: unknown): void;
}

/** One worker thread. */
export interface Thread {
  /** How many jobs it has. */
  readonly load: number;
  take(job: Job): void;
  /** Tells somebody else from now on. */
  handOver(events: ThreadEvents): void;
  /** Stops it wherever it is. */
  end(): Promise<unknown>;
}

/** What becomes of a thread. */
export interface ThreadEvents {
  /** A job is off its hands. */
  onFree(): void;
  /** It takes no more jobs; those it had have failed. */
  onEnd(): void;
}

/** How much a thread may take; without it, as much as the process. */
export interface ThreadLimits {
  readonly heap: ResourceLimits;
  readonly maxWasmBytes: number;
}

/** Starts a thread. It keeps the process alive only while it has something to do. */
export const startThread = (from: URL, firstEvents: ThreadEvents, limits?: ThreadLimits): Thread => {
  let events = firstEvents;
  // Flags of the main program are not for threads: one for scripts given as text would even end them.
  const worker = new Worker(from, {
    execArgv: [],
    ...(limits !== undefined && { resourceLimits: limits.heap, workerData: { maxWasmBytes: limits.maxWasmBytes } satisfies ThreadStart }),
  });
  const jobs = new Map<number, Job>();

  const fail = (reason: string, cause?: unknown) => {
    for (const job of jobs.values())
      job.fail(
        new InternalException(`A worker thread ended in the middle of ${job.task}: ${reason}.`, {
          context: { reason: THREAD_ENDED },
          cause,
        }),
      );
    jobs.clear();
    events.onEnd();
  };

  worker.unref();
  worker.on('message', (answer: Answer) => {
    const job = jobs.get(answer.id);
    jobs.delete(answer.id);
    if (jobs.size === 0) worker.unref();
    if ('fault' in answer) job?.fail(unpackFault(answer.fault));
    else job?.done(answer.value);
    events.onFree();
  });
  worker.on('error', (fault) => fail(fault.message, fault));
  worker.on('exit', () => fail('it stopped'));

  return {
    get load() {
      return jobs.size;
    },
    take(job) {
      const { id, task, input } = job;
      jobs.set(id, job);
      worker.ref();
      worker.postMessage({ id, task, input } satisfies Order, job.transfer);
    },
    handOver(next) {
      events = next;
    },
    end: () => worker.terminate(),
  };
};
