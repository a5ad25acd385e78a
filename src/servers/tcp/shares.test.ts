import { once } from 'node:events';
import { expect, test } from 'vitest';
import { connectTo, type LineClient, openTcpHouse } from '../../../test/support/tcp-door.ts';
import type { Credential } from '../../access/gate.ts';
import { createPolicy, type PolicyRules } from '../../access/policy.ts';

const OWNERS = 'owner-0123456789abcdef';
const guest = (name: string, rules: PolicyRules = {}): Credential => ({
  secret: `${name}-0123456789abcdef`,
  caller: { name, remote: true, policy: createPolicy(rules) },
});

const enter = (port: number, secret: string, bytes = '[["FA_t_echo",["in"]]]'): LineClient => {
  const client = connectTo(port);
  client.socket.on('error', () => {}); // one that is turned away may notice while it writes
  client.socket.write(`AUTH ${secret}\n${bytes}`);
  return client;
};
const answerOf = async (client: LineClient): Promise<unknown> => {
  const line = (await client.next()) as { results?: { value: unknown }[]; error?: { type: string; context: unknown } } | undefined;
  return line?.error ?? line?.results?.[0]?.value;
};
const SHARE = { type: 'RateLimitExceededException', context: { reason: 'share', retry_after_s: 1 } };

test('whoever shows no secret makes room at once, the longest there first', async () => {
  await using tcp = await openTcpHouse({ secret: OWNERS, limits: { tcpConnections: 3 } });
  const silent = Array.from({ length: 3 }, () => connectTo(tcp.door.port));
  await Promise.all(silent.map(({ socket }) => once(socket, 'connect')));
  using known = enter(tcp.door.port, OWNERS);
  expect(await answerOf(known)).toBe('in');
  expect(await silent[0]?.rest()).toEqual([]);
  for (const client of silent) client[Symbol.dispose]();
});

test('lists that trickle in use up nothing but the share of who sends them', async () => {
  const trickling = guest('guest', { maxInFlight: 4 });
  const other = guest('other');
  await using tcp = await openTcpHouse({ secret: OWNERS, credentials: [trickling, other], limits: { tcpConnections: 16 } });
  const halves = Array.from({ length: 4 }, () => enter(tcp.door.port, trickling.secret, '[["FA_t_echo",["in"]]][["FA_t_'));
  for (const half of halves) expect(await answerOf(half)).toBe('in');
  using tooMany = enter(tcp.door.port, trickling.secret);
  expect(await answerOf(tooMany)).toMatchObject(SHARE);
  for (const secret of [OWNERS, other.secret]) {
    using client = enter(tcp.door.port, secret);
    expect(await answerOf(client)).toBe('in');
  }
  for (const half of halves) half[Symbol.dispose]();
});

test('callers with limits together leave the owner room', async () => {
  const guests = ['a', 'b', 'c'].map((name) => guest(name, { maxInFlight: 3 }));
  await using tcp = await openTcpHouse({ secret: OWNERS, credentials: guests, limits: { tcpConnections: 8 } });
  const clients = guests.flatMap(({ secret }) => Array.from({ length: 3 }, () => enter(tcp.door.port, secret, '[["FA_t_echo",["in"]]][')));
  const answers = await Promise.all(clients.slice(0, 7).map(answerOf));
  expect(answers).toEqual(answers.map(() => 'in'));
  using owner = enter(tcp.door.port, OWNERS);
  expect(await answerOf(owner)).toBe('in');
  for (const client of clients) client[Symbol.dispose]();
});

test('what has come of lists is counted until they are whole', async () => {
  const sending = guest('guest', { maxHeldBytes: 1_000_000 });
  await using tcp = await openTcpHouse({ secret: OWNERS, credentials: [sending] });
  using first = enter(tcp.door.port, sending.secret, `[["FA_t_echo",["in"]]][["FA_t_echo",["${'x'.repeat(900_000)}`);
  expect(await answerOf(first)).toBe('in');
  const hasRoom = () => {
    const isHeld = tcp.turnstile.hold(sending.caller, 300_000);
    if (isHeld) tcp.turnstile.release(sending.caller, 300_000);
    return isHeld;
  };
  await expect.poll(hasRoom).toBe(false);
  using second = enter(tcp.door.port, sending.secret, `[["FA_t_echo",["${'x'.repeat(400_000)}`);
  expect(await answerOf(second)).toMatchObject(SHARE);
  first.socket.write('"]]]');
  expect(await answerOf(first)).toHaveLength(900_000);
  expect(hasRoom()).toBe(true);
});

test('a large answer comes whole, and holds its place until it is taken', async () => {
  await using tcp = await openTcpHouse();
  const value = { texts: ['x'.repeat(3_000_000), '😀"\\'.repeat(500_000)], many: Array.from({ length: 50_000 }, (_, at) => at) };
  using client = connectTo(tcp.door.port);
  tcp.house.factotum.registry.register('FA_t_large', () => value);
  client.socket.pause();
  client.socket.write('[["FA_t_large"]][["FA_t_echo",["next"]]]');
  await expect.poll(() => tcp.turnstile.inFlight).toBe(1);
  expect(await answerOf(client)).toEqual(value);
  expect(await answerOf(client)).toBe('next');
  expect(tcp.turnstile.inFlight).toBe(0);
});
