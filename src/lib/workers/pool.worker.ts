// The entry of a worker thread: answers orders until its pool ends it.
import { parentPort, workerData } from 'node:worker_threads';
import { createCollector } from './collect-young.ts';
import { limitWasm } from './foreign/limit-wasm.ts';
import { type Answer, type Order, packFault, type ThreadStart } from './messages.ts';
import { runHere } from './tasks.ts';

const answer = async ({ id, task, input }: Order): Promise<void> => {
  let done: Awaited<ReturnType<typeof runHere>>;
  try {
    done = await runHere(task, input);
  } catch (fault) {
    return send({ id, fault: packFault(fault) }, []);
  }
  return send({ id, value: done.value }, done.transfer ?? []);
};

const send = (message: Answer, transfer: readonly ArrayBuffer[]): void => {
  const bytes = transfer.reduce((sum, { byteLength }) => sum + byteLength, 0); // before they are handed over
  parentPort?.postMessage(message, transfer);
  tidyUp(bytes);
};

/** By itself V8 lets a thread keep some 60 MB of buffers that nobody uses any more before it collects them. */
const BYTES_BETWEEN_COLLECTIONS = 4 * 1024 * 1024;
let bytesSince = 0;
let collect: (() => void) | undefined;

const tidyUp = (bytes: number): void => {
  bytesSince += bytes;
  if (bytesSince < BYTES_BETWEEN_COLLECTIONS) return;
  bytesSince = 0;
  collect ??= createCollector();
  collect();
};

const start: ThreadStart | null | undefined = workerData;
if (start) limitWasm(start.maxWasmBytes);
parentPort?.on('message', (order: Order) => void answer(order));
