import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openHttpDoor } from '../../test/support/http-door.ts';
import { HTTPActionClient, type SocketEvent } from './index.ts';

const SECRET = 'secret-0123456789abcdef';

test('tells how far work is: at once and after each change', async () => {
  await using door = await openHttpDoor({ service: { sharedSecret: SECRET } });
  const { progress } = door.house.factotum;
  const work = progress.create('copy', { total: 10 });
  const client = new HTTPActionClient(door.url, { sharedSecret: SECRET, WebSocket });
  const seen: number[] = [];
  for await (const [snapshot] of client.followProgress()) {
    seen.push(snapshot?.transferred ?? Number.NaN);
    if (snapshot?.status === 'done') break;
    work.advance(5);
    if (seen.length === 2) work.finish('done');
  }
  expect(seen).toEqual([0, 5, 10]);
});

test('ends when the server does', async () => {
  const door = await openHttpDoor();
  const states = new HTTPActionClient(door.url, { WebSocket }).followProgress();
  expect(await states.next()).toEqual({ value: [], done: false });
  const [last] = await Promise.all([states.next(), door[Symbol.asyncDispose]()]);
  expect(last).toEqual({ value: undefined, done: true });
});

test('ends with the reason of the caller', async () => {
  await using door = await openHttpDoor();
  const controller = new AbortController();
  const { signal } = controller;
  const client = new HTTPActionClient(door.url, { WebSocket });
  const states = client.followProgress({ signal });
  await states.next();
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(states.next()).rejects.toMatchObject({ trouble: 'cancelled', cause: reason });
  await expect(client.followProgress({ signal }).next()).rejects.toMatchObject({ trouble: 'cancelled', cause: reason });
});

test('gives the newest state to whoever is late, and ends at a message that is none', async () => {
  const listeners = new Map<string, (event: SocketEvent) => void>();
  /** A socket whose messages come when the test says so. */
  class TestSocket {
    addEventListener(type: string, listener: (event: SocketEvent) => void) {
      listeners.set(type, listener);
    }
    close() {}
  }
  const tell = (name: string) => listeners.get('message')?.({ type: 'message', data: JSON.stringify({ progress: [{ name }] }) });
  const states = new HTTPActionClient('http://127.0.0.1:9', { WebSocket: TestSocket }).followProgress();
  const first = states.next();
  tell('one');
  expect(await first).toMatchObject({ value: [{ name: 'one' }] });
  tell('two');
  tell('three');
  expect(await states.next()).toMatchObject({ value: [{ name: 'three' }] });
  listeners.get('message')?.({ type: 'message', data: 'no JSON' });
  await expect(states.next()).rejects.toMatchObject({ trouble: 'unreachable' });
});

test.each([
  ['a wrong secret', { sharedSecret: 'wrong' }],
  ['no secret', {}],
])('is refused with %s', async (_, options) => {
  await using door = await openHttpDoor({ service: { sharedSecret: SECRET } });
  await expect(new HTTPActionClient(door.url, { ...options, WebSocket }).followProgress().next()).rejects.toMatchObject({
    type: 'HTTPActionClientException',
    message: expect.stringContaining('401'),
  });
});

test('says what is missing where there is no WebSocket', async () => {
  const given = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket');
  Reflect.deleteProperty(globalThis, 'WebSocket');
  try {
    await expect(new HTTPActionClient('http://127.0.0.1:9').followProgress().next()).rejects.toMatchObject({
      message: expect.stringContaining('Node has one from version 22 on'),
    });
  } finally {
    if (given !== undefined) Object.defineProperty(globalThis, 'WebSocket', given);
  }
});

test('sends the secret among the protocols where headers cannot be sent', async () => {
  const asked: unknown[] = [];
  /** Takes what the WebSocket of a browser takes. */
  class BrowserSocket {
    constructor(_url: string, protocols?: unknown) {
      if (!Array.isArray(protocols)) throw new SyntaxError('bad subprotocol');
      asked.push(...protocols);
    }
    addEventListener(type: string, listener: (event: SocketEvent) => void) {
      if (type === 'close') queueMicrotask(() => listener({ type, code: 1000 }));
    }
    close() {}
  }
  await new HTTPActionClient('http://127.0.0.1:9', { sharedSecret: 'a?>b', WebSocket: BrowserSocket }).followProgress().next();
  expect(asked).toEqual(['factotum', `factotum.token.${Buffer.from('a?>b').toString('base64url')}`]);
});
