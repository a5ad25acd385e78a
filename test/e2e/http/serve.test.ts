import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { builtPackage } from '../cli/built.ts';

const BIN = join(builtPackage, 'dist', 'bin', 'factotum.cjs');
const SECRET = 'a-secret-with-enough-letters';

interface Serving {
  readonly process: ChildProcess;
  /** Addresses by protocol. */
  readonly urls: Readonly<Record<string, string>>;
  /** Stops it and answers its exit code and what it said on standard error. */
  stop(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly err: string }>;
}

let dir: TempDir;
const running = new Set<ChildProcess>();
beforeEach(() => {
  dir = tempDir({ 'a.txt': 'hello' });
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  dir[Symbol.dispose]();
});

const start = async (args: readonly string[], command = 'serve'): Promise<Serving> => {
  const child = spawn(process.execPath, [BIN, command, ...args], {
    cwd: dir.path,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_STATE_HOME: dir.at('.state') },
  });
  running.add(child);
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const urls: Record<string, string> = {};
  // The line to try is the last it says; a server without HTTP has none.
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /(?<=^Listening on )\S+/.exec(line) ?? [];
    if (url === undefined) break;
    urls[url.slice(0, url.indexOf(':'))] = url;
    if (command === 'server') break;
  }
  if (Object.keys(urls).length === 0) throw new Error(`Nothing was opened: ${err}`);
  return {
    process: child,
    urls,
    async stop(signal = 'SIGTERM') {
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = await ended;
      return { code, err };
    },
  };
};

const run = (program: string, args: readonly string[], input = '') => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', input, timeout: 20_000 });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
};

const LIST = '[["FA_read_file",{"file_path":"a.txt"}]]';

