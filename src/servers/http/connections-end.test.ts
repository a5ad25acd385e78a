import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openHttpDoor } from '../../../test/support/http-door.ts';
import { makeCertificates } from '../../../test/support/net/certificates.ts';

/** Sends bytes and keeps its side open; what was heard until the server let the connection go altogether. */
const stayOn = async (port: number, bytes: string): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.on('error', () => {}); // what we send to a connection that is gone comes back
  socket.write(bytes);
  const knock = setInterval(() => socket.write('x'), 50);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(knock);
  return heard;
};

const portOf = ({ url }: { readonly url: string }): number => Number(new URL(url).port);

const asking = (port: number, line: string, ...more: readonly string[]) => [line, `Host: 127.0.0.1:${port}`, ...more, '', ''].join('\r\n');
const UPGRADE = ['Connection: Upgrade', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];

test.each<[string, string, readonly string[], number]>([
  ['another protocol', 'GET /actions HTTP/1.1', ['Connection: Upgrade', 'Upgrade: h2c'], 400],
  ['an old WebSocket', 'GET /progress HTTP/1.1', [...UPGRADE, 'Upgrade: websocket', 'Sec-WebSocket-Version: 8'], 426],
  ['a way through', 'CONNECT example.com:80 HTTP/1.1', [], 405],
  ['nothing that can be read', 'no request', [], 400],
])('a client that asked for %s and stays is let go', async (_, line, headers, status) => {
  await using door = await openHttpDoor();
  expect(await stayOn(portOf(door), asking(portOf(door), line, ...headers))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test.each(['', 'GET / HTTP/1.1\r\n\r\n'])('so is one that does not speak TLS where it is spoken: %j', async (bytes) => {
  using files = makeCertificates([]);
  const tls = { cert: files.dir.at('server.pem'), key: files.dir.at('server.key') };
  await using door = await openHttpDoor({ service: { http: { tls }, limits: { headersTimeoutS: 0.2 } } });
  const socket = connect({ port: portOf(door), host: '127.0.0.1', allowHalfOpen: true });
  if (bytes !== '') socket.write(bytes);
  socket.resume();
  await once(socket, 'end');
  socket.destroy();
});
