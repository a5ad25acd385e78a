import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { type TempDir, tempDir } from './temp-dir.ts';

/** Real servers that storage is tried against, and the programs that each needs. Their set-up is in `test/peers`. */
const PROGRAMS = {
  sshd: ['sshd', 'ssh-keygen'],
  proftpd: ['proftpd', 'ftpasswd', 'curl'],
  vsftpd: ['apt-get', 'dpkg', 'curl'],
  'apache-dav': ['apache2', 'curl'],
  nginx: ['nginx', 'curl'],
  samba: ['smbd', 'smbclient'],
  'ceph-rgw': ['radosgw', 'ceph-mon', 'ceph-osd', 'curl'],
  azurite: ['curl'],
} as const;

export type PeerName = keyof typeof PROGRAMS;

/** A server of one test file. */
export interface Peer extends AsyncDisposable {
  readonly port: number;
  /** Its files: keys, certificates (`ca.pem`), what it serves. */
  readonly dir: TempDir;
  readonly user: string;
  readonly password: string;
}

const USER = 'fapeer';
const PASSWORD = 'fapeer-pw';

/** Why a server cannot be started here; undefined where it can. */
export const whyNoPeer = (name: PeerName): string | undefined => {
  if (process.getuid?.() !== 0) return `${name} needs root`;
  if (name === 'azurite' && process.env.FACTOTUM_TEST_AZURITE === undefined) return 'azurite is not installed; npm test does that';
  const missing = PROGRAMS[name].filter(
    (program) => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin command -v ${program}`], { stdio: 'ignore' }).status !== 0,
  );
  return missing.length === 0 ? undefined : `${missing.join(', ')} missing`;
};

/** Starts a server in a variant of it (see its `prepare`); it ends with the block that holds it. */
export const startPeer = async (name: PeerName, variant = ''): Promise<Peer> => {
  const dir = tempDir();
  const port = await freePorts();
  const env = {
    ...process.env,
    PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
    PEER_OPT: variant,
    PEER_USER: USER,
    PEER_PASS: PASSWORD,
    ...(name === 'azurite' && { AZURITE: process.env.FACTOTUM_TEST_AZURITE }),
  };
  const stop = async (): Promise<void> => {
    const pid = Number(dir.read('pid') ?? 0);
    if (pid > 0) await ended(pid);
    dir[Symbol.dispose]();
  };
  const { code, printed } = await run('sh', [join(process.cwd(), 'test/peers/up.sh'), name, dir.path, String(port)], env);
  if (code !== 0) {
    const log = `${printed}\n${dir.read('prepare.log') ?? ''}\n${dir.read('out.log') ?? ''}`;
    await stop();
    throw new Error(`${name} did not start:\n${log.slice(-2000)}`);
  }
  return { port, dir, user: USER, password: PASSWORD, [Symbol.asyncDispose]: stop };
};

/** Tests that need a server: run against it, or skipped with the reason in their name; then nothing of them is even begun. */
export const describePeer = (name: PeerName, variant: string, tests: (open: () => Promise<Peer>) => void | Promise<void>): void => {
  const why = whyNoPeer(name);
  const title = `against ${name}${variant === '' ? '' : ` (${variant})`}`;
  if (why === undefined) describe(title, () => tests(() => startPeer(name, variant)));
  else test.skip(`${title}: ${why}`, () => {});
};

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ code: number | null; printed: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.once('error', reject).once('exit', (code) => resolve({ code, printed })); // `close` waits for the server, which inherits nothing but may
  });

/** A block of 20 ports of which the first two are free: data connections of FTP take the others. */
const freePorts = async (): Promise<number> => {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = 20_000 + Math.floor(Math.random() * 600) * 20;
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error('No free ports between 20000 and 32000.');
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** Ends a server and everything that it started: it leads a group of its own. */
const ended = async (pid: number): Promise<void> => {
  const isThere = (): boolean => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2] !== 'Z';
    } catch {
      return false;
    }
  };
  const send = (signal: NodeJS.Signals) => {
    try {
      process.kill(-pid, signal);
    } catch {
      // it is gone already
    }
  };
  send('SIGTERM');
  for (let waited = 0; isThere() && waited < 40; waited += 1) await new Promise((resolve) => setTimeout(resolve, 25));
  send('SIGKILL');
};
