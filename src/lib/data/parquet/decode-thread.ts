import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Answer, type Order, unpackFault } from '../../workers/messages.ts';
import { workerUrl } from '../../workers/worker-url.ts';
import { type DecodedGroup, decodeGroup, type GroupOrder, unreadable } from './decode-group.ts';

/** Decodes groups of one file until it is disposed. */
export interface GroupDecoder extends AsyncDisposable {
  decode(order: GroupOrder, signal: AbortSignal): Promise<DecodedGroup>;
}

/** What a file may make a thread take; a group of ordinary size needs a fraction of it. */
const MAX_THREAD_MB = 1_024;

/**
 * A decoder on a thread of its own: the library trusts the counts in a file, and a wrong one can keep it busy for ever or fill the memory.
 * Here that ends with the signal, or with the memory of the thread, and the process goes on.
 */
export const openDecodeThread = async (): Promise<GroupDecoder> => {
  const from = await workerUrl();
  if (from === undefined) return { decode: async (order) => (await decodeGroup(order)).value, [Symbol.asyncDispose]: async () => {} };
  let worker: Worker | undefined;
  const start = (): Worker => {
    const started = new Worker(from, { resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MB } });
    started.on('error', () => {}); // told to whoever waits for an answer
    started.on('exit', () => {
      worker = undefined;
    });
    return started;
  };
  return {
    async decode(order, signal) {
      worker ??= start();
      worker.postMessage({ id: 0, task: 'decode_parquet', input: order } satisfies Order);
      const answer = await answerOf(worker, order, signal);
      if ('fault' in answer) throw unpackFault(answer.fault);
      // The task of that name gives this; messages between threads carry no types.
      return answer.value as DecodedGroup;
    },
    [Symbol.asyncDispose]: async () => void (await worker?.terminate()),
  };
};

const answerOf = async (worker: Worker, { name }: GroupOrder, signal: AbortSignal): Promise<Answer> => {
  try {
    const [answer] = await once(worker, 'message', { signal });
    return answer;
  } catch (fault) {
    signal.throwIfAborted();
    // The thread itself failed: it ran out of memory.
    throw unreadable(name, fault);
  }
};
