import type { IncomingMessage } from 'node:http';
import type { Limits } from '../limits.ts';
import { tooLarge } from './head.ts';
import { Refused } from './refuse.ts';

/** The body as a whole. Too many bytes, a pause that is too long and a client that went away end it at once. */
export const readBody = (request: IncomingMessage, limits: Limits): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const declared = Number(request.headers['content-length'] ?? -1);
    const whole = gatherChunks();
    let length = 0;
    let timer: NodeJS.Timeout | undefined;
    let isSettled = false;

    const fail = (fault: Error) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      request.pause();
      reject(fault);
    };
    const slow = () =>
      fail(new Refused(408, 'slow-body', `The body came too slowly; send it within ${limits.bodyTimeoutS} s, without long pauses.`));
    const wait = () => {
      clearTimeout(timer);
      const leftMs = limits.bodyTimeoutS * 1000 - (performance.now() - startedAt);
      timer = setTimeout(slow, Math.max(0, Math.min(limits.bodyIdleTimeoutS * 1000, leftMs)));
    };
    const take = (chunk: Buffer) => {
      if (isSettled) return;
      length += chunk.length;
      if (length > limits.bodyBytes) return fail(tooLarge(limits.bodyBytes));
      if (length === declared && whole.isEmpty) whole.put(chunk);
      else {
        whole.copy(chunk);
        wait();
      }
    };
    const end = () => {
      isSettled = true;
      clearTimeout(timer);
      resolve(whole.take());
    };
    // `close` follows every `end`, so it only counts before it; a fault of the connection shows as `close` too.
    const gone = () => fail(new Refused(400, 'cut-body', 'The connection was closed before the body was complete.'));
    wait();
    request.on('data', take).on('end', end).on('close', gone).on('error', ignore);
  });

/** A byte that comes alone holds the whole block it was read into, so small chunks are copied together. */
const BLOCK_BYTES = 64 * 1024;

const gatherChunks = () => {
  const chunks: Buffer[] = [];
  let block = Buffer.alloc(0);
  let used = 0;
  const flush = () => {
    if (used > 0) chunks.push(block.subarray(0, used));
    used = 0;
  };
  return {
    get isEmpty() {
      return chunks.length === 0 && used === 0;
    },
    put: (chunk: Buffer) => void chunks.push(chunk),
    copy(chunk: Buffer) {
      if (used + chunk.length > block.length) {
        flush();
        block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, chunk.length));
      }
      used += chunk.copy(block, used);
    },
    take(): Buffer {
      flush();
      const [first = Buffer.alloc(0)] = chunks;
      return chunks.length <= 1 ? first : Buffer.concat(chunks);
    },
  };
};

const ignore = () => {};
