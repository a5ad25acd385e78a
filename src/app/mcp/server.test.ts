import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { createRegistry } from '../../core/registry.ts';
import { MCPServer as SpecServer } from '../../spec.ts';
import { addCommandToExecutor } from '../library/library.ts';
import { MCPServer } from './server.ts';

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });

test('answers messages one by one over the shared registry', async () => {
  using dir = tempDir({ 'a.txt': 'hi' });
  const server = new MCPServer(null, { roots: [dir.path], executes: true, toolsets: ['registered'] });
  addCommandToExecutor({ FA_own_function: ({ who }: { who: string }) => `hello ${who}` });
  const hello = request(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: { roots: {} },
    clientInfo: { name: 't', version: '1' },
  });
  expect(await server.handleMessage(hello)).toMatchObject({
    result: { serverInfo: { name: 'factotum', version: expect.stringMatching(/^\d/) } },
  });
  expect(await server.handleMessage({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined();
  const own = request(2, 'tools/call', { name: 'FA_own_function', arguments: { who: '${you}' } });
  expect(await server.handleMessage(own)).toMatchObject({ id: 2, result: { structuredContent: { value: 'hello ${you}' } } });
  const read = request(3, 'tools/call', { name: 'FA_read_file', arguments: { file_path: 'a.txt' } });
  expect(await server.handleMessage(read)).toMatchObject({ result: { structuredContent: { value: 'hi' } } });
  await server.close();
});

test('refuses what is no message, and an id that is under way', async () => {
  using dir = tempDir();
  const server = new MCPServer(null, { roots: [dir.path] });
  expect(await server.handleMessage('hello')).toMatchObject({ id: null, error: { code: -32600 } });
  const twice = [server.handleMessage(request(1, 'tools/list')), server.handleMessage(request(1, 'tools/list'))];
  expect(await Promise.all(twice)).toMatchObject([{ result: {} }, { id: 1, error: { code: -32600 } }]);
  await server.close();
});

test('a cancelled request has no answer', async () => {
  using dir = tempDir();
  const server = new MCPServer(null, { roots: [dir.path], executes: true });
  let begun = () => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  addCommandToExecutor({ FA_never: () => new Promise(() => begun()) });
  const long = server.handleMessage(request(1, 'tools/call', { name: 'factotum_run', arguments: { actions: [['FA_never']] } }));
  await started;
  await server.handleMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  expect(await long).toBeUndefined();
});

test('serves a registry of its own under a name of its own', async () => {
  using dir = tempDir();
  const server = new SpecServer(createRegistry(), { name: 'mine', version: '9', roots: [dir.path], all: true });
  expect(await server.handle_message(request(1, 'tools/list'))).toMatchObject({ result: { tools: { length: 4 } } });
  await server.close();
});

test('serves streams until they end', async () => {
  using dir = tempDir();
  const server = new MCPServer(null, { roots: [dir.path], name: 'mine', version: '9' });
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(`${JSON.stringify(request(1, 'ping'))}\n`);
  await server.serveStdio({ input, output });
  output.end();
  expect(JSON.parse(await text(output))).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  await server.close();
});

test('refuses to promise what would be forgotten when the host leaves', async () => {
  using dir = tempDir({ 'in/a.txt': 'hi' });
  const server = new MCPServer(null, { roots: [dir.path] });
  const list = [['FA_file_checksum', { file_path: 'in/a.txt' }]];
  const actions = [
    ['FA_schedule_add', { name: 'n', cron_expression: '0 3 * * *', action_list: list }],
    ['FA_watch_start', { name: 'w', path: 'in', action_list: list }],
    ['FA_queue_enqueue', { action: list }],
    ['FA_queue_enqueue', { action: list, db_path: 'own.db' }],
  ];
  const answer = await server.handleMessage(request(1, 'tools/call', { name: 'factotum_run', arguments: { actions } }));
  const refused = (type: string) => ({ status: 'failed', error: { type, message: expect.stringContaining('factotum serve') } });
  expect(answer).toMatchObject({
    result: {
      structuredContent: {
        results: [refused('SchedulerException'), refused('TriggerException'), refused('QueueException'), { status: 'ok', value: 1 }],
      },
    },
  });
  await server.close();
});
