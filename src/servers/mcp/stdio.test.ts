import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { initialize, type McpHost, openHost, STATELESS_META } from '../../../test/support/mcp-host.ts';
import { type McpHouseOptions, openMcpHouse } from '../../../test/support/mcp-house.ts';
import { waitingActions } from '../../../test/support/waiting-actions.ts';
import { defineAction } from '../../core/action.ts';
import { nothing } from '../../core/shapes.ts';
import { serveStdio } from './stdio.ts';

const open = async (options: McpHouseOptions = {}) => {
  const mcp = await openMcpHouse({ toolsets: ['registered'], ...options });
  const { registry } = mcp.house.factotum;
  const waiting = waitingActions();
  registry.registerMany(waiting.actions);
  const input = new PassThrough();
  const output = new PassThrough();
  const stop = new AbortController();
  const served = serveStdio(mcp.parts, { input, output, signal: stop.signal });
  return {
    ...mcp,
    registry,
    waiting,
    input,
    served,
    stop,
    host: openHost(input, output),
    async [Symbol.asyncDispose]() {
      input.end();
      await served;
      await mcp[Symbol.asyncDispose]();
    },
  };
};

const call = (host: McpHost, name: string, given: object, meta: object = {}) =>
  host.request('tools/call', { name, arguments: given, _meta: meta });

test.each([
  ['2024-11-05', '2024-11-05'],
  ['2025-06-18', '2025-06-18'],
  ['2025-11-25', '2025-11-25'],
  ['1999-01-01', '2025-11-25'],
])('a host of revision %s is answered in %s', async (asked, answered) => {
  await using server = await open();
  const { result } = await initialize(server.host, asked);
  expect(result).toMatchObject({ protocolVersion: answered, serverInfo: { name: 'factotum' }, capabilities: { tools: {} } });
  expect((await server.host.request('tools/list')).result.tools.length).toBeGreaterThan(12);
});

test('a host of the stateless revision needs no introduction', async () => {
  await using server = await open({ files: { 'a.txt': 'hi' } });
  const { host } = server;
  const discovered = await host.request('server/discover', { _meta: STATELESS_META });
  expect(discovered.result.supportedVersions).toEqual(['2026-07-28']);
  const { result } = await call(host, 'FA_read_file', { file_path: 'a.txt' }, STATELESS_META);
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { value: 'hi' } });
});

describe('while a call is under way', () => {
  test.each([
    ['an older', {}],
    ['the stateless', STATELESS_META],
  ])('progress is told to a host of %s revision that gave a token', async (_, meta) => {
    await using server = await open();
    const { host, registry } = server;
    registry.register(
      'FA_t_work',
      defineAction({
        name: 'FA_t_work',
        summary: 'Works.',
        args: {},
        returns: nothing(),
        examples: [],
        run({ progress }) {
          const work = progress('the work', 3, 'items');
          for (let count = 0; count < 3; count += 1) work.advance(1);
          return null;
        },
      }),
    );
    await call(host, 'FA_t_work', {}, meta);
    expect(host.messages.filter(({ method }) => method === 'notifications/progress')).toEqual([]);
    await call(host, 'FA_t_work', {}, { ...meta, progressToken: 'tok' });
    const told = host.messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);
    expect(told.at(-1)).toMatchObject({ progressToken: 'tok', progress: 3, total: 3, message: expect.stringContaining('the work') });
    expect(host.messages.at(-1)?.result).toBeDefined(); // nothing is told after the answer
  });

  test.each([
    ['an older', {}],
    ['the stateless', STATELESS_META],
  ])('a host of %s revision can cancel it', async (_, meta) => {
    await using server = await open();
    const { host, waiting } = server;
    await call(host, 'FA_list_dir', {}, meta);
    host.send({ id: 'long', method: 'tools/call', params: { name: 'FA_t_wait', arguments: { name: 'x' }, _meta: meta } });
    await waiting.untilBegun(1);
    host.send({ method: 'notifications/cancelled', params: { requestId: 'long', reason: 'enough' } });
    await call(host, 'FA_list_dir', {}, meta);
    expect(waiting.aborted).toEqual(['x']);
    expect(host.messages.some(({ id }) => id === 'long')).toBe(false);
  });

  test('others are answered', async () => {
    await using server = await open();
    const { host, waiting } = server;
    const slow = call(host, 'FA_t_wait', { name: 'x' });
    await waiting.untilBegun(1);
    expect((await host.request('ping')).result).toEqual({});
    expect((await call(host, 'FA_list_dir', {})).result.isError).toBeUndefined();
    waiting.release('x');
    expect((await slow).result.structuredContent).toEqual({ value: 'x' });
  });

  test('a signal to stop cancels it and is waited for', async () => {
    await using server = await open();
    const { host, waiting, stop, served } = server;
    host.send({ id: 1, method: 'tools/call', params: { name: 'FA_t_wait', arguments: { name: 'x' } } });
    await waiting.untilBegun(1);
    stop.abort();
    await served;
    expect(waiting.aborted).toEqual(['x']);
  });

  test('a host that ends its requests still gets the answers that come soon', async () => {
    await using server = await open();
    const { host, input } = server;
    const answer = call(host, 'FA_list_dir', {});
    input.end();
    expect((await answer).result.structuredContent).toEqual({ value: [] });
  });
});

