import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { HTTPActionClient } from './index.ts';

const RESULT = JSON.stringify({ run_id: 'r', results: [{ index: 0, action: 'FA_stat', status: 'ok', value: null, duration_ms: 0 }] });

/** A server that behaves as the tests say and counts what it gets. */
const openServer = async (listener: RequestListener) => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    get requests() {
      return requests;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Breaks the connection of the first requests, then answers. */
const breaking = (times: number) => {
  let left = times;
  return openServer((request, response) => {
    left -= 1;
    if (left >= 0) request.socket.destroy();
    else response.end(RESULT);
  });
};

describe('after a lost connection', () => {
  test('a list that only reads is sent again', async () => {
    await using server = await breaking(1);
    expect(await new HTTPActionClient(server.url).call('FA_stat', { path: 'a' })).toBeNull();
    expect(server.requests).toBe(2);
  });

  test('a list that must not run twice is not', async () => {
    await using server = await breaking(1);
    const append = new HTTPActionClient(server.url).call('FA_jsonl_append', { path: 'a', record: {} });
    await expect(append).rejects.toMatchObject({ trouble: 'unreachable' });
    expect(server.requests).toBe(1);
  });

  test('the last attempt decides', async () => {
    await using server = await breaking(9);
    await expect(new HTTPActionClient(server.url, { retries: 1 }).call('FA_stat', { path: 'a' })).rejects.toMatchObject({
      trouble: 'unreachable',
    });
    expect(server.requests).toBe(2);
  });

  test('an answer that breaks off counts as lost', async () => {
    await using server = await openServer((_, response) => {
      response.writeHead(200, { 'Content-Length': 1000 });
      response.write('{');
      setImmediate(() => response.destroy());
    });
    await expect(new HTTPActionClient(server.url, { retries: 1 }).actions()).rejects.toMatchObject({ trouble: 'unreachable' });
    expect(server.requests).toBe(2);
  });

  test('a refusal is final', async () => {
    await using server = await openServer((_, response) => response.writeHead(503).end());
    await expect(new HTTPActionClient(server.url).call('FA_stat', { path: 'a' })).rejects.toMatchObject({ status: 503, retryable: true });
    expect(server.requests).toBe(1);
  });
});

describe('waits no longer than', () => {
  test('the call allows', async () => {
    await using server = await openServer(() => {});
    const late = new HTTPActionClient(server.url, { timeoutMs: 60_000 }).call('FA_stat', { path: 'a' }, { timeoutMs: 20 });
    await expect(late).rejects.toMatchObject({
      trouble: 'timeout',
      type: 'TimeoutException',
      context: { timeout_ms: 20 },
      message: expect.stringContaining('may still run'),
    });
    const remedyWith = (cancelOnDisconnect: boolean) =>
      new HTTPActionClient(server.url, { timeoutMs: 20, cancelOnDisconnect }).health().catch(({ remedy }) => remedy);
    expect(await remedyWith(false)).toContain('cancelOnDisconnect');
    expect(await remedyWith(true)).toBe('Allow more time by timeoutMs.');
    expect(await new HTTPActionClient(server.url, { timeoutMs: 20 }).ping()).toBe(false);
  });

  test('the caller does', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    await using server = await openServer(() => controller.abort(reason));
    const { signal } = controller;
    const client = new HTTPActionClient(server.url);
    await expect(client.call('FA_stat', { path: 'a' }, { signal })).rejects.toMatchObject({
      trouble: 'cancelled',
      type: 'CancelledException',
      cause: reason,
    });
    await expect(client.actions({ signal })).rejects.toMatchObject({ trouble: 'cancelled', cause: reason });
    expect(server.requests).toBe(1);
  });

  test('the time is over that the caller allows by a signal', async () => {
    const controller = new AbortController();
    const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    await using server = await openServer(() => controller.abort(reason));
    await expect(new HTTPActionClient(server.url).actions({ signal: controller.signal })).rejects.toMatchObject({
      type: 'TimeoutException',
      trouble: 'timeout',
      retryable: true,
      cause: reason,
    });
  });

  test('the caller does while it waits to try again', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    await using server = await openServer((request) => {
      request.socket.destroy();
      setImmediate(() => controller.abort(reason));
    });
    await expect(new HTTPActionClient(server.url, { retries: 9 }).actions({ signal: controller.signal })).rejects.toMatchObject({
      trouble: 'cancelled',
      cause: reason,
    });
  });
});

describe('takes for no answer of a server', () => {
  test.each<[string, RequestListener]>([
    ['a page', (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>hello')],
    ['another value', (_, response) => response.end('{"status":"ok"}')],
    ['nothing', (_, response) => response.end()],
    ['an error page', (_, response) => response.writeHead(502, { 'Content-Type': 'text/html' }).end('<p>bad gateway')],
    ['a broken problem', (_, response) => response.writeHead(500, { 'Content-Type': 'application/problem+json' }).end('{')],
    ['a list without results', (_, response) => response.end('{"run_id":"r","results":[]}')],
  ])('%s', async (_, listener) => {
    await using server = await openServer(listener);
    await expect(new HTTPActionClient(server.url).call('FA_stat', { path: 'a' })).rejects.toMatchObject({ trouble: 'malformed' });
  });
});

test('takes silence for no answer to a question', async () => {
  await using server = await openServer((_, response) => response.end());
  await expect(new HTTPActionClient(server.url).describe('FA_stat')).rejects.toMatchObject({ trouble: 'malformed' });
});

test('follows no redirect, so that a secret stays where it was sent', async () => {
  await using elsewhere = await breaking(0);
  await using server = await openServer((_, response) => response.writeHead(307, { Location: `${elsewhere.url}/actions` }).end());
  const client = new HTTPActionClient(server.url, { sharedSecret: 'secret' });
  await expect(client.call('FA_stat', { path: 'a' })).rejects.toMatchObject({ status: 307, trouble: 'malformed' });
  expect(elsewhere.requests).toBe(0);
});

test('sends what the call says to the path below the address', async () => {
  const met: unknown[] = [];
  await using server = await openServer(({ method, url, headers }, response) => {
    met.push([method, url, headers.authorization, headers['content-type'], headers['x-cancel-on-disconnect']]);
    response.end(RESULT);
  });
  const client = new HTTPActionClient(`${server.url}/behind/a/proxy?x#y`, { sharedSecret: 'secret', cancelOnDisconnect: true });
  await client.call('FA_stat', { path: 'a' });
  await client.health({ cancelOnDisconnect: false });
  expect(met).toEqual([
    ['POST', '/behind/a/proxy/actions', 'Bearer secret', 'application/json', 'true'],
    ['GET', '/behind/a/proxy/healthz', 'Bearer secret', undefined, undefined],
  ]);
});

test('speaks through another fetch where one is given', async () => {
  const asked: string[] = [];
  const client = new HTTPActionClient('http://nowhere.invalid', {
    fetch: async (address) => {
      asked.push(String(address));
      return new Response(RESULT);
    },
  });
  await client.call('FA_stat', { path: 'a' });
  expect(asked).toEqual(['http://nowhere.invalid/actions']);
});
