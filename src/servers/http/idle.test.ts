import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIdleConnections } from './idle.ts';

const MAX_IDLE_S = 10;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A server whose answers the test sends, and one connection to it. */
const openRoom = async () => {
  const idle = createIdleConnections(MAX_IDLE_S);
  const waiting: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    idle.asked(request.socket, response);
    waiting.push(response);
    server.emit('asked');
  });
  const served: Socket[] = [];
  server.on('connection', (socket: Socket) => served.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // it listens
  const client = connect(port, '127.0.0.1').resume();
  return {
    idle,
    client,
    isOpen: () => served[0]?.destroyed === false,
    socket: () => served[0] ?? expect.unreachable(),
    async ask() {
      const asked = once(server, 'asked');
      client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await asked;
    },
    async answer() {
      const response = waiting.shift() ?? expect.unreachable();
      const finished = once(response, 'finish');
      response.end('done');
      await finished;
    },
    async [Symbol.asyncDispose]() {
      idle.close();
      client.destroy();
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
};

const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);

test('a connection is closed when nothing was asked for too long after an answer', async () => {
  await using room = await openRoom();
  await room.ask();
  await room.answer();
  pass(MAX_IDLE_S);
  expect(room.isOpen()).toBe(true);
  pass(3);
  expect(room.isOpen()).toBe(false);
  await new Promise((resolve) => room.client.once('close', resolve));
});

test('one whose answer is still under way stays, and has all its time afterwards', async () => {
  await using room = await openRoom();
  await room.ask();
  pass(20 * MAX_IDLE_S);
  await room.answer();
  pass(MAX_IDLE_S);
  expect(room.isOpen()).toBe(true);
  pass(3);
  expect(room.isOpen()).toBe(false);
});

test('one that asks again and again stays', async () => {
  await using room = await openRoom();
  for (let times = 0; times < 5; times += 1) {
    await room.ask();
    await room.answer();
    pass(MAX_IDLE_S - 1);
  }
  expect(room.isOpen()).toBe(true);
});

test('one that has begun to ask is not cut off for the time before', async () => {
  await using room = await openRoom();
  await room.ask();
  await room.answer();
  pass(MAX_IDLE_S);
  const before = room.socket().bytesRead;
  room.client.write('GET / HT');
  await expect.poll(() => room.socket().bytesRead).toBeGreaterThan(before);
  pass(MAX_IDLE_S - 1);
  expect(room.isOpen()).toBe(true);
});

test('one that speaks something else now is not looked after any more', async () => {
  await using room = await openRoom();
  await room.ask();
  await room.answer();
  room.idle.forget(room.socket());
  pass(20 * MAX_IDLE_S);
  expect(room.isOpen()).toBe(true);
});

test('nothing ticks where nobody is', async () => {
  await using room = await openRoom();
  await room.ask();
  await room.answer();
  expect(vi.getTimerCount()).toBe(1);
  const closed = new Promise((resolve) => room.socket().once('close', resolve));
  room.client.destroy();
  await closed;
  pass(2);
  expect(vi.getTimerCount()).toBe(0);
});