describe('factotum serve', { timeout: 180_000 }, () => {
  test('answers curl, nc and Python, and stops cleanly', async () => {
    const serving = await start(['--port', '0', '--tcp-port', '0']);
    const { http = '', tcp = '' } = serving.urls;
    const viaCurl = JSON.parse(run('curl', ['-s', `${http}/actions`, '-H', 'Content-Type: application/json', '-d', LIST]));
    expect(viaCurl).toMatchObject({ ok: true, results: [{ value: 'hello' }] });
    const { hostname, port } = new URL(tcp.replace('tcp', 'http'));
    expect(JSON.parse(run('nc', ['-q', '5', '-w', '5', hostname, port], LIST))).toMatchObject({ ok: true });
    const python = `
import http.client, json, sys
connection = http.client.HTTPConnection(sys.argv[1])
connection.request('POST', '/actions', sys.argv[2], {'Content-Type': 'application/json'})
answer = connection.getresponse()
print(answer.status, json.load(answer)['results'][0]['value'])`;
    expect(run('python3', ['-c', python, new URL(http).host, LIST])).toBe('200 hello\n');
    expect(run('curl', ['-s', `${http}/metrics`])).toMatch(/factotum_actions_total\{action="FA_read_file",status="ok"\} 3/);
    const { code, err } = await serving.stop();
    expect(code).toBe(0);
    expect(err).toContain('No secret is set');
  });

  test('lets a list that runs finish when it is told to stop, and takes no new one', async () => {
    const serving = await start(['--port', '0', '--no-tcp']);
    const { http = '' } = serving.urls;
    const sleeping = fetch(`${http}/actions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify([['FA_run_shell', { argv: ['sh', '-c', 'echo started > started; sleep 1; echo done'] }]]),
    });
    await expect.poll(() => run('ls', [dir.path]), { timeout: 10_000 }).toContain('started');
    const stopped = serving.stop();
    const answer = await sleeping;
    expect(await answer.json()).toMatchObject({ ok: true });
    expect((await stopped).code).toBe(0);
  });

  test('cuts a list short that would not end', async () => {
    const serving = await start(['--port', '0', '--no-tcp']);
    const { http = '' } = serving.urls;
    const sleeping = fetch(`${http}/actions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify([['FA_run_shell', { argv: ['sh', '-c', 'echo started > started; sleep 60'] }]]),
    });
    await expect.poll(() => run('ls', [dir.path]), { timeout: 10_000 }).toContain('started');
    const [{ code }, answer] = await Promise.all([serving.stop(), sleeping]);
    expect(await answer.json()).toMatchObject({ status: 'cancelled' });
    expect(code).toBe(0);
  });

  test('is what factotum.toml says: tokens with their limits, a secret from a file, other doors', async () => {
    writeFileSync(join(dir.path, 'owner'), `${SECRET}\n`, { mode: 0o600 });
    writeFileSync(
      join(dir.path, 'factotum.toml'),
      `[server]
shared_secret = "\${file:owner}"
[secrets]
file_root = "."
[http]
port = 0
[tcp]
enabled = false
[[tokens]]
name = "reader"
secret = "reader-with-enough-letters"
effects = ["reads"]
read_only_roots = ["."]
`,
      { mode: 0o600 },
    );
    const serving = await start([]);
    const { http = '', tcp } = serving.urls;
    expect(tcp).toBeUndefined();
    const post = async (secret: string, list: unknown) => {
      const answer = await fetch(`${http}/actions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
        body: JSON.stringify(list),
      });
      return { status: answer.status, body: (await answer.json()) as { ok?: boolean; results?: { error?: { type: string } }[] } };
    };
    const remove = [['FA_remove_file', ['a.txt']]];
    expect((await post('wrong', remove)).status).toBe(401);
    expect((await post('reader-with-enough-letters', remove)).status).toBe(403);
    expect((await post('reader-with-enough-letters', [['FA_stat', ['a.txt']]])).body.ok).toBe(true);
    expect((await post('reader-with-enough-letters', [['FA_stat', ['/etc/passwd']]])).body.results?.[0]?.error?.type).toBe(
      'PolicyException',
    );
    for (const own of ['owner', '.state/factotum/factotum.db']) {
      const { body } = await post('reader-with-enough-letters', [['FA_read_file', [own]]]);
      expect(body.results?.[0]?.error?.type, own).toBe('PolicyException');
    }
    expect((await post(SECRET, remove)).body.ok).toBe(true);
    const { err } = await serving.stop();
    expect(err).not.toContain(SECRET);
  });

  test('speaks HTTPS with a certificate, and refuses other machines without a secret', async () => {
    run('openssl', [
      ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost -keyout'.split(' '),
      join(dir.path, 'key.pem'),
      '-out',
      join(dir.path, 'cert.pem'),
    ]);
    writeFileSync(join(dir.path, 'factotum.toml'), '[http]\nport = 0\ntls_cert = "cert.pem"\ntls_key = "key.pem"\n');
    const serving = await start(['--no-tcp']);
    const { https = '' } = serving.urls;
    const status = await new Promise((resolve, reject) => {
      request(`${https}/healthz`, { rejectUnauthorized: false }, (answer) => resolve(answer.statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
    await serving.stop();
    const refused = spawnSync(process.execPath, [BIN, 'serve', '--host', '0.0.0.0', '--port', '0', '--allow-non-loopback'], {
      cwd: dir.path,
      encoding: 'utf8',
      timeout: 20_000,
      env: { ...process.env, XDG_STATE_HOME: dir.at('.state') },
    });
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain('no secret is set');
  });

  test('opens one door where one is asked for', async () => {
    const { urls, stop } = await start(['--port', '0', '--shared-secret', SECRET], 'server');
    expect(Object.keys(urls)).toEqual(['tcp']);
    const { hostname, port } = new URL((urls.tcp ?? '').replace('tcp', 'http'));
    const socket = connect(Number(port), hostname);
    socket.end(`AUTH ${SECRET}\n${LIST}`);
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(JSON.parse(text)).toMatchObject({ ok: true });
    expect((await stop('SIGINT')).code).toBe(0);
  });
});
