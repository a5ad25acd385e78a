import type { IncomingMessage } from 'node:http';
import type { Limits } from '../limits.ts';
import { tooLarge } from './head.ts';
import { Refused } from './refuse.ts';

/** The body as a whole. Too many bytes, a pause that is too long and a client that went away end it at once. */
export const readBody = (request: IncomingMessage, limits: Limits): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const idle = setTimeout(slow, limits.bodyIdleTimeoutS * 1000);
    const total = setTimeout(slow, limits.bodyTimeoutS * 1000);

    const settle = () => {
      clearTimeout(idle);
      clearTimeout(total);
      request.off('data', take).off('end', end).off('close', gone);
    };
    const fail = (fault: Error) => {
      settle();
      request.pause();
      reject(fault);
    };
    function slow() {
      fail(new Refused(408, 'slow-body', `The body came too slowly; send it within ${limits.bodyTimeoutS} s, without long pauses.`));
    }
    function take(chunk: Buffer) {
      length += chunk.length;
      if (length > limits.bodyBytes) return fail(tooLarge(limits.bodyBytes));
      chunks.push(chunk);
      idle.refresh();
    }
    function end() {
      settle();
      const [first = Buffer.alloc(0)] = chunks;
      resolve(chunks.length <= 1 ? first : Buffer.concat(chunks, length));
    }
    function gone() {
      fail(new Refused(400, 'cut-body', 'The connection was closed before the body was complete.'));
    }
    // `close` follows every `end`, so it only counts before it; a fault of the connection shows as `close` too.
    request.on('data', take).on('end', end).on('close', gone).on('error', ignore);
  });

const ignore = () => {};
