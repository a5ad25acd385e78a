import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openHouse, type TestHouse } from '../../../test/support/house.ts';
import { openService, type Service } from '../../app/serve/serve.ts';

const TOKEN = 'tok-0123456789abcdef';
const READER = 'reader-0123456789abcdef';

interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

/** Sends one request with exactly these headers. */
const ask = (
  service: Service,
  path: string,
  { method = 'GET', body = '', headers = {} }: { method?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: service.door('http').port, path, method, headers, agent: false }, (incoming) => {
      const told = (body: string) =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: body === '' ? {} : JSON.parse(body) });
      text(incoming).then(told, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

const as = (secret: string) => ({ Authorization: `Bearer ${secret}` });

describe('the HTTP door', () => {
  let house: TestHouse;
  let service: Service;
  beforeAll(async () => {
    house = openHouse({ env: { TOK: 'tok-of-the-environment' }, files: { 'a.txt': 'hello' } });
    service = await openService(house.factotum, {
      http: { port: 0 },
      sharedSecret: TOKEN,
      tokens: [{ name: 'reader', secret: READER, effects: ['reads'], readOnly: [house.dir.path] }],
    });
  });
  afterAll(async () => {
    await service.close();
    await house[Symbol.asyncDispose]();
  });
  const post = (body: string, secret = TOKEN, headers: Record<string, string> = {}) =>
    ask(service, '/actions', { method: 'POST', body, headers: { ...as(secret), ...headers } });

  /** Everything that comes back on a connection of its own. */
  const say = (...parts: readonly string[]): Promise<string> => {
    const socket = connect(service.door('http').port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part);
    });
    socket.setNoDelay(true);
    return text(socket);
  };
  const listOf = (body: string, further = '') =>
    `POST /actions HTTP/1.1\r\nHost: 127.0.0.1:${service.door('http').port}\r\nAuthorization: Bearer ${TOKEN}\r\n${further}Content-Length: ${body.length}\r\n\r\n${body}`;

  /** A last request, after which the connection ends. */
  const bye = (port: number) => `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;

  test('answers HEAD with a head and nothing after it', async () => {
    const answer = await say(`HEAD /actions HTTP/1.1\r\nHost: 127.0.0.1:${service.door('http').port}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/\r\n\r\n$/);
  });

  test('answers lists that come at once in their order, each whole', async () => {
    const lists = [1, 2, 3].map((value) => listOf(`[["FA_t_echo",{"value":${value}}]]`, value === 3 ? 'Connection: close\r\n' : ''));
    const answers = (await say(lists.join(''))).split(/(?=HTTP\/1\.1 )/);
    expect(answers).toHaveLength(3);
    for (const [at, answer] of answers.entries()) {
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(JSON.parse(body)).toMatchObject({ results: [{ value: at + 1 }] });
      expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(body.length);
    }
  });

  test('answers in letters of more than one byte, and long answers, to the byte', async () => {
    for (const value of ['grün', '🙂', 'ÿ', 'x'.repeat(20_000), `${'x'.repeat(20_000)}é`]) {
      const { headers, body } = await post(JSON.stringify([['FA_t_echo', { value }]]));
      expect(body).toMatchObject({ results: [{ value }] });
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(JSON.stringify(body)));
    }
  });

  test('short and long answers have the same headers, and both keep the connection', async () => {
    const port = service.door('http').port;
    const heads = await Promise.all(
      [1, 20_000].map(async (length) => {
        const answers = await say(listOf(`[["FA_t_echo",{"value":"${'x'.repeat(length)}"}]]`) + bye(port));
        return (answers.split('\r\n\r\n')[0] ?? '')
          .split('\r\n')
          .map((line) => line.replace(/^(date|x-run-id|x-request-id|content-length): .*/i, '$1'));
      }),
    );
    expect(heads[0]?.sort()).toEqual(heads[1]?.sort());
    expect(heads[0]).toContain('Keep-Alive: timeout=65');
  });

  test('tells the time', async () => {
    const { headers } = await post('[["FA_t_echo",{"value":1}]]');
    expect(Math.abs(Date.parse(String(headers.date)) - Date.now())).toBeLessThan(60_000);
  });

  test('answers a list with its result and the ids of run and request, also when a command fails', async () => {
    const { status, headers, body } = await post('[["FA_t_echo",{"value":1}],["FA_no_such"]]', TOKEN, { 'X-Request-Id': 'mine-1' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'failed', counts: { ok: 1, failed: 1 } });
    expect(headers).toMatchObject({ 'x-run-id': body.run_id, 'x-request-id': 'mine-1', 'cache-control': 'no-store' });
  });

  test('shows no secret of the environment to a network caller', async () => {
    expect((await post('[["FA_t_echo",{"value":"${env:TOK}"}]]')).body).toMatchObject({ results: [{ value: '***' }] });
  });

  test.each([
    ['what is no JSON', '[', 400],
    ['what is no list', '5', 400],
    ['an invalid list under validate_first', '{"actions":[["FA_t_touch"],["FA_x"]],"validate_first":true}', 422],
    ['a circle', '{"nodes":[{"id":"a","action":["FA_t_touch"],"depends_on":["a"]}]}', 422],
    ['a changed plan', '{"actions":[["FA_t_touch"]],"expect_plan":"00"}', 409],
  ])('refuses %s as a problem, running nothing', async (_, body, status) => {
    const before = house.touched;
    const answer = await post(body);
    expect(answer).toMatchObject({
      status,
      body: { status, type: expect.stringMatching(/^urn:factotum:error:/), detail: expect.any(String) },
    });
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(house.touched).toBe(before);
  });

  test('holds a token to its effects and roots', async () => {
    expect((await post('[["FA_stat",{"path":"a.txt"}]]', READER)).body).toMatchObject({ ok: true });
    expect(await post('[["FA_stat",{"path":"a.txt"}],["FA_remove_file",{"file_path":"a.txt"}]]', READER)).toMatchObject({
      status: 403,
      body: { error: { type: 'ActionNotPermittedException' } },
    });
    expect((await post('[["FA_stat",{"path":"/etc/hostname"}]]', READER)).body).toMatchObject({
      results: [{ error: { type: 'PolicyException' } }],
    });
  });

  test('describes what the caller may run, from the definitions', async () => {
    const { body } = await ask(service, '/actions', { headers: as(READER) });
    const names = (body.actions as { name: string }[]).map(({ name }) => name);
    expect(names).toContain('FA_stat');
    expect(names).not.toContain('FA_remove_file');
    expect((await ask(service, '/actions/FA_stat', { headers: as(READER) })).body).toMatchObject({
      name: 'FA_stat',
      arguments: { type: 'object', properties: { path: {} } },
      effects: ['reads'],
    });
    expect((await ask(service, '/actions/FA_remove_file', { headers: as(READER) })).status).toBe(404);
    expect((await ask(service, '/actions/FA_no_such', { headers: as(READER) })).status).toBe(404);
  });

  test('tells that it lives and is ready, to everybody', async () => {
    expect(await ask(service, '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await ask(service, '/readyz')).toMatchObject({ status: 200, body: { status: 'ready', actions: house.factotum.registry.size } });
  });

  test('tells progress over a WebSocket: at once, and when something changes', async () => {
    const follower = new WebSocket(`ws://127.0.0.1:${service.door('http').port}/progress`, { headers: as(TOKEN) });
    const messages: string[] = [];
    const heard = (pattern: RegExp) =>
      new Promise<void>((resolve) => {
        const look = () => messages.some((text) => pattern.test(text)) && resolve();
        follower.on('message', look);
        look();
      });
    follower.on('message', (data) => messages.push(String(data)));
    await heard(/^\{"progress":\[/);
    const work = house.factotum.progress.create('copying', { total: 10 });
    work.advance(5);
    await heard(/"name":"copying".*"transferred":5/);
    work.finish('done');
    await heard(/"status":"done"/);
    follower.close();
  });

  test('lets nobody follow progress who may not list it', async () => {
    const follower = new WebSocket(`ws://127.0.0.1:${service.door('http').port}/progress`, { headers: as('nobody-knows-this') });
    const status = await new Promise((resolve) => follower.on('unexpected-response', (_, response) => resolve(response.statusCode)));
    expect(status).toBe(401);
  });
});

test('a client that goes away cancels only what it asked to cancel', async () => {
  await using house = openHouse();
  const stopped: string[] = [];
  const started: (() => void)[] = [];
  house.factotum.registry.register('FA_t_wait', {
    name: 'FA_t_wait',
    summary: 'Waits until it is stopped or let go.',
    args: {},
    returns: { schema: {}, expected: 'anything', accepts: () => true },
    examples: [],
    run: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          stopped.push('stopped');
          resolve(null);
        });
        started.shift()?.();
      }),
  });
  await using service = await openService(house.factotum, { http: { port: 0 }, drainMs: 0 });
  const leave = async (headers: Record<string, string>) => {
    const running = new Promise<void>((resolve) => started.push(resolve));
    const outgoing = request({ port: service.door('http').port, host: '127.0.0.1', path: '/actions', method: 'POST', headers });
    outgoing.on('error', () => {});
    outgoing.end('[["FA_t_wait"]]');
    await running;
    outgoing.destroy();
  };
  await leave({ 'X-Cancel-On-Disconnect': 'true' });
  await expect.poll(() => stopped).toEqual(['stopped']);
  await leave({});
  expect((await ask(service, '/healthz')).status).toBe(200);
  expect(stopped).toEqual(['stopped']);
});

