import type { MessagePort } from 'node:worker_threads';
import { packFault } from '../messages.ts';
import type { Done, Task } from '../task.ts';
import { type ByteRange, type FromStream, PIECES_AHEAD, type ToStream } from './stream-messages.ts';

/** A way from bytes to bytes, as decoders are. */
export type StreamWork<P> = (chunks: AsyncIterable<Uint8Array>, parameters: P) => AsyncIterable<Uint8Array>;

/** A way from a file, read at any place, to bytes. */
export type RangeWork<P> = (read: (start: number, end: number) => Promise<Uint8Array>, parameters: P) => AsyncIterable<Uint8Array>;

/** What a stream on a thread needs: its own parameters, and the port over which bytes come and go. */
export interface StreamOrder<P> {
  readonly parameters: P;
  readonly port: MessagePort;
}

/** The same for work that asks for bytes by their place. */
export interface RangeOrder<P> {
  readonly parameters: P;
  readonly rangePort: MessagePort;
}

/** Makes a task of a way from bytes to bytes; `throughForeign` is its other end. */
export const streamTask =
  <P>(work: StreamWork<P>): Task<StreamOrder<P>, undefined> =>
  ({ parameters, port }) =>
    serve(port, (ask) => {
      async function* chunks(): AsyncGenerator<Uint8Array> {
        for (let bytes = await ask(); bytes !== undefined; bytes = await ask()) yield bytes;
      }
      return work(chunks(), parameters);
    });

/** Makes a task of a way from a file to bytes; `readThroughForeign` is its other end. */
export const rangeTask =
  <P>(work: RangeWork<P>): Task<RangeOrder<P>, undefined> =>
  ({ parameters, rangePort }) =>
    serve(rangePort, (ask) => work(async (start, end) => (await ask({ start, end })) ?? new Uint8Array(0), parameters));

/** Asks for input, for the next or for that of a place, one at a time; undefined is the end. */
type Ask = (range?: ByteRange) => Promise<Uint8Array | undefined>;

const serve = async (port: MessagePort, open: (ask: Ask) => AsyncIterable<Uint8Array>): Promise<Done<undefined>> => {
  const inputs: (Uint8Array | undefined)[] = [];
  let taken = 0;
  let isLeft = false;
  let waiters: (() => void)[] = [];
  const wake = () => {
    const woken = waiters;
    waiters = [];
    for (const resolve of woken) resolve();
  };
  port.on('message', (message: ToStream) => {
    if (message.kind === 'input') inputs.push(message.bytes);
    else taken += 1;
    wake();
  });
  port.on('close', () => {
    isLeft = true;
    wake();
  });
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isLeft && !isSo())
      await new Promise<void>((resolve) => {
        waiters.push(resolve);
      });
  };
  const tell = (message: FromStream, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

  const ask: Ask = async (range) => {
    tell({ kind: 'want', ...(range !== undefined && { range }) });
    await until(() => inputs.length > 0);
    return inputs.shift();
  };

  try {
    let given = 0;
    for await (const piece of open(ask)) {
      await until(() => given - taken < PIECES_AHEAD);
      if (isLeft) break;
      const bytes = new Uint8Array(piece); // the decoder keeps its own
      given += 1;
      tell({ kind: 'output', bytes }, [bytes.buffer]);
    }
    tell({ kind: 'end' });
  } catch (fault) {
    tell({ kind: 'fault', fault: packFault(fault) });
  }
  // The reader closes the port: closed from here, what is under way could be lost.
  await until(() => false);
  return { value: undefined };
};
