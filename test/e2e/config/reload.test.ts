import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWebhook, type Webhook } from '../../support/net/webhook.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { binOf, builtPackage } from '../cli/built.ts';
import { clockAt, MOVED_CLOCK } from '../service/moved-clock.ts';

const OWNER = 'owner-with-enough-letters';
const READER = 'reader-with-enough-letters';
const WRITER = 'writer-with-enough-letters';
const SOON = { timeout: 20_000, interval: 50 };

let dir: TempDir;
let child: ChildProcess | undefined;
let said: string;
beforeEach(() => {
  dir = tempDir({ 'a.txt': 'hello' });
  said = '';
});
afterEach(() => {
  child?.kill('SIGKILL');
  dir[Symbol.dispose]();
});

const token = (name: string, secret: string, more = '') => `[[tokens]]
name = "${name}"
secret = "${secret}"
effects = ["reads"]
read_only_roots = ["."]
${more}
`;
const BASE = `[server]
shared_secret = "${OWNER}"
[http]
port = 0
[tcp]
port = 0
`;
const configure = (text: string) => writeFileSync(dir.at('factotum.toml'), text, { mode: 0o600 });

/** Starts the service and answers its addresses. */
const start = async (env: Readonly<Record<string, string>> = {}): Promise<{ readonly http: string; readonly tcp: string }> => {
  child = spawn(process.execPath, [binOf(builtPackage), 'serve'], {
    cwd: dir.path,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_STATE_HOME: dir.at('.state'), ...env },
  });
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const urls: string[] = [];
  if (child.stdout === null) throw new Error('it has an output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /(?<=^Listening on )\S+/.exec(line) ?? [];
    if (url === undefined) break;
    urls.push(url);
  }
  const [http = '', tcp = ''] = urls;
  if (tcp === '') throw new Error(`Not all was opened: ${said}`);
  return { http, tcp };
};

