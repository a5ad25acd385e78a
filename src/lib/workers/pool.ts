import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { CancelledException } from '../../core/errors.ts';
import { runHere, type TaskInput, type TaskName, type TaskValue } from './tasks.ts';
import { type Handed, type Job, startThread, type Thread, type ThreadEvents } from './thread.ts';
import { workerUrl } from './worker-url.ts';

export interface RunOptions {
  /** Gives up at once: what waits never starts; what runs goes on to its end on its thread and is forgotten. */
  readonly signal: AbortSignal;
  /** Buffers of the input that are handed over; the caller must not touch them again. */
  readonly transfer?: readonly Handed[];
}

/** Threads that take tasks in the order they come. */
export interface Pool extends AsyncDisposable {
  /** How many tasks really run at the same time; keep about twice as many under way. */
  readonly width: number;
  /** Whether threads are there: without them a task has to wait for one to start. */
  readonly isRunning: boolean;
  /** Starts threads before there is work for them. */
  start(count: number): Promise<void>;
  run<N extends TaskName>(task: N, input: TaskInput<N>, options: RunOptions): Promise<TaskValue<N>>;
}

interface PoolOptions {
  readonly width?: number;
  /** The module a thread starts from; where there is none, tasks run on the calling thread. */
  readonly url?: () => Promise<URL | undefined>;
  readonly crew?: Crew;
}

/** Where the threads of a pool come from, and where they go when it is closed. */
export interface Crew {
  join(from: URL, events: ThreadEvents): Thread;
  leave(thread: Thread): Promise<unknown>;
}

const OWN_CREW: Crew = { join: startThread, leave: (thread) => thread.end() };

/** A second order waits in the thread, so that it need not idle while an answer travels. */
const ORDERS_PER_THREAD = 2;
/** Of a pool of the main thread, and of one that another thread has for itself: there may be several of those. Asked late, for that loads the threads of Node. */
const maxWidth = (): number => (isMainThread ? 4 : 2);

/** A pool of its own; `sharedPool` is the one to use, unless its threads must be ended when the work is. */
export const createPool = ({
  width = Math.min(availableParallelism(), maxWidth()),
  url = workerUrl,
  crew = OWN_CREW,
}: PoolOptions = {}): Pool => {
  const threads = new Set<Thread>();
  const waiting: Job[] = [];
  let nextId = 0;
  let isClosed = false;
  let entry: Promise<URL | undefined> | undefined;

  const newThread = (from: URL): Thread => {
    const thread = crew.join(from, {
      onFree: () => feed(from),
      onEnd() {
        threads.delete(thread);
        feed(from);
      },
    });
    threads.add(thread);
    return thread;
  };

  const freeThread = (from: URL): Thread | undefined => {
    const [leastBusy] = [...threads].sort((a, b) => a.load - b.load);
    if (leastBusy?.load === 0) return leastBusy;
    if (threads.size < width) return newThread(from);
    return leastBusy !== undefined && leastBusy.load < ORDERS_PER_THREAD ? leastBusy : undefined;
  };

  const feed = (from: URL): void => {
    while (waiting.length > 0) {
      const thread = freeThread(from);
      if (thread === undefined) return;
      const job = waiting.shift();
      if (job !== undefined) thread.take(job);
    }
  };

  const order = (from: URL, task: TaskName, input: unknown, { signal, transfer = [] }: RunOptions): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const settling =
        <T>(settle: (result: T) => void) =>
        (result: T) => {
          signal.removeEventListener('abort', giveUp);
          settle(result);
        };
      const job: Job = { id: nextId, task, input, transfer, done: settling(resolve), fail: settling(reject) };
      const giveUp = () => {
        const at = waiting.indexOf(job);
        if (at >= 0) waiting.splice(at, 1);
        job.fail(signal.reason);
      };
      nextId += 1;
      setMaxListeners(0, signal); // all tasks of a run listen to one signal
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.push(job);
      feed(from);
    });

  return {
    width,
    get isRunning() {
      return threads.size > 0;
    },
    async start(count) {
      entry ??= url();
      const from = await entry;
      while (from !== undefined && !isClosed && threads.size < Math.min(count, width)) newThread(from);
    },
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
      await Promise.all([...threads].map(crew.leave));
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

/** Ends the threads of the shared pool, for whoever knows that nobody uses them; the next one who needs them starts new ones. */
export const endSharedPool = async (): Promise<void> => {
  const ended = shared;
  shared = undefined;
  await ended?.[Symbol.asyncDispose]();
};
