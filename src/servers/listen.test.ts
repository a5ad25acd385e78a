import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { asOrdinaryUser } from '../../test/support/ordinary-user.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { listen } from './listen.ts';

const place = { host: '127.0.0.1', port: 0 };

test('tells where it listens', async () => {
  const server = createServer();
  const { port, address } = await listen(server, place);
  expect([address, port > 0]).toEqual(['127.0.0.1', true]);
  server.close();
});

test('a port that is taken is a matter of the configuration, with what to do', async () => {
  const first = createServer();
  const { port } = await listen(first, place);
  await expect(listen(createServer(), { ...place, port })).rejects.toMatchObject({
    type: 'ConfigException',
    message: `Nothing can listen on port ${port} of 127.0.0.1: another program does; stop that one or choose another port.`,
    context: { host: '127.0.0.1', port, code: 'EADDRINUSE' },
  });
  first.close();
});

test('so is an address of another machine', async () => {
  await expect(listen(createServer(), { host: '192.0.2.1', port: 0 })).rejects.toMatchObject({
    type: 'ConfigException',
    message: expect.stringContaining('does not have that address'),
  });
});

/** Ports below this are the superuser's. */
const firstOfAll = (): number => {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  } catch {
    return 0; // a system with another rule
  }
};

test.skipIf(firstOfAll() <= 81)('so is a port that only the superuser may have (needs a system that keeps some)', async () => {
  using dir = tempDir();
  await asOrdinaryUser(dir.path, () =>
    expect(listen(createServer(), { ...place, port: 81 })).rejects.toMatchObject({
      type: 'ConfigException',
      message: 'Nothing can listen on port 81 of 127.0.0.1: the system does not let this user; choose a port above 1023.',
      context: { port: 81, code: 'EACCES' },
    }),
  );
});
