import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { unpackFault } from '../messages.ts';
import type { TaskInput, TaskName } from '../tasks.ts';
import type { RangeOrder, StreamOrder } from './serve-stream.ts';
import type { SilenceWatch } from './silence.ts';
import { type ByteRange, type FromStream, PIECES_AHEAD, type ToStream } from './stream-messages.ts';
import type { ForeignThreads } from './threads.ts';

/** Tasks made with `streamTask`, and what they take beside the bytes. */
type StreamTaskName = { [N in TaskName]: TaskInput<N> extends StreamOrder<unknown> ? N : never }[TaskName];
type ParametersOf<N extends StreamTaskName> = TaskInput<N> extends StreamOrder<infer P> ? P : never;
/** Tasks made with `rangeTask`. */
type RangeTaskName = { [N in TaskName]: TaskInput<N> extends RangeOrder<unknown> ? N : never }[TaskName];
type RangeParametersOf<N extends RangeTaskName> = TaskInput<N> extends RangeOrder<infer P> ? P : never;

/** How long a task that is left early may take to notice before its thread is ended with the rest. */
const LEAVE_MS = 200;

/** Sends a stream through a task on a foreign thread. Input is read while the thread wants it, and at most a few pieces ahead. */
export async function* throughForeign<N extends StreamTaskName>(
  threads: ForeignThreads,
  task: N,
  parameters: ParametersOf<N>,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  const feed = async () => {
    const step = await source.next();
    return step.done === true ? undefined : step.value;
  };
  try {
    // The table of tasks ties the parameters to the name; TypeScript cannot follow that through the port.
    yield* converse(threads, task, (port) => ({ parameters, port }) as unknown as TaskInput<N>, feed);
  } finally {
    await source.return?.();
  }
}

/** What a task makes of a file, of which it gets the parts that it asks for. What it gives is read at most a few pieces ahead. */
export const readThroughForeign = <N extends RangeTaskName>(
  threads: ForeignThreads,
  task: N,
  parameters: RangeParametersOf<N>,
  read: (start: number, end: number) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array> =>
  converse(
    threads,
    task,
    // As above.
    (rangePort) => ({ parameters, rangePort }) as unknown as TaskInput<N>,
    async (range) => (range === undefined ? undefined : read(range.start, range.end)),
  );

async function* converse<N extends TaskName>(
  threads: ForeignThreads,
  task: N,
  orderWith: (port: MessagePort) => TaskInput<N>,
  input: (range: ByteRange | undefined) => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array> {
  const { port1: port, port2 } = new MessageChannel();
  const inbox: FromStream[] = [];
  let failure: { readonly fault: unknown } | undefined;
  let wake = () => {};
  const fail = (fault: unknown) => {
    failure ??= { fault };
    wake();
  };
  let watch: SilenceWatch | undefined;
  let reading: Promise<void> = Promise.resolve();
  const tell = (message: ToStream) => {
    port.postMessage(message);
    watch?.expect();
  };
  const feed = async (range: ByteRange | undefined) => {
    try {
      tell({ kind: 'input', bytes: await input(range) });
    } catch (fault) {
      fail(fault);
    }
  };
  port.on('message', (message: FromStream) => {
    watch?.expect();
    if (message.kind === 'want') {
      watch?.pause();
      reading = feed(message.range);
      return;
    }
    inbox.push(message);
    if (inbox.length >= PIECES_AHEAD) watch?.pause();
    wake();
  });

  const running = threads.run(task, orderWith(port2), {
    transfer: [port2],
    watched(own) {
      watch = own;
    },
  });
  running.catch(fail);
  try {
    for (;;) {
      while (inbox.length === 0 && failure === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (failure !== undefined) throw failure.fault;
      const message = inbox.shift();
      if (message?.kind === 'end') return;
      if (message?.kind === 'fault') throw unpackFault(message.fault);
      if (message?.kind !== 'output') continue;
      tell({ kind: 'taken' });
      // An empty piece is a sign of life; handed on, `crc32` would take an empty array of another thread for a fresh start.
      if (message.bytes.byteLength > 0) yield message.bytes;
    }
  } finally {
    port.close();
    await leave(running);
    await reading;
  }
}

/** Waits a little for a task that was left; whoever owns the threads ends it where that is not enough. */
const leave = async (running: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LEAVE_MS);
  });
  await Promise.race([running.catch(() => {}), patience]);
  clearTimeout(timer);
};
