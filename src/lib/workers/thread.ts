import { Worker } from 'node:worker_threads';
import { InternalException } from '../../core/errors.ts';
import { type Answer, type Order, unpackFault } from './messages.ts';

/** An order, and who waits for its answer. */
export interface Job extends Order {
  readonly transfer: readonly ArrayBuffer[];
  done(value: unknown): void;
  fail(fault: unknown): void;
}

/** One worker thread. */
export interface Thread {
  /** How many jobs it has. */
  readonly load: number;
  take(job: Job): void;
  end(): Promise<unknown>;
}

interface ThreadEvents {
  /** A job is off its hands. */
  onFree(): void;
  /** It takes no more jobs; those it had have failed. */
  onEnd(): void;
}

/** Starts a thread. It keeps the process alive only while it has something to do. */
export const startThread = (from: URL, { onFree, onEnd }: ThreadEvents): Thread => {
  // Flags of the main program are not for threads: one for scripts given as text would even end them.
  const worker = new Worker(from, { execArgv: [] });
  const jobs = new Map<number, Job>();

  const fail = (reason: string, cause?: unknown) => {
    for (const job of jobs.values())
      job.fail(new InternalException(`A worker thread ended in the middle of ${job.task}: ${reason}.`, { cause }));
    jobs.clear();
    onEnd();
  };

  worker.unref();
  worker.on('message', (answer: Answer) => {
    const job = jobs.get(answer.id);
    jobs.delete(answer.id);
    if (jobs.size === 0) worker.unref();
    if ('fault' in answer) job?.fail(unpackFault(answer.fault));
    else job?.done(answer.value);
    onFree();
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
    end: () => worker.terminate(),
  };
};
