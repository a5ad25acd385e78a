import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { OWNER } from '../../access/caller.ts';
import { createGate } from '../../access/gate.ts';
import { createMetrics } from '../../services/metrics/metrics.ts';
import { openHttpServer } from '../http/listener.ts';
import { DEFAULT_LIMITS as limits } from '../limits.ts';
import type { OpenDoor } from '../open-door.ts';
import { createTurnstile } from '../turnstile.ts';
import { metricsRoute } from './metrics-route.ts';

const SECRET = 'tok-0123456789abcdef';
const house = openHouse();
const { gateway, masker, log, registry } = house.factotum;
masker.learn(SECRET);
const caller = { ...OWNER, remote: true };
const gate = createGate({ credentials: [{ secret: SECRET, caller }], stranger: caller });
const doorway = { gateway, masker, log, gate, turnstile: createTurnstile(limits), limits };
const metrics = createMetrics({ registry, limits: async () => [], inFlight: () => 0 });
metrics.meters.queueDepth(`queue ${SECRET}`, 1);

const open = (host: string) =>
  openHttpServer({ doorway, routes: [metricsRoute({ metrics, masker, host })], host, port: 0, allowNonLoopback: true });
const doors = new Map<string, OpenDoor>();
beforeAll(async () => {
  for (const host of ['127.0.0.1', '0.0.0.0']) doors.set(host, await open(host));
});
afterAll(async () => {
  for (const door of doors.values()) await door.close();
  await house[Symbol.asyncDispose]();
});

const ask = (host: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  new Promise<{ status: number | undefined; type: string | undefined; text: string }>((resolve, reject) => {
    const { port } = doors.get(host) ?? expect.fail();
    const outgoing = request({ host: '127.0.0.1', port, path: '/metrics', method, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode, type: incoming.headers['content-type'], text }));
    });
    outgoing.on('error', reject).end();
  });

describe('GET /metrics', () => {
  test('needs no secret on loopback and shows none', async () => {
    const { status, type, text } = await ask('127.0.0.1');
    expect({ status, type }).toEqual({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
    expect(text).toContain('\nfactotum_runs_in_flight 0\n');
    expect(text).toContain('queue="queue ***"');
    expect(text.endsWith('\n')).toBe(true);
  });

  test('needs the secret elsewhere', async () => {
    expect((await ask('0.0.0.0')).status).toBe(401);
    expect((await ask('0.0.0.0', { Authorization: `Bearer ${SECRET}` })).status).toBe(200);
  });

  test.each([
    ['a page of another site', { Origin: 'http://evil.test' }],
    ['a name that leads to us', { Host: 'evil.test' }],
    ['what a browser marks as foreign', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('refuses %s', async (_, headers) => expect((await ask('127.0.0.1', headers)).status).toBe(403));

  test('takes no other method', async () => expect((await ask('127.0.0.1', {}, 'POST')).status).toBe(405));
});
