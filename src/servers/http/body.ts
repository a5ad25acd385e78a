import type { IncomingMessage } from 'node:http';
import type { Limits } from '../limits.ts';
import { tooLarge } from './head.ts';
import type { Overdue } from './overdue.ts';
import { Refused } from './refuse.ts';

/** The body as a whole. Too many bytes, a pause that is too long and a client that went away end it at once. */
export const readBody = (request: IncomingMessage, limits: Limits, overdue: Overdue): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { bodyBytes, bodyIdleTimeoutS, bodyTimeoutS } = limits;
    const endMs = performance.now() + bodyTimeoutS * 1000;
    const declared = Number(request.headers['content-length'] ?? -1);
    let only: Buffer | undefined;
    let pieces: Pieces | undefined;
    let length = 0;
    let isSettled = false;

    const fail = (fault: Error) => {
      isSettled = true;
      overdue.forget(patience);
      request.pause();
      reject(fault);
    };
    const patience = {
      dueMs: 0,
      late: () => fail(new Refused(408, 'slow-body', `The body came too slowly; send it within ${bodyTimeoutS} s, without long pauses.`)),
    };
    const wait = () => {
      patience.dueMs = Math.min(performance.now() + bodyIdleTimeoutS * 1000, endMs);
    };
    const take = (chunk: Buffer) => {
      if (isSettled) return;
      length += chunk.length;
      if (length > bodyBytes) return fail(tooLarge(bodyBytes));
      if (length === declared && pieces === undefined) only = chunk;
      else {
        pieces ??= gatherPieces();
        pieces.add(chunk);
        wait();
      }
    };
    const end = () => {
      if (isSettled) return;
      isSettled = true;
      overdue.forget(patience);
      resolve(only ?? pieces?.join() ?? Buffer.alloc(0));
    };
    // `close` follows every `end`, so it only counts before it; a fault of the connection shows as `close` too.
    const gone = () => {
      if (!isSettled) fail(new Refused(400, 'cut-body', 'The connection was closed before the body was complete.'));
    };
    wait();
    overdue.watch(patience);
    request.on('data', take).on('end', end).on('close', gone).on('error', ignore);
  });

/** A byte that comes alone holds the whole block it was read into, so small chunks are copied together. */
interface Pieces {
  add(chunk: Buffer): void;
  join(): Buffer;
}

const BLOCK_BYTES = 64 * 1024;

const gatherPieces = (): Pieces => {
  const blocks: Buffer[] = [];
  let block = Buffer.alloc(0);
  let used = 0;
  const flush = () => {
    if (used > 0) blocks.push(block.subarray(0, used));
    used = 0;
  };
  return {
    add(chunk) {
      if (used + chunk.length > block.length) {
        flush();
        block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, chunk.length));
      }
      used += chunk.copy(block, used);
    },
    join() {
      flush();
      return Buffer.concat(blocks);
    },
  };
};

const ignore = () => {};