const post = async (http: string, secret: string, list: unknown = [['FA_read_file', ['a.txt']]]) => {
  const answer = await fetch(`${http}/actions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
    body: JSON.stringify(list),
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { readonly results: readonly { value?: unknown; error?: { type: string } }[] },
  };
};

/** One list over an open TCP connection; the answer is a line. */
const openTcp = async (url: string, secret: string) => {
  const { hostname, port } = new URL(url.replace('tcp', 'http'));
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  socket.write(`AUTH ${secret}\n`);
  return {
    async ask(list: unknown) {
      socket.write(JSON.stringify(list));
      return JSON.parse((await lines.next()).value);
    },
    close: () => socket.destroy(),
  };
};

const sink = (name: string, { url }: Webhook) => `[[notify.sinks]]
type = "webhook"
name = "${name}"
url = "${url}${name}"
allow_private_hosts = true
`;

describe('a service whose configuration changes', { timeout: 180_000 }, () => {
  test('refuses a token that is gone, at once and on connections that are open, and knows a new one', async () => {
    configure(BASE + token('reader', READER));
    const { http, tcp } = await start();
    const connection = await openTcp(tcp, READER);
    expect(await connection.ask([['FA_read_file', ['a.txt']]])).toMatchObject({ ok: true });
    expect((await post(http, READER)).status).toBe(200);
    expect((await post(http, WRITER)).status).toBe(401);

    configure(BASE + token('writer', WRITER));
    await expect.poll(async () => (await post(http, WRITER)).status, SOON).toBe(200);
    expect((await post(http, READER)).status).toBe(401);
    expect(await connection.ask([['FA_read_file', ['a.txt']]])).toMatchObject({ error: { type: 'TCPAuthException' } });
    connection.close();
    expect((await post(http, OWNER)).status).toBe(200);
  });

  test('does not open to everybody when the last secret goes', async () => {
    const doors = '[http]\nport = 0\n[tcp]\nport = 0\n';
    configure(doors + token('reader', READER));
    const { http } = await start();
    configure(doors);
    await expect.poll(async () => (await post(http, READER)).status, SOON).toBe(401);
    expect((await fetch(`${http}/actions`)).status).toBe(401);
    await expect.poll(() => said, SOON).toContain('nobody comes in');
  });

  test('takes over log, watchers and limits, forgets watchers that are gone, and says what needs a restart', async () => {
    configure(`${BASE}[log]\nlevel = "warn"\n`);
    const { http } = await start();
    mkdirSync(dir.at('in'));
    const watcher = `[[watchers]]
name = "copy"
path = "in"
settle_s = 0.1
debounce_s = 0.1
actions = [["FA_create_file", { file_path = "${dir.at('seen')}-\${event.kind}", content = "x" }]]
`;
    configure(`${BASE.replace('port = 0', 'port = 1')}[log]\nlevel = "info"\nformat = "json"\n[limits]\nbody_bytes = 200\n${watcher}`);
    await expect.poll(() => said, SOON).toContain('"message":"the configuration is taken over"');
    await expect.poll(() => said, SOON).toMatch(/"message":"some changes of the configuration need a restart","keys":\["http.port"\]/);
    const watchers = async () => (await post(http, OWNER, [['FA_watch_list']])).body.results[0]?.value;
    expect(await watchers()).toMatchObject([{ name: 'copy' }]);
    expect((await post(http, OWNER, [['FA_read_file', ['a'.repeat(300)]]])).status).toBe(413);
    writeFileSync(dir.at('in/new.txt'), 'new');
    await expect.poll(() => existsSync(dir.at('seen-created')), SOON).toBe(true);

    await post(http, OWNER, [['FA_watch_start', { name: 'mine', path: dir.at('in'), action_list: [] }]]);
    configure(BASE);
    await expect.poll(watchers, SOON).toMatchObject([{ name: 'mine' }]);
  });

  test('runs a schedule that appears', async () => {
    configure(BASE);
    dir.write('clock.cjs', MOVED_CLOCK);
    const minute = Math.ceil(Date.now() / 60_000) * 60_000;
    const { http } = await start(clockAt(minute - 8_000, dir.at('clock.cjs')));
    configure(`${BASE}[[schedules]]
name = "tick"
cron = "* * * * *"
actions = [["FA_create_file", { file_path = "${dir.at('ticked')}", content = "x" }]]
`);
    const jobs = async () => (await post(http, OWNER, [['FA_schedule_list']])).body.results[0]?.value;
    await expect.poll(jobs, SOON).toMatchObject([{ name: 'tick' }]);
    await expect.poll(() => existsSync(dir.at('ticked')), { timeout: 70_000, interval: 100 }).toBe(true);
  });

  test('says when it starts which secret of a sink is missing, and does not take over a file that misses one', async () => {
    const slack = '[[notify.sinks]]\ntype = "slack"\nname = "team"\nwebhook_url = "${env:NO_SUCH_HOOK}"\n';
    configure(BASE + slack);
    await start();
    await expect.poll(() => said, SOON).toContain('the variable NO_SUCH_HOOK is not set; set it');
    configure(BASE + slack.replace('NO_SUCH_HOOK', 'NOR_THIS_HOOK'));
    await expect.poll(() => said, SOON).toMatch(/the old one stays.*NOR_THIS_HOOK/);
  });

  test('keeps the old configuration when the file breaks, tells people once, and when it is mended', async () => {
    using receiver = await openWebhook();
    const whole = BASE + sink('team', receiver) + token('reader', READER);
    configure(whole);
    const { http } = await start();

    configure(`${BASE}[htp]\nport = 1\n`);
    await expect.poll(() => receiver.heard, SOON).toHaveLength(1);
    expect(receiver.heard[0]).toMatchObject({ subject: 'factotum: configuration failed', body: expect.stringContaining('htp') });
    expect((await post(http, READER)).status).toBe(200);

    configure(`${BASE}[htp]\nport = 1\n`.replace('htp', 'thp'));
    await expect.poll(() => receiver.heard, SOON).toHaveLength(2);
    configure(BASE + sink('other', receiver) + token('writer', WRITER));
    await expect.poll(() => receiver.heard, SOON).toHaveLength(3);
    expect(receiver.heard[2]).toMatchObject({ subject: 'factotum: configuration works again' });
    expect((await post(http, READER)).status).toBe(401);
    expect(said).not.toContain(OWNER);
  });

  test('is all or nothing: a schedule that cannot be leaves tokens, sinks and watchers as they were', async () => {
    configure(BASE + token('reader', READER));
    const { http } = await start();
    configure(`${BASE}${token('writer', WRITER)}[[schedules]]\nname = "never"\ncron = "0 0 31 2 *"\nactions = [["FA_list_dir"]]\n`);
    await expect.poll(() => said, SOON).toContain('the old one stays');
    expect((await post(http, WRITER)).status).toBe(401);
    expect((await post(http, READER)).status).toBe(200);
  });

  test('does not take over a list that could not run, says where it is wrong, and tells people', async () => {
    using receiver = await openWebhook();
    const whole = BASE + sink('team', receiver) + token('reader', READER);
    const nightly = (action: string) => `[[schedules]]\nname = "nightly"\ncron = "0 3 * * *"\nactions = [["${action}", ["a.txt"]]]\n`;
    configure(whole + nightly('FA_stat'));
    const { http } = await start();
    const jobs = async () => (await post(http, OWNER, [['FA_schedule_list']])).body.results[0]?.value;
    const broken = BASE + token('writer', WRITER) + nightly('FA_stat').replace('nightly', 'weekly') + nightly('FA_sttat');
    configure(broken);
    await expect.poll(() => receiver.heard, SOON).toHaveLength(1);
    const line = broken.slice(0, broken.indexOf('FA_sttat')).split('\n').length;
    expect(receiver.heard[0]).toMatchObject({
      subject: 'factotum: configuration failed',
      body: expect.stringContaining(`factotum.toml:${line}:12: schedules[1].actions: Command 0: no action is called "FA_sttat"`),
    });
    expect([(await post(http, WRITER)).status, (await post(http, READER)).status]).toEqual([401, 200]);
    expect(await jobs()).toMatchObject([{ name: 'nightly' }]);
  });

  test('reads its file again on SIGHUP and for FA_config_apply by the owner', async () => {
    using receiver = await openWebhook();
    configure(BASE + token('reader', READER));
    const { http } = await start();
    child?.kill('SIGHUP');
    await expect.poll(() => said, SOON).toContain('the configuration is taken over');
    configure(BASE + sink('team', receiver) + token('reader', READER, 'allow = ["FA_*"]'));
    const { body } = await post(http, OWNER, [['FA_config_apply', ['factotum.toml']], ['FA_notify_list']]);
    expect(body.results).toMatchObject([{ value: 1 }, { value: [{ name: 'team' }] }]);
    const other = await post(http, OWNER, [['FA_config_apply', ['a.txt']]]);
    expect(other.body.results).toMatchObject([
      { error: { type: 'ConfigException', message: expect.stringContaining('is configured by') } },
    ]);
    configure(`${BASE}[htp]\n`);
    const broken = await post(http, OWNER, [['FA_config_apply', ['factotum.toml']]]);
    expect(broken.body.results).toMatchObject([{ error: { type: 'ConfigException' } }]);
    expect((await post(http, READER, [['FA_config_apply', ['factotum.toml']]])).status).toBe(403);
  });

  test('lets no token change its file', async () => {
    configure(`${BASE}[[tokens]]\nname = "writer"\nsecret = "${WRITER}"\nroots = ["."]\n`);
    const { http } = await start();
    const { body } = await post(http, WRITER, [
      ['FA_create_file', [dir.at('factotum.toml'), '']],
      ['FA_create_file', [dir.at('b.txt'), 'mine']],
    ]);
    expect(body.results).toMatchObject([{ error: { type: 'PolicyException' } }, { status: 'ok' }]);
  });
});
