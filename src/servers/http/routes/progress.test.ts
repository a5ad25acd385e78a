import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type HttpDoor, openHttpDoor } from '../../../../test/support/http-door.ts';

afterEach(() => void vi.useRealTimers());

const PING = 0x9;
const PONG = 0xa;

/** A frame as a client sends it, under a mask that changes nothing. */
const frame = (opcode: number, length: number): Buffer =>
  Buffer.concat([Buffer.of(0x80 | opcode, 0x80 | length, 0, 0, 0, 0), Buffer.alloc(length, 'a')]);

/** A follower that takes nothing of what it is told. */
const followDeaf = ({ url }: HttpDoor): { readonly socket: Socket; readonly gone: Promise<unknown>; isGone(): boolean } => {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').pause();
  socket.on('error', () => {}); // told by its end
  const gone = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `GET /progress HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  return { socket, gone, isGone: () => socket.destroyed };
};

test('a follower that asks whether we live is answered with its own words', async () => {
  await using door = await openHttpDoor();
  const follower = new WebSocket(`${door.url.replace('http', 'ws')}/progress`);
  const heard = new Promise<string>((resolve, reject) => follower.once('pong', (data) => resolve(String(data))).once('error', reject));
  follower.once('open', () => follower.ping('still there?'));
  expect(await heard).toBe('still there?');
  follower.terminate();
});

test('one that asks again and again and takes no answer is let go', async () => {
  await using door = await openHttpDoor();
  const { socket, gone, isGone } = followDeaf(door);
  const many = Buffer.concat(Array.from({ length: 500 }, () => frame(PING, 125)));
  while (!isGone()) if (!socket.write(many)) await Promise.race([gone, new Promise((resolve) => socket.once('drain', resolve))]);
});

test('one that takes nothing of what it is told is let go in the end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await using door = await openHttpDoor();
  for (let at = 0; at < 2_000; at += 1) door.house.factotum.progress.create(`work ${at}`, { unit: 'bytes' });
  const { socket, isGone } = followDeaf(door);
  while (!isGone()) {
    vi.advanceTimersByTime(15_000);
    socket.write(frame(PONG, 1)); // tells us when nobody takes it any more
    await new Promise(setImmediate);
  }
});
