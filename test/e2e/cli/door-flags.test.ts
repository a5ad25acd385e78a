import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { startFactotum } from './built.ts';

// Every flag of every command that opens doors acts, also where the configuration says the opposite.

const SECRET = 'a-secret-that-is-long-enough';
/** On this machine alone metrics are for everybody. */
const ELSEWHERE = ['--host', '0.0.0.0', '--port', '0', '--allow-non-loopback'];
const DOORS = [
  { name: 'serve', section: 'http', scheme: 'http', more: ['--no-tcp'] },
  { name: 'http-server', section: 'http', scheme: 'http', more: [] },
  { name: 'server', section: 'tcp', scheme: 'tcp', more: [] },
  { name: 'metrics', section: 'metrics', scheme: 'http', more: [] },
] as const;
type Door = (typeof DOORS)[number];

interface Opened extends AsyncDisposable {
  readonly urls: readonly URL[];
  complaints(): string;
}

/** Starts the command and reads where it listens. */
const open = async (dir: TempDir, { name, more }: Door, ...flags: readonly string[]): Promise<Opened> => {
  const child = startFactotum([name, ...more, ...flags], dir.path, { XDG_STATE_HOME: dir.at('.state') });
  const ended = once(child, 'exit');
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const urls: URL[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Listening on (\S+)$/.exec(line) ?? [];
    if (url === undefined) break;
    urls.push(new URL(url));
    if (url.startsWith('tcp:')) break; // it says nothing more
  }
  if (urls.length === 0) throw new Error(`It opened no door: ${complaints}`);
  return {
    urls,
    complaints: () => complaints,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

/** A port that nobody has right now. */
const freePort = async (host: string): Promise<number> => {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  server.close();
  await once(server, 'close');
  return port;
};

const onlyUrl = ({ urls }: Opened): URL => {
  expect(urls).toHaveLength(1);
  return urls[0] as URL; // there is one
};

/** Whether a caller gets in. */
const admits = async ({ section }: Door, { port, protocol }: URL, secret?: string): Promise<boolean> => {
  if (protocol === 'http:') {
    const address = `http://127.0.0.1:${port}/${section === 'metrics' ? 'metrics' : 'actions'}`;
    const { status } = await fetch(address, {
      headers: secret === undefined ? {} : { Authorization: `Bearer ${secret}` },
    });
    expect([200, 401]).toContain(status);
    return status === 200;
  }
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(`${secret === undefined ? '' : `AUTH ${secret}\n`}[["FA_list_actions"]]`);
  return (await text(socket)).includes('"ok":true');
};

describe.each(DOORS)('factotum $name', (door) => {
  test('listens where --host and --port say, though the configuration has the door closed and elsewhere', async () => {
    using dir = tempDir({ 'factotum.toml': `[${door.section}]\nenabled = false\nhost = "127.0.0.3"\nport = 1\n` });
    const port = await freePort('127.0.0.2');
    await using opened = await open(dir, door, '--host', '127.0.0.2', '--port', String(port));
    expect(onlyUrl(opened).href.replace(/\/$/, '')).toBe(`${door.scheme}://127.0.0.2:${port}`);
  });

  test('listens where the file of --config says', async () => {
    using dir = tempDir({ 'own.toml': `[${door.section}]\nhost = "127.0.0.2"\nport = 0\n` });
    await using opened = await open(dir, door, '--config', 'own.toml');
    expect(onlyUrl(opened).hostname).toBe('127.0.0.2');
  });

  test.each(['--shared-secret', '--secret-file'])(
    'lets in whoever knows the secret of %s, though the configuration has another',
    async (flag) => {
      using dir = tempDir({ 'factotum.toml': `[${door.section}]\nshared_secret = "another-secret-that-is-long"\n`, secret: `${SECRET}\n` });
      await using opened = await open(dir, door, ...ELSEWHERE, flag, flag === '--secret-file' ? 'secret' : SECRET);
      const url = onlyUrl(opened);
      expect([await admits(door, url), await admits(door, url, 'another-secret-that-is-long'), await admits(door, url, SECRET)]).toEqual([
        false,
        false,
        true,
      ]);
      expect(opened.complaints()).not.toContain('No secret is set');
      expect(opened.complaints().includes('can read the secret after --shared-secret')).toBe(flag === '--shared-secret');
    },
  );

  test('is reachable from elsewhere with --allow-non-loopback and a secret', async () => {
    using dir = tempDir({ 'factotum.toml': `[${door.section}]\nallow_non_loopback = false\n` });
    await using opened = await open(dir, door, ...ELSEWHERE, '--shared-secret', SECRET);
    expect(onlyUrl(opened).hostname).toBe('0.0.0.0');
  });

  test('without a secret only with --insecure-no-auth', async () => {
    using dir = tempDir();
    await expect(open(dir, door, ...ELSEWHERE)).rejects.toThrow('secret');
    await using opened = await open(dir, door, ...ELSEWHERE, '--insecure-no-auth');
    expect(onlyUrl(opened).hostname).toBe('0.0.0.0');
  });
});
