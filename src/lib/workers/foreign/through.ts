import { MessageChannel } from 'node:worker_threads';
import { unpackFault } from '../messages.ts';
import type { TaskInput, TaskName } from '../tasks.ts';
import type { StreamOrder } from './serve-stream.ts';
import type { SilenceWatch } from './silence.ts';
import { type FromStream, PIECES_AHEAD, type ToStream } from './stream-messages.ts';
import type { ForeignThreads } from './threads.ts';

/** Tasks made with `streamTask`, and what they take beside the bytes. */
type StreamTaskName = { [N in TaskName]: TaskInput<N> extends StreamOrder<unknown> ? N : never }[TaskName];
type ParametersOf<N extends StreamTaskName> = TaskInput<N> extends StreamOrder<infer P> ? P : never;

/** How long a task that is left early may take to notice before its thread is ended with the rest. */
const LEAVE_MS = 200;

/** Sends a stream through a task on a foreign thread. Input is read while the thread wants it, and at most a few pieces ahead. */
export async function* throughForeign<N extends StreamTaskName>(
  threads: ForeignThreads,
  task: N,
  parameters: ParametersOf<N>,
  chunks: AsyncIterable<Uint8Array>,
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
  const source = chunks[Symbol.asyncIterator]();
  let reading: Promise<void> = Promise.resolve();
  const tell = (message: ToStream) => {
    port.postMessage(message);
    watch?.expect();
  };
  const feed = async () => {
    try {
      const step = await source.next();
      tell({ kind: 'input', bytes: step.done === true ? undefined : step.value });
    } catch (fault) {
      fail(fault);
    }
  };
  port.on('message', (message: FromStream) => {
    watch?.expect();
    if (message.kind === 'want') {
      watch?.pause();
      reading = feed();
      return;
    }
    inbox.push(message);
    if (inbox.length >= PIECES_AHEAD) watch?.pause();
    wake();
  });

  // The table of tasks ties the parameters to the name; TypeScript cannot follow that through the port.
  const order = { parameters, port: port2 } as unknown as TaskInput<N>;
  const running = threads.run(task, order, {
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
    await source.return?.();
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