describe('when the registry changes', () => {
  test('an introduced host of an older revision is told once, and one that has not said a word is not', async () => {
    await using server = await open();
    const { host, registry } = server;
    registry.unregister('FA_t_deny');
    await initialize(host, '2025-11-25');
    await host.request('ping');
    registry.unregister('FA_t_echo');
    registry.unregister('FA_t_typed');
    await host.until(({ method }) => method === 'notifications/tools/list_changed');
    await host.request('ping');
    expect(host.messages.filter(({ method }) => method === 'notifications/tools/list_changed')).toHaveLength(1);
  });

  test('a host of the stateless revision is told when it listens', async () => {
    await using server = await open();
    const { host, registry } = server;
    host.send({
      id: 'ears',
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: STATELESS_META },
    });
    await host.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    registry.unregister('FA_t_echo');
    await host.until(({ method }) => method === 'notifications/tools/list_changed');
    host.send({ method: 'notifications/cancelled', params: { requestId: 'ears' } });
  });
});

describe('the roots of a client', () => {
  const answerRoots = async (host: McpHost, path: string, count: number) => {
    const isAsk = ({ method }: { readonly method?: string }) => method === 'roots/list';
    await host.until(() => host.messages.filter(isAsk).length === count);
    const { id } = host.messages.filter(isAsk).at(-1) ?? {};
    host.send({ id, result: { roots: [{ uri: pathToFileURL(path).href }] } });
  };

  test('narrow what it may reach, and calls wait until they are known', async () => {
    await using server = await open({ files: { 'a.txt': 'outer', 'inner/b.txt': 'inner' } });
    const { host, house } = server;
    await initialize(host, '2025-11-25', { roots: { listChanged: true } });
    const outer = call(host, 'FA_read_file', { file_path: 'a.txt' });
    await answerRoots(host, house.dir.at('inner'), 1);
    expect((await outer).result.content[0].text).toContain('PolicyException');
    expect((await call(host, 'FA_read_file', { file_path: 'inner/b.txt' })).result.structuredContent).toEqual({ value: 'inner' });

    host.send({ method: 'notifications/roots/list_changed' });
    await answerRoots(host, house.dir.path, 2);
    expect((await call(host, 'FA_read_file', { file_path: 'a.txt' })).result.structuredContent).toEqual({ value: 'outer' });
  });

  test('never widen it', async () => {
    await using server = await open({ files: { 'a.txt': 'hi' } });
    const { host } = server;
    await initialize(host, '2025-11-25', { roots: {} });
    await answerRoots(host, '/etc', 1);
    for (const file_path of ['/etc/passwd', 'a.txt']) {
      expect((await call(host, 'FA_read_file', { file_path })).result.content[0].text).toContain('PolicyException');
    }
  });
});

describe('a line that is no message', () => {
  const lines = [
    ['no JSON', '{"jsonrpc":', -32700],
    ['a doubled key', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700],
    ['a rounded number', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":12345678901234567890}}', -32700],
    ['a byte that is no UTF-8', Buffer.from('7b22ff22', 'hex'), -32700],
    ['a list', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['another version', '{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600],
    ['a number', '5', -32600],
    ['too deep', `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(70)}${']'.repeat(70)}}`, -32700],
  ] as const;

  test.each(lines)('%s is answered with an error, and the connection goes on', async (_, line, code) => {
    await using server = await open();
    const { host } = server;
    host.write(line);
    host.write('\n');
    const answer = await host.until(({ error }) => error !== undefined);
    expect(answer.error?.code).toBe(code);
    expect(answer.error?.data?.error?.type).toMatch(/Exception$/);
    expect((await host.request('ping')).result).toEqual({});
  });

  test('one that is too long is refused before it is held', async () => {
    await using server = await open();
    const { host, parts } = server;
    host.write('"');
    for (let sent = 0; sent <= parts.limits.bodyBytes; sent += 1 << 20) host.write('x'.repeat(1 << 20));
    expect((await host.until(({ error }) => error !== undefined)).error?.code).toBe(-32600);
    host.write('"\n');
    expect((await host.request('ping')).result).toEqual({});
    expect(host.messages.filter(({ error }) => error !== undefined)).toHaveLength(1);
  });
});
