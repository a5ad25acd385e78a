import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { StoreException } from '../../../core/errors.ts';
import { unpackFault } from '../../../lib/workers/messages.ts';
import { asStoreFault } from '../store-fault.ts';
import { createExitGate, watchGate } from './exit-gate.ts';
import { gather, type Link, type Waiting } from './link.ts';
import type { SessionOptions } from './session.ts';
import type { FromWriter, ToWriter, WriterStart } from './thread-messages.ts';

/** Where the build puts the writer, seen from the chunk that holds this file. */
const EMITTED = ['./store.worker.js', '../store.worker.js'];

/** The module of the writer's thread; undefined where sources run as they are. */
export const writerUrl = (): URL | undefined => EMITTED.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));

/** Opens the store in a thread of its own. The thread keeps the process alive only while somebody waits for it. */
export const linkThread = (options: SessionOptions, from: URL): Promise<Link> =>
  new Promise((opened, refused) => {
    const gate = createExitGate();
    const worker = new Worker(from, { workerData: { options, gate } satisfies WriterStart, execArgv: [] });
    const forgetGate = watchGate(gate);
    const waiting = new Map<number, Waiting>();
    let closing: { done(): void; fail(fault: unknown): void } | undefined;
    let nextId = 0;
    let hasEnded = false;

    const tell = (message: ToWriter) => worker.postMessage(message);

    const end = (cause?: unknown) => {
      if (hasEnded) return;
      hasEnded = true;
      forgetGate();
      const fault = writerEnded(options.file, cause);
      refused(fault);
      for (const { reject } of waiting.values()) reject(fault);
      waiting.clear();
      closing?.done();
    };

    const send = gather((batch) => {
      if (hasEnded) throw writerEnded(options.file); // nobody would ever answer
      const first = nextId;
      nextId += batch.length;
      try {
        tell({ kind: 'calls', calls: batch.map(({ call }, at) => ({ id: first + at, call })) });
      } catch (fault) {
        throw asStoreFault(fault, options.file); // something cannot travel, such as a function in a list
      }
      for (const [at, each] of batch.entries()) waiting.set(first + at, each);
      worker.ref();
    });

    worker.on('message', (message: FromWriter) => {
      switch (message.kind) {
        case 'opened':
          worker.unref();
          return opened({
            send,
            get isOpen() {
              return !hasEnded;
            },
            close: () =>
              new Promise((done, fail) => {
                if (hasEnded) return done();
                closing = { done, fail };
                worker.ref();
                tell({ kind: 'close' });
              }),
          });
        case 'refused':
          return refused(unpackFault(message.fault));
        case 'answers':
          for (const answer of message.answers) {
            const asked = waiting.get(answer.id);
            waiting.delete(answer.id);
            if ('fault' in answer) asked?.reject(unpackFault(answer.fault));
            else asked?.resolve(answer.value);
          }
          if (waiting.size === 0 && closing === undefined) worker.unref(); // whoever closes waits for its end
          return;
        case 'closed':
          if (message.fault !== undefined) closing?.fail(unpackFault(message.fault));
      }
    });
    worker.on('error', end);
    worker.on('exit', () => end());
  });

const writerEnded = (place: string, cause?: unknown) =>
  new StoreException(`The writer of the store at ${place} has ended; try again.`, { context: { place }, cause, retryable: true });
