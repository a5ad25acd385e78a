import { once } from 'node:events';
import { utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { expect, test, vi } from 'vitest';
import { makeCertificates } from '../../../test/support/net/certificates.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { openCertificate } from './tls.ts';

/** The certificate that a server shows, by its fingerprint. */
const shownBy = async (port: number): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
};

test('a changed certificate is shown to whoever comes next, one that does not fit its key leaves the old one', async () => {
  using first = makeCertificates([]);
  using second = makeCertificates([]);
  using dir = tempDir({ 'cert.pem': first.cert, 'key.pem': first.key });
  const lines: string[] = [];
  const files = { cert: dir.at('cert.pem'), key: dir.at('key.pem') };
  const certificate = await openCertificate(files, (level, message) => lines.push(`${level}: ${message}`), { lookEveryMs: 20 });
  const server = createServer(certificate.pair).listen(0, '127.0.0.1');
  certificate.onChange((pair) => server.setSecureContext(pair));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens
  const old = await shownBy(port);

  // The system tells files apart by time and size, and both may be the same in so short a test.
  const write = (name: 'cert.pem' | 'key.pem', text: string, second: number) => {
    writeFileSync(dir.at(name), text);
    utimesSync(dir.at(name), second, second);
  };
  write('cert.pem', second.cert, 1_000_000);
  await expect.poll(() => lines).toContain('error: the new certificate cannot be used, the old one stays');
  expect(await shownBy(port)).toBe(old);
  write('key.pem', second.key, 2_000_000);
  await expect.poll(() => lines).toContain('info: the certificate was read again');
  expect(await shownBy(port)).not.toBe(old);

  certificate.close();
  server.close();
});

test('a pair that does not belong together opens no door', async () => {
  using first = makeCertificates([]);
  using second = makeCertificates([]);
  using dir = tempDir({ 'cert.pem': first.cert, 'key.pem': second.key });
  const opening = openCertificate({ cert: dir.at('cert.pem'), key: dir.at('key.pem') }, () => {});
  await expect(opening).rejects.toMatchObject({ type: 'ConfigException', message: expect.stringContaining('belong together') });
});

test('a certificate that is no longer good is used, with a warning', async () => {
  using files = makeCertificates([]);
  const lines: string[] = [];
  vi.setSystemTime(Date.now() + 30 * 86_400_000);
  const certificate = await openCertificate({ cert: files.dir.at('server.pem'), key: files.dir.at('server.key') }, (level, message) =>
    lines.push(`${level}: ${message}`),
  );
  vi.useRealTimers();
  certificate.close();
  expect(lines).toEqual([expect.stringMatching(/^warn: the certificate is good from .* to .*, so clients refuse it now/)]);
});
