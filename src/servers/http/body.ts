import type { IncomingMessage } from 'node:http';
import type { Limits } from '../limits.ts';
import { tooLarge } from './head.ts';
import { Refused } from './refuse.ts';

/** The body as a whole. Too many bytes, a pause that is too long and a client that went away end it at once. */
export const readBody = (request: IncomingMessage, limits: Limits): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const declared = Number(request.headers['content-length'] ?? -1);
    const chunks: Buffer[] = [];
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
      chunks.push(chunk);
      if (length !== declared) wait();
    };
    const end = () => {
      isSettled = true;
      clearTimeout(timer);
      const [first = Buffer.alloc(0)] = chunks;
      resolve(chunks.length <= 1 ? first : Buffer.concat(chunks, length));
    };
    // `close` follows every `end`, so it only counts before it; a fault of the connection shows as `close` too.
    const gone = () => fail(new Refused(400, 'cut-body', 'The connection was closed before the body was complete.'));
    wait();
    request.on('data', take).on('end', end).on('close', gone).on('error', ignore);
  });

const ignore = () => {};