test('a body that comes byte by byte is the same list', async () => {
  await using house = openHouse();
  await using service = await openService(house.factotum, { http: { port: 0 } });
  const { port } = service.door('http');
  const body = `[["FA_t_echo",{"value":"${'é'.repeat(40_000)}"}]]`;
  const answer = await new Promise<Record<string, unknown>>((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: '/actions', method: 'POST' }, async (incoming) => {
      resolve(JSON.parse(await text(incoming)));
    });
    outgoing.on('error', reject);
    const bytes = Buffer.from(body);
    for (let at = 0; at < 200; at += 1) outgoing.write(bytes.subarray(at, at + 1));
    outgoing.end(bytes.subarray(200));
  });
  expect(answer).toMatchObject({ ok: true, results: [{ value: 'é'.repeat(40_000) }] });
});

describe('a door with limits', () => {
  test('answers 503 when too many lists are under way, and 429 to a caller that asks too often', async () => {
    await using house = openHouse();
    await using service = await openService(house.factotum, { http: { port: 0 }, limits: { inFlight: 0 } });
    const busy = await ask(service, '/actions', { method: 'POST', body: '[]' });
    expect(busy).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    await using limited = await openService(house.factotum, { http: { port: 0 }, limits: { requestsPerMinute: 2 } });
    const statuses = [];
    for (let at = 0; at < 3; at += 1) statuses.push((await ask(limited, '/actions', { method: 'POST', body: '[]' })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('is not ready without actions', async () => {
    await using house = openHouse();
    for (const name of house.factotum.registry.names()) house.factotum.registry.unregister(name);
    await using service = await openService(house.factotum, { http: { port: 0 } });
    expect(await ask(service, '/readyz')).toMatchObject({ status: 503, body: { status: 'not_ready', reason: 'registry empty' } });
  });
});

test.each(['owner', 'mcp', 'anonymous'])('no token may be called %s', async (name) => {
  await using house = openHouse();
  const tokens = [{ name, secret: READER }];
  await expect(openService(house.factotum, { http: { port: 0 }, tokens })).rejects.toMatchObject({ type: 'ConfigException' });
});

describe('an address that others can reach', () => {
  const everywhere = { host: '0.0.0.0', port: 0 };
  test('is refused unless it was allowed', async () => {
    await using house = openHouse();
    await expect(openService(house.factotum, { http: everywhere })).rejects.toMatchObject({ type: 'BindRefusedException' });
  });

  test('needs a secret where the command line opens it, and a loud warning where a program does', async () => {
    await using house = openHouse();
    const http = { ...everywhere, allowNonLoopback: true };
    await expect(openService(house.factotum, { http, demandSecret: true })).rejects.toMatchObject({ type: 'BindRefusedException' });
    await using _service = await openService(house.factotum, { http });
    expect(house.lines.join()).toContain('may run every action');
  });
});

test('pages of a site that was let in by name may call and read, others may not', async () => {
  await using house = openHouse();
  await using service = await openService(house.factotum, {
    http: { port: 0, corsOrigins: ['https://tools.example'] },
    sharedSecret: TOKEN,
  });
  const preflight = (Origin: string) =>
    ask(service, '/actions', {
      method: 'OPTIONS',
      headers: {
        Origin,
        'Sec-Fetch-Site': 'cross-site',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
  expect(await preflight('https://tools.example')).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': 'https://tools.example',
      'access-control-allow-headers': expect.stringContaining('Authorization'),
    },
  });
  expect((await preflight('https://evil.example')).status).toBe(403);
  const called = await ask(service, '/actions', {
    method: 'POST',
    body: '[["FA_t_touch"]]',
    headers: { ...as(TOKEN), Origin: 'https://tools.example', 'Sec-Fetch-Site': 'cross-site' },
  });
  expect(called).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': 'https://tools.example' } });
});
