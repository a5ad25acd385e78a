import type { MessagePort } from 'node:worker_threads';
import { packFault } from '../messages.ts';
import type { Task } from '../task.ts';
import { type FromStream, PIECES_AHEAD, type ToStream } from './stream-messages.ts';

/** A way from bytes to bytes, as decoders are. */
export type StreamWork<P> = (chunks: AsyncIterable<Uint8Array>, parameters: P) => AsyncIterable<Uint8Array>;

/** What a stream on a thread needs: its own parameters, and the port over which bytes come and go. */
export interface StreamOrder<P> {
  readonly parameters: P;
  readonly port: MessagePort;
}

/** Makes a task of a way from bytes to bytes; `throughForeign` is its other end. */
export const streamTask =
  <P>(work: StreamWork<P>): Task<StreamOrder<P>, undefined> =>
  async ({ parameters, port }) => {
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

    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (;;) {
        tell({ kind: 'want' });
        await until(() => inputs.length > 0);
        const bytes = inputs.shift();
        if (bytes === undefined) return;
        yield bytes;
      }
    }

    try {
      let given = 0;
      for await (const piece of work(chunks(), parameters)) {
        await until(() => given - taken < PIECES_AHEAD);
        if (isLeft) break;
        const bytes = Uint8Array.from(piece); // the decoder keeps its own
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
