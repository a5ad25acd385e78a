import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { OWNER } from '../../access/caller.ts';
import { answerByFetch } from './answer-by-fetch.ts';
import { HttpRequest } from './request.ts';

const CHUNK = Buffer.alloc(1024 * 1024, 'x');
const CHUNKS = 40;

/** A server whose answer is a long stream; `handle` is told of the request. */
const serve = async (handle: (asked: Request) => void) => {
  const server = createServer({ IncomingMessage: HttpRequest }, (request, response) => {
    const exchange = {
      request,
      response,
      caller: OWNER,
      requestId: '',
      params: [],
      query: '',
      enter: () => {},
      body: async () => Buffer.alloc(0),
    };
    void answerByFetch(exchange, async (asked) => {
      handle(asked);
      let left = CHUNKS;
      const body = new ReadableStream({
        pull(controller) {
          if (left === 0) controller.close();
          else controller.enqueue(CHUNK);
          left -= 1;
        },
      });
      return new Response(body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens
  const [answer] = (await once(get({ host: '127.0.0.1', port, agent: false }), 'response')) as [IncomingMessage]; // what that event brings
  return { server, answer };
};

test('a stream waits for a slow reader as often as need be, and leaves nothing behind that waits', async () => {
  const warnings: string[] = [];
  const listen = (warning: Error) => void warnings.push(warning.message);
  process.on('warning', listen);
  const { server, answer } = await serve(() => {});
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    await new Promise(setImmediate);
  }
  expect(bytes).toBe(CHUNKS * CHUNK.length);
  expect(warnings).toEqual([]);
  process.off('warning', listen);
  server.close();
});

test('a reader that goes away cancels the request', async () => {
  let asked: Request | undefined;
  const { server, answer } = await serve((request) => {
    asked = request;
  });
  answer.destroy();
  await expect.poll(() => asked?.signal.aborted).toBe(true);
  server.close();
});
