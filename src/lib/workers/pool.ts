import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { CancelledException, InternalException } from '../../core/errors.ts';
import { type Answer, type Order, unpackFault } from './messages.ts';
import { runHere, type TaskInput, type TaskName, type TaskValue } from './tasks.ts';
import { workerUrl } from './worker-url.ts';

export interface RunOptions {
  /** Gives up at once: what waits never starts; what runs goes on to its end on its thread and is forgotten. */
  readonly signal: AbortSignal;
  /** Buffers of the input that are handed over; the caller must not touch them again. */
  readonly transfer?: readonly ArrayBuffer[];
}

/** Threads that take tasks in the order they come. */
export interface Pool extends AsyncDisposable {
  /** How many tasks really run at the same time; keep about twice as many under way. */
  readonly width: number;
  run<N extends TaskName>(task: N, input: TaskInput<N>, options: RunOptions): Promise<TaskValue<N>>;
}

interface Job extends Order {
  readonly transfer: readonly ArrayBuffer[];
  settle(answer: Answer): void;
  fail(fault: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  readonly jobs: Map<number, Job>;
}

/** A second order waits in the thread, so that it need not idle while an answer travels. */
const ORDERS_PER_THREAD = 2;
const MAX_WIDTH = 4;

/** A pool of its own; `sharedPool` is the one to use, unless its threads must be ended when the work is. */
export const createPool = ({
  width = Math.min(availableParallelism(), MAX_WIDTH),
  url = workerUrl,
}: {
  width?: number;
  url?: () => Promise<URL | undefined>;
} = {}): Pool => {
  const threads = new Set<Thread>();
  const waiting: Job[] = [];
  let nextId = 0;
  let isClosed = false;
  let entry: Promise<URL | undefined> | undefined;

  const end = (thread: Thread, reason: string, cause?: unknown) => {
    threads.delete(thread);
    for (const job of thread.jobs.values())
      job.fail(new InternalException(`A worker thread ended in the middle of ${job.task}: ${reason}.`, { cause }));
    thread.jobs.clear();
  };

  const start = (from: URL): Thread => {
    setFlagsFromString('--expose-gc'); // for the thread, which tells V8 when to collect
    const worker = new Worker(from);
    const thread: Thread = { worker, jobs: new Map() };
    worker.on('message', (answer: Answer) => {
      const job = thread.jobs.get(answer.id);
      thread.jobs.delete(answer.id);
      if (thread.jobs.size === 0) worker.unref();
      job?.settle(answer);
      feed(from);
    });
    worker.on('error', (fault) => end(thread, fault.message, fault));
    worker.on('exit', () => end(thread, 'it stopped'));
    worker.unref();
    threads.add(thread);
    return thread;
  };

  const freeThread = (from: URL): Thread | undefined => {
    const [leastBusy] = [...threads].sort((a, b) => a.jobs.size - b.jobs.size);
    if (leastBusy?.jobs.size === 0) return leastBusy;
    if (threads.size < width) return start(from);
    return leastBusy !== undefined && leastBusy.jobs.size < ORDERS_PER_THREAD ? leastBusy : undefined;
  };

  const feed = (from: URL): void => {
    while (waiting.length > 0) {
      const thread = freeThread(from);
      if (thread === undefined) return;
      const job = waiting.shift();
      if (job === undefined) return;
      thread.jobs.set(job.id, job);
      thread.worker.ref();
      const { id, task, input } = job;
      thread.worker.postMessage({ id, task, input } satisfies Order, job.transfer);
    }
  };

  const order = (from: URL, task: TaskName, input: unknown, { signal, transfer = [] }: RunOptions): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const finish = () => signal.removeEventListener('abort', giveUp);
      const job: Job = {
        id: nextId++,
        task,
        input,
        transfer,
        settle(answer) {
          finish();
          if ('fault' in answer) reject(unpackFault(answer.fault));
          else resolve(answer.value);
        },
        fail(fault) {
          finish();
          reject(fault);
        },
      };
      const giveUp = () => {
        const at = waiting.indexOf(job);
        if (at >= 0) waiting.splice(at, 1);
        job.fail(signal.reason);
      };
      setMaxListeners(0, signal); // all tasks of a run listen to one signal
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.push(job);
      feed(from);
    });

  return {
    width,
    async run<N extends TaskName>(task: N, input: TaskInput<N>, options: RunOptions) {
      options.signal.throwIfAborted();
      entry ??= url();
      const from = await entry;
      if (isClosed) throw closed();
      const value = from === undefined ? (await runHere(task, input)).value : await order(from, task, input, options);
      // The table of tasks ties the value to the name; messages between threads carry no types.
      return value as TaskValue<N>;
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      for (const job of waiting.splice(0)) job.fail(closed());
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
};

const closed = () => new CancelledException('The worker threads were closed.');

let shared: Pool | undefined;

/** The threads of this process: started at first need, kept, and never in the way of its end. */
export const sharedPool = (): Pool => {
  shared ??= createPool();
  return shared;
};
