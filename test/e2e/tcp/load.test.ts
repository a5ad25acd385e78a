import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { connectTo } from '../../support/tcp-door.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { openDoor } from './door.ts';

const MIB = 2 ** 20;

test('of three hundred connections 256 stay, the others are closed at once, and the door lives', async () => {
  using dir = tempDir();
  const door = await openDoor(dir.path);
  const open = new Set<Socket>();
  await Promise.all(
    Array.from({ length: 300 }, async () => {
      const socket = connect(door.port, '127.0.0.1');
      socket.on('error', () => {}); // those turned away may be reset
      await once(socket, 'connect');
      open.add(socket);
      socket.once('close', () => open.delete(socket)).resume();
    }),
  );
  while (open.size > 256) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(open.size).toBe(256);
  for (const socket of open) socket.destroy();
  // Those who left make room; until the door has noticed, a newcomer is turned away.
  let answer: unknown;
  while (answer === undefined) {
    using client = connectTo(door.port);
    client.socket.on('error', () => {});
    client.socket.end('[]');
    answer = await client.next();
  }
  expect(answer).toMatchObject({ status: 'ok' });
  expect((await door.close()).code).toBe(0);
});

test('clients that send without end take little memory, and others are served meanwhile', async () => {
  using dir = tempDir();
  const idle = await openDoor(dir.path);
  const atRest = await idle.close();

  const door = await openDoor(dir.path);
  const bombs = ['['.repeat(MIB), `["${'a'.repeat(9 * MIB)}`, ' '.repeat(MIB), `["${'\\'.repeat(9 * MIB)}`].map((bomb) => {
    const socket = connect(door.port, '127.0.0.1', () => socket.write(bomb));
    return socket.on('error', () => {}).resume();
  });
  for (let list = 0; list < 100; list += 1) {
    using client = connectTo(door.port);
    client.socket.end('[["FA_list_dir"]]');
    expect(await client.rest()).toMatchObject([{ status: 'ok' }]);
  }
  for (const bomb of bombs) bomb.destroy();
  const { code, maxRssBytes, cpuMs } = await door.close();
  expect(code).toBe(0);
  expect(maxRssBytes - atRest.maxRssBytes).toBeLessThan(128 * MIB);
  // All of it together, so nobody has waited longer for the others than that.
  expect(cpuMs - atRest.cpuMs).toBeLessThan(2_000);
});
