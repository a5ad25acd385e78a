import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { initialize, openHost, STATELESS_META } from '../../support/mcp-host.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { binOf, builtPackage, factotum } from '../cli/built.ts';
import { startServed } from '../service/served.ts';

const start = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(process.execPath, [binOf(builtPackage), 'mcp', ...args], {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, host: openHost(child.stdin, child.stdout), errors: text(child.stderr) };
};

const exitCode = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
};

const OLDER = ['2024-11-05', '2025-06-18', '2025-11-25'] as const;

describe('the built server over real pipes', () => {
  test.each(OLDER)('serves a host of revision %s from start to end', async (revision) => {
    using dir = tempDir({ 'a.txt': 'hello\n' });
    const { child, host, errors } = start([], dir.path);
    const hello = await initialize(host, revision);
    expect(hello.result).toMatchObject({ protocolVersion: revision, serverInfo: { name: 'factotum' } });
    expect((await host.request('tools/list')).result.tools).toHaveLength(12);
    const read = await host.request('tools/call', { name: 'FA_read_file', arguments: { file_path: 'a.txt' } });
    expect(read.result).toMatchObject({ content: [{ type: 'text', text: 'hello\n' }], structuredContent: { value: 'hello\n' } });
    const refused = await host.request('tools/call', { name: 'FA_read_file', arguments: { file_path: '/etc/passwd' } });
    expect(refused.result.isError).toBe(true);
    child.stdin.end();
    expect(await exitCode(child)).toBe(0);
    expect(host.noise).toEqual([]);
    expect(await errors).toContain('PolicyException'); // the log goes to standard error
  });

  test('records what an assistant does, so that its owner can take it back, also beside a service', async () => {
    using dir = tempDir({ 'w/a.txt': 'hello\n' });
    const env = { XDG_STATE_HOME: dir.at('state') };
    const { child, host } = start(['--toolset', 'files'], dir.at('w'), env);
    await initialize(host, '2025-11-25');
    const call = async (name: string, args: object) => (await host.request('tools/call', { name, arguments: args })).result;
    await Promise.all([
      call('FA_remove_file', { file_path: 'a.txt' }),
      call('FA_create_file', { file_path: 'b.txt', content: '1' }),
      call('factotum_plan', { request: [['FA_remove_file', ['b.txt']]] }),
    ]);
    const at = { cwd: dir.at('w'), env };
    const runs = () => JSON.parse(factotum(['runs', '--json'], at).out) as { run_id: string; source: string; state: string }[];
    // Before the host has left: it may be killed at any time.
    expect(runs().map(({ source, state }) => [source, state])).toEqual([
      ['mcp', 'ok'],
      ['mcp', 'ok'],
    ]);
    await using served = startServed({ cwd: dir.at('w'), state: dir.at('state') });
    const url = await served.url;
    const { result } = await host.request('tools/call', { name: 'FA_remove_file', arguments: { file_path: 'b.txt' } });
    expect(result.isError).not.toBe(true);
    const seen = async () => ((await (await fetch(`${url}/runs`)).json()) as { runs: { source: string }[] }).runs.length;
    expect(await seen()).toBe(3);
    for (const { run_id } of runs()) expect(factotum(['undo', run_id], at).code).toBe(0);
    expect([dir.read('w/a.txt'), dir.read('w/b.txt')]).toEqual(['hello\n', undefined]);
    child.stdin.end();
    expect(await exitCode(child)).toBe(0);
    expect(await served.stop('SIGTERM')).toBe(0);
  });

  test('records nothing where the configuration keeps no history', async () => {
    using dir = tempDir({ 'w/factotum.toml': '[store]\nhistory = false\n', 'w/a.txt': 'hello\n' });
    const env = { XDG_STATE_HOME: dir.at('state') };
    const { child, host } = start(['--toolset', 'files'], dir.at('w'), env);
    await initialize(host, '2025-11-25');
    await host.request('tools/call', { name: 'FA_remove_file', arguments: { file_path: 'a.txt' } });
    child.stdin.end();
    expect(await exitCode(child)).toBe(0);
    expect(factotum(['runs'], { cwd: dir.at('w'), env }).out).toBe('There are no such runs.\n');
  });

  test('keeps a host away from state and secrets that lie in its root', async () => {
    using dir = tempDir({
      'a.txt': 'the word',
      '.state/factotum/factotum.db': 'the word',
      'factotum.toml': '[server]\nshared_secret = "the word of the owner"\n',
    });
    const { child, host } = start([], dir.path, { XDG_STATE_HOME: dir.at('.state') });
    await initialize(host, '2025-11-25');
    for (const file_path of ['.state/factotum/factotum.db', 'factotum.toml']) {
      const { result } = await host.request('tools/call', { name: 'FA_read_file', arguments: { file_path } });
      expect(result.content[0].text, file_path).toContain('PolicyException');
    }
    const { result } = await host.request('tools/call', { name: 'FA_grep', arguments: { root: '.', pattern: 'the word' } });
    expect(JSON.stringify(result.structuredContent).match(/the word/g)).toHaveLength(1);
    child.stdin.end();
    expect(await exitCode(child)).toBe(0);
  });

  test('keeps to the limits and defaults of the configuration', async () => {
    using dir = tempDir({
      'a.txt': 'hello\n',
      'factotum.toml':
        '[limits]\ncommands = 2\n[defaults]\nvalidate_first = true\n[defaults.actions.FA_create_file.quota]\nmax_bytes = 3\n',
    });
    const { child, host } = start([], dir.path);
    await initialize(host, '2025-11-25');
    const run = async (...actions: readonly unknown[]) => {
      const { result } = await host.request('tools/call', { name: 'factotum_run', arguments: { actions } });
      return result.content[0].text;
    };
    const stat = ['FA_stat', { path: 'a.txt' }];
    expect(await run(stat, stat)).toContain('"ok":2');
    expect(await run(stat, stat, stat)).toContain('JsonActionException');
    expect(await run(stat, ['FA_no_such'])).toContain('ValidationException');
    expect(await run(['FA_create_file', { file_path: 'b.txt', content: 'four' }])).toContain('QuotaExceededException');
    child.stdin.end();
    expect(await exitCode(child)).toBe(0);
  });

  test('serves a host of the stateless revision 2026-07-28', async () => {
    using dir = tempDir({ 'a.txt': 'hello\n' });
    const { child, host } = start([], dir.path);
    expect((await host.request('server/discover', { _meta: STATELESS_META })).result.supportedVersions).toEqual(['2026-07-28']);
    expect((await host.request('tools/list', { _meta: STATELESS_META })).result.tools).toHaveLength(12);
    const read = await host.request('tools/call', { name: 'FA_read_file', arguments: { file_path: 'a.txt' }, _meta: STATELESS_META });
    expect(read.result.structuredContent).toEqual({ value: 'hello\n' });
    child.stdin.end();
    expect(await exitCode(child)).toBe(0);
    expect(host.noise).toEqual([]);
  });

  test('tells progress and stops what is cancelled', async () => {
    using dir = tempDir({ 'big.bin': Buffer.alloc(64 << 20, 7) });
    const { host } = start(['--toolset', 'sync,archive'], dir.path);
    await initialize(host, '2025-11-25');
    const pack = { name: 'FA_zip_file', arguments: { zip_file_path: 'big.zip', file: 'big.bin' }, _meta: { progressToken: 'p' } };
    const packed = await host.request('tools/call', pack);
    expect(packed.result.isError).toBeUndefined();
    const told = host.messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);
    expect(told.every(({ progressToken }) => progressToken === 'p')).toBe(true);
    expect(told.at(-1)).toMatchObject({ progress: 64 << 20, total: 64 << 20 });
    const list = Array.from({ length: 200 }, () => ['FA_file_checksum', { file_path: 'big.bin' }]);
    host.send({ id: 'long', method: 'tools/call', params: { name: 'factotum_run', arguments: { actions: list } } });
    host.send({ method: 'notifications/cancelled', params: { requestId: 'long' } });
    expect((await host.request('ping')).result).toEqual({});
    expect(host.messages.some(({ id }) => id === 'long')).toBe(false);
  });

  test('ends with its host, whatever runs', async () => {
    using dir = tempDir({ 'big.bin': Buffer.alloc(64 << 20, 7) });
    const { child, host } = start(['--toolset', 'sync'], dir.path);
    await initialize(host, '2025-11-25');
    const list = Array.from({ length: 2_000 }, () => ['FA_file_checksum', { file_path: 'big.bin' }]);
    host.send({ id: 'long', method: 'tools/call', params: { name: 'factotum_run', arguments: { actions: list } } });
    await host.request('ping');
    child.stdin.end();
    expect(await exitCode(child)).toBe(0);
  });

  test('ends at a signal', async () => {
    using dir = tempDir();
    const { child, host } = start([], dir.path);
    await initialize(host, '2025-11-25');
    child.kill('SIGTERM');
    expect(await exitCode(child)).toBe(0);
  });

  test('ends when nobody reads its answers any more', async () => {
    using dir = tempDir();
    const { child, host } = start([], dir.path);
    await initialize(host, '2025-11-25');
    child.stdout.destroy();
    host.send({ id: 'last', method: 'tools/list' });
    expect(await exitCode(child)).toBe(0);
  });
});

