import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TempDir, tempDir } from '../temp-dir.ts';

/** A certificate authority of one test and a server certificate for some names. */
export interface Certificates extends Disposable {
  readonly dir: TempDir;
  /** The authority, as PEM. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Makes certificates for these names and for 127.0.0.1. */
export const makeCertificates = (names: readonly string[]): Certificates => {
  const dir = tempDir();
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir.path, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...newKey, '-subj', '/CN=test authority', '-keyout', 'ca.key', '-out', 'ca.pem');
  openssl('req', ...newKey.slice(0, -2), '-subj', '/CN=test server', '-keyout', 'server.key', '-out', 'server.csr');
  const alternatives = ['IP:127.0.0.1', ...names.map((name) => `DNS:${name}`)].join(',');
  writeFileSync(dir.at('server.ext'), `subjectAltName=${alternatives}\nextendedKeyUsage=serverAuth\n`);
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'server.ext'];
  openssl('x509', '-req', '-in', 'server.csr', ...signing, '-out', 'server.pem');
  const read = (name: string) => readFileSync(dir.at(name), 'utf8');
  return {
    dir,
    ca: read('ca.pem'),
    cert: read('server.pem'),
    key: read('server.key'),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
};
