import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openHttpSession } from './http-session.ts';
import { createNetwork } from './network.ts';

const { signal } = new AbortController();

test('a request goes out as it was written, and the answer comes back as it was sent', async () => {
  const server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk);
    response.setHeader('x-two', ['a', 'b']).end(JSON.stringify([request.method, request.url, Buffer.concat(body).toString()]));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a path
  await using session = openHttpSession({
    origin: new URL(`http://127.0.0.1:${port}`),
    network: createNetwork(),
    rules: { allowPrivate: true },
  });
  const body = {
    bytes: 6,
    chunks: (async function* () {
      const reused = Buffer.alloc(3);
      for (const text of ['abc', 'def']) {
        reused.write(text);
        yield reused;
      }
    })(),
  };
  const answer = await session.send({ method: 'PROPFIND', path: '/a%2Fb/%2e?q=%41', body, signal });
  expect([answer.status, answer.headers['x-two'], JSON.parse((await answer.bytes(1000)).toString())]).toEqual([
    200,
    'a, b',
    ['PROPFIND', '/a%2Fb/%2e?q=%41', 'abcdef'],
  ]);
  server.close();
});

test('an address that is not allowed is never asked', async () => {
  await using session = openHttpSession({ origin: new URL('http://127.0.0.1:9'), network: createNetwork(), rules: {} });
  await expect(session.send({ method: 'GET', path: '/', signal })).rejects.toMatchObject({ name: 'UrlValidationException' });
});
