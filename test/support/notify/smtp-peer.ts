import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Certificates } from '../net/certificates.ts';

/** A mail as the server took it. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly tls: boolean;
  readonly user: string | null;
  /** Headers and body. */
  readonly text: string;
}

/** A mail server on this machine. */
export interface SmtpPeer extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly Mail[];
}

// Debian's own interpreter: another one that stands earlier on the path does not see the package.
const PYTHON = '/usr/bin/python3';

/** Whether the real mail server is there. */
export const hasSmtpPeer = spawnSync(PYTHON, ['-c', 'import aiosmtpd']).status === 0;

/** Starts a mail server; `ops` with `hunter2-hunter2` may log in where TLS is spoken. */
export const openSmtpPeer = async (certificates: Certificates, kind: 'starttls' | 'implicit' | 'plain'): Promise<SmtpPeer> => {
  const script = fileURLToPath(new URL('./smtp-server.py', import.meta.url));
  const server: ChildProcess = spawn(PYTHON, [script, certificates.dir.at('server.pem'), certificates.dir.at('server.key'), kind], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const mails: Mail[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    server.once('exit', () => reject(new Error('The mail server did not start.')));
    // The pipe was asked for above.
    createInterface({ input: server.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const told: { readonly port: number } | Mail = JSON.parse(line);
      if ('port' in told) resolve(told.port);
      else mails.push(told);
    });
  });
  return {
    port,
    mails,
    async [Symbol.asyncDispose]() {
      const gone = new Promise((done) => server.once('exit', done));
      server.kill();
      await gone;
    },
  };
};
