import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../../../src/servers/http/openapi/paths.ts';
import { openRunsDoor, type RunsDoor } from '../../support/runs-door.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** What answers without a secret; everything else is closed. */
const OPEN = ['GET /healthz', 'GET /metrics', 'GET /openapi.json', 'GET /readyz'];

/** Every route that is described, and those of MCP, which describe themselves. */
const ROUTES = [
  ...Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations as object).map((method) => `${method.toUpperCase()} ${path}`),
  ),
  ...['POST', 'GET', 'DELETE'].map((method) => `${method} /mcp`),
];

const room = tempDir();
let door: RunsDoor;
beforeAll(async () => {
  door = await openRunsDoor({
    service: {
      sharedSecret: 'the-secret-of-the-owner',
      limits: { wrongSecretsPerMinute: 1_000 },
      metrics: true,
      mcp: { roots: [room.path] },
    },
  });
});
afterAll(async () => {
  await door[Symbol.asyncDispose]();
  room[Symbol.dispose]();
});

const statusOf = (route: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const [method = '', path = ''] = route.replace('{name}', 'FA_stat').replace('{id}', '0').split(' ');
    const { hostname, port } = new URL(door.url);
    const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const asking = request({ hostname, port, method, path, headers: { ...json, ...headers }, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asking.on('upgrade', (answer) => resolve(answer.statusCode ?? 0));
    asking.on('error', reject);
    asking.end(method === 'POST' ? '[["FA_t_touch"]]' : '');
  });

const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

describe('a stranger gets nothing', () => {
  test('all routes are looked at', () => {
    expect(ROUTES).toEqual(
      expect.arrayContaining([...OPEN, 'POST /actions', 'GET /progress', 'POST /runs/{id}/undo', 'GET /runs/{id}/events']),
    );
  });

  test.each(ROUTES)('%s: without a secret and with a wrong one', async (route) => {
    for (const headers of [{}, { Authorization: 'Bearer wrong' }, { Authorization: 'Basic d3Jvbmc6' }, { Cookie: 'secret=x' }]) {
      const status = await statusOf(route, headers);
      if (OPEN.includes(route)) expect(status).toBe(200);
      else expect(status, JSON.stringify(headers)).toBe(401);
    }
    expect(door.house.touched).toBe(0);
  });

  test.each(ROUTES)('%s: under a foreign name, or from a page of another site, not even with the secret', async (route) => {
    const secret = { Authorization: 'Bearer the-secret-of-the-owner' };
    for (const headers of [{ Host: 'evil.example' }, { Origin: 'http://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      expect(await statusOf(route, { ...secret, ...headers }), JSON.stringify(headers)).toBe(403);
      expect(await statusOf(route, { ...secret, ...headers, ...UPGRADE }), JSON.stringify(headers)).toBe(403);
    }
    expect(door.house.touched).toBe(0);
  });

  test('nor by becoming a WebSocket', async () => {
    expect(await statusOf('GET /progress', UPGRADE)).toBe(401);
    expect(await statusOf('GET /progress', { ...UPGRADE, Authorization: 'Bearer wrong' })).toBe(401);
    expect(await statusOf('GET /progress', { ...UPGRADE, Authorization: 'Bearer the-secret-of-the-owner' })).toBe(101);
  });
});
