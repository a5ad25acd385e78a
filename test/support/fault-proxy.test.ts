import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type FaultKind, openFaultProxy, randomFault } from './fault-proxy.ts';
import { seeded } from './seeded.ts';

/** A server that sends back what it gets, and ends when the client does. */
const openEcho = async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const client = (port: number) => {
  const socket = connect(port, '127.0.0.1');
  const got: Buffer[] = [];
  const errors: string[] = [];
  socket.on('data', (chunk: Buffer) => got.push(chunk)).on('error', (fault: NodeJS.ErrnoException) => errors.push(fault.code ?? ''));
  return { socket, errors, text: () => Buffer.concat(got).toString() };
};

describe('a line with faults', () => {
  test('passes everything on while no fault is armed', async () => {
    await using echo = await openEcho();
    await using proxy = await openFaultProxy(echo.port);
    const { socket, text } = client(proxy.port);
    socket.end('x'.repeat(500_000));
    await once(socket, 'close');
    expect([text().length, proxy.passed('to-server'), proxy.hasStruck, proxy.connections]).toEqual([500_000, 500_000, false, 1]);
  });

  test.each(['cut', 'reset', 'half-close', 'slow', 'stall'] satisfies FaultKind[])(
    '%s strikes behind exactly so many bytes',
    async (kind) => {
      await using echo = await openEcho();
      await using proxy = await openFaultProxy(echo.port);
      proxy.arm({ kind, direction: 'to-client', atByte: 300 });
      const { socket, errors, text } = client(proxy.port);
      socket.write('y'.repeat(1000));
      if (kind === 'stall') await expect.poll(() => proxy.hasStruck && text().length).toBe(300);
      else if (kind === 'slow') await expect.poll(() => text().length).toBe(1000);
      else await new Promise((resolve) => socket.once(kind === 'half-close' ? 'end' : 'close', resolve));
      expect(proxy.hasStruck).toBe(true);
      // A reset throws away what the other side has not read yet.
      if (kind === 'reset') expect(text().length).toBeLessThanOrEqual(300);
      else expect(text().length).toBe(kind === 'slow' ? 1000 : 300);
      if (kind !== 'reset') expect(errors).toEqual([]); // some systems tell of a reset as of an end
      socket.destroy();
    },
  );

  test('strikes once: the next connection is a good one', async () => {
    await using echo = await openEcho();
    await using proxy = await openFaultProxy(echo.port);
    proxy.arm({ kind: 'cut', direction: 'to-server', atByte: 0 });
    const first = client(proxy.port);
    first.socket.write('lost');
    await once(first.socket, 'close');
    const second = client(proxy.port);
    second.socket.end('kept');
    await once(second.socket, 'close');
    expect([first.text(), second.text()]).toEqual(['', 'kept']);
  });

  test('faults of a seed are the same every time', () => {
    const some = (seed: number) => {
      const random = seeded(seed);
      return Array.from({ length: 20 }, () => randomFault(random, { 'to-server': 1000, 'to-client': 50 }));
    };
    expect(some(1)).toEqual(some(1));
    expect(some(1)).not.toEqual(some(2));
    expect(new Set(some(3).map(({ kind }) => kind)).size).toBe(5);
  });
});
