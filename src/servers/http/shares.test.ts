import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type HttpDoor, openHttpDoor } from '../../../test/support/http-door.ts';
import { waitingActions } from '../../../test/support/waiting-actions.ts';

const OWNERS = 'owner-0123456789abcdef';
const GUESTS = 'guest-0123456789abcdef';
const OTHERS = 'other-0123456789abcdef';
const service = (rules: { readonly maxInFlight?: number; readonly maxHeldBytes?: number }, limits = {}) => ({
  sharedSecret: OWNERS,
  tokens: [
    { name: 'guest', secret: GUESTS, ...rules },
    { name: 'other', secret: OTHERS },
  ],
  limits,
});

const post = (door: HttpDoor, secret: string, list: unknown) =>
  fetch(`${door.url}/actions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
    body: JSON.stringify(list),
  });
const ECHO = [['FA_t_echo', ['in']]];

/** Sends a request on a connection of its own; what comes back waits for a reader. */
const ask = (door: HttpDoor, secret: string, body: string, length = Buffer.byteLength(body)): Socket => {
  const { hostname, port, host } = new URL(door.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {}).pause();
  const head = ['POST /actions HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json', `Authorization: Bearer ${secret}`];
  socket.write(`${[...head, `Content-Length: ${length}`, '', ''].join('\r\n')}${body}`);
  return socket;
};

test('lists that wait use up nothing but the share of who sent them', async () => {
  await using door = await openHttpDoor({ service: service({ maxInFlight: 2 }) });
  const waiting = waitingActions();
  door.house.factotum.registry.registerMany(waiting.actions);
  const under = [post(door, GUESTS, [['FA_t_wait', ['a']]]), post(door, GUESTS, [['FA_t_wait', ['a']]])];
  await waiting.untilBegun(2);
  const refused = await post(door, GUESTS, ECHO);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await refused.json()).toMatchObject({
    type: expect.stringContaining('share-used-up'),
    detail: expect.stringContaining('raise max_in_flight'),
  });
  const ready = async (secret?: string) =>
    (await fetch(`${door.url}/readyz`, secret === undefined ? {} : { headers: { Authorization: `Bearer ${secret}` } })).json();
  const used_up = [{ caller: 'guest', limit: 'max_in_flight' }];
  for (const secret of [OWNERS, GUESTS]) expect(await ready(secret)).toMatchObject({ status: 'ready', full_shares: 1, used_up });
  for (const secret of [undefined, OTHERS, 'wrong']) expect(await ready(secret)).not.toHaveProperty('used_up');
  expect(await ready()).toMatchObject({ status: 'ready', full_shares: 1 });
  expect([(await post(door, OWNERS, ECHO)).status, (await post(door, OTHERS, ECHO)).status]).toEqual([200, 200]);
  waiting.release('a');
  expect((await Promise.all(under)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await post(door, GUESTS, ECHO)).status).toBe(200);
});

test('answers that nobody takes count until they are cut off', async () => {
  await using door = await openHttpDoor({ service: service({ maxInFlight: 2 }, { bodyIdleTimeoutS: 1 }) });
  door.house.factotum.registry.register('FA_t_large', () => 'x'.repeat(20_000_000));
  const unread = [ask(door, GUESTS, '[["FA_t_large"]]'), ask(door, GUESTS, '[["FA_t_large"]]')];
  await expect.poll(async () => (await post(door, GUESTS, ECHO)).status).toBe(429);
  expect((await post(door, OTHERS, ECHO)).status).toBe(200);
  await expect.poll(async () => (await post(door, GUESTS, ECHO)).status).toBe(200);
  for (const socket of unread) socket.destroy();
});

test('bodies that trickle in count by their bytes', async () => {
  await using door = await openHttpDoor({ service: service({ maxHeldBytes: 1_000 }) });
  const first = ask(door, GUESTS, `[["FA_t_echo",["${'x'.repeat(5_000)}`, 2_000_000);
  const ready = async () => (await fetch(`${door.url}/readyz`)).json();
  await expect.poll(ready).toMatchObject({ full_shares: 1 });
  expect([(await post(door, GUESTS, ECHO)).status, (await post(door, OTHERS, ECHO)).status]).toEqual([429, 200]);
  first.destroy();
  await expect.poll(async () => (await post(door, GUESTS, ECHO)).status).toBe(200);
});

test('a large answer comes whole', async () => {
  await using door = await openHttpDoor();
  const value = { texts: ['x'.repeat(3_000_000), '😀"\\'.repeat(500_000)], many: Array.from({ length: 50_000 }, (_, at) => at) };
  door.house.factotum.registry.register('FA_t_large', () => value);
  const answer = await post(door, OWNERS, [['FA_t_large']]);
  expect(await answer.json()).toMatchObject({ ok: true, results: [{ value }] });
});