test('what a program prints while it serves goes to standard error', async () => {
  using dir = tempDir();
  const program = `
    import { addCommandToExecutor, MCPServer } from ${JSON.stringify(`${builtPackage}/dist/index.js`)};
    addCommandToExecutor({ FA_chatty: () => { console.log('hello from a function'); return 1; } });
    await new MCPServer(null, { executes: true, toolsets: ['registered'] }).serveStdio();
    console.log('bye');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: dir.path, stdio: ['pipe', 'pipe', 'pipe'] });
  const host = openHost(child.stdin, child.stdout);
  const errors = text(child.stderr);
  const closed = once(child, 'close'); // all that was printed has been read by then
  const answer = await host.request('tools/call', { name: 'FA_chatty', arguments: {} });
  expect(answer.result.structuredContent).toEqual({ value: 1 });
  expect(host.noise).toEqual([]);
  child.stdin.end();
  expect(await closed).toEqual([0, null]);
  expect(host.noise).toEqual(['bye']); // standard output is the program's again
  expect(await errors).toContain('hello from a function');
});

describe('the command', () => {
  const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';

  test('answers a pipe', () => {
    using dir = tempDir();
    expect(factotum(['mcp'], { cwd: dir.path, input: PING })).toEqual({ code: 0, out: '{"result":{},"jsonrpc":"2.0","id":1}\n', err: '' });
  });

  test.each([
    [['--compact'], 4],
    [['--read-only'], 9],
    [['--read-only', '--compact'], 4],
    [['--toolset', 'flow', '--toolset', 'text,files'], undefined],
  ])('%j gives so many tools: %s', (flags, count) => {
    using dir = tempDir();
    const { tools } = JSON.parse(factotum(['mcp', '--root', dir.path, ...flags], { input: LIST }).out).result;
    if (count === undefined) expect(tools.length).toBeGreaterThan(20);
    else expect(tools).toHaveLength(count);
  });

  test('works in the root it is given, wherever it is started', () => {
    using dir = tempDir({ 'a.txt': 'hi' });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'FA_read_file', arguments: { file_path: 'a.txt' } } };
    const { out } = factotum(['mcp', '--root', dir.path], { input: `${JSON.stringify(call)}\n` });
    expect(JSON.parse(out).result.structuredContent).toEqual({ value: 'hi' });
  });

  test('takes rights and tools from the configuration, says what they are, and guards it', () => {
    const config = '[mcp]\nexecutes = true\ntoolsets = ["shell"]\ndeny = ["FA_move_*"]\n';
    using dir = tempDir({ 'factotum.toml': config });
    const call = (id: number, name: string, given: object) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } });
    const input = [
      LIST.trimEnd(),
      call(2, 'FA_run_shell', { argv: ['echo', 'hi'] }),
      call(3, 'FA_create_file', { file_path: 'factotum.toml', content: '' }),
    ];
    const { out, err } = factotum(['mcp'], { cwd: dir.path, input: `${input.join('\n')}\n` });
    const answers = new Map(
      out
        .trimEnd()
        .split('\n')
        .map((line) => [JSON.parse(line).id, JSON.parse(line).result]),
    );
    const names = answers.get(1).tools.map(({ name }: { name: string }) => name);
    expect(names).toContain('FA_run_shell');
    expect(names).not.toContain('FA_move_file');
    expect(answers.get(2).structuredContent).toMatchObject({ returncode: 0, stdout: 'hi\n' });
    expect(answers.get(3).content[0].text).toContain('PolicyException');
    expect(dir.read('factotum.toml')).toBe(config);
    expect(err).toContain('factotum.toml lets the host run programs.');
  });

  test.each([
    [['--root', '/nowhere'], '/nowhere'],
    [['--root', '.', '--toolset', 'serch'], 'did you mean search?'],
    [['--root', '.', '--compact', '--all'], 'compact'],
    [[], '--root'],
  ])('%j is refused', (flags, words) => {
    const { code, out, err } = factotum(['mcp', ...flags], { cwd: '/', input: PING });
    expect(code).not.toBe(0);
    expect(out).toBe('');
    expect(err).toContain(words);
  });
});
