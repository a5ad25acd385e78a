import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService, type Service } from '../../../src/app/serve/serve.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { STATELESS_META } from '../../support/mcp-host.ts';
import { type WaitingActions, waitingActions } from '../../support/waiting-actions.ts';

const SECRET = 'a-secret-of-the-owner';
const READ = { name: 'FA_read_file', arguments: { file_path: 'a.txt' } };

let house: TestHouse;
let service: Service;
let waiting: WaitingActions;
let url: string;
beforeAll(async () => {
  house = openHouse({ files: { 'a.txt': 'hi' }, logLevel: 'error' });
  waiting = waitingActions();
  house.factotum.registry.registerMany(waiting.actions);
  service = await openService(house.factotum, {
    sharedSecret: SECRET,
    tokens: [{ name: 'reader', secret: 'a-secret-of-the-reader', effects: ['reads'], readOnly: [house.dir.path] }],
    http: { port: 0 },
    mcp: { roots: [house.dir.path], toolsets: ['registered'] },
  });
  url = `${service.door('http').url}/mcp`;
});
afterAll(async () => {
  await service.close();
  await house[Symbol.asyncDispose]();
});

const headers = (secret = SECRET): Record<string, string> => ({
  authorization: `Bearer ${secret}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

const post = (method: string, params: object, more: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { ...headers(), ...more }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });

/** The last message of an answer, streamed or not. */
const answerOf = async (response: Response) => {
  const text = await response.text();
  return JSON.parse([...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? text);
};

test('older hosts and those of the stateless revision use the same door', async () => {
  const hello = await post('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } });
  expect((await answerOf(hello)).result.protocolVersion).toBe('2025-06-18');
  expect((await answerOf(await post('tools/call', READ))).result.structuredContent).toEqual({ value: 'hi' });
  const stateless = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': READ.name };
  const answer = await post('tools/call', { ...READ, _meta: STATELESS_META }, stateless);
  expect((await answerOf(answer)).result.structuredContent).toEqual({ value: 'hi' });
});

describe('before anything is read', () => {
  test.each([
    ['no secret', { authorization: '' }, 401],
    ['a wrong secret', { authorization: 'Bearer wrong' }, 401],
    ['a page of another site', { origin: 'http://evil.test' }, 403],
    ['a form', { 'content-type': 'text/plain' }, 415],
  ])('%s is refused', async (_, more, status) => {
    expect((await post('tools/call', READ, more)).status).toBe(status);
  });
});

test('what an assistant queues runs with its rights', async () => {
  const inside = [['FA_create_file', { file_path: 'queued.txt', content: 'later' }]];
  const outside = [['FA_create_file', { file_path: `${house.dir.path}-outside.txt`, content: 'no' }]];
  const actions = [inside, outside].map((action) => ['FA_queue_enqueue', { action }]);
  const queued = await post('tools/call', { name: 'factotum_run', arguments: { actions } });
  expect((await answerOf(queued)).result.structuredContent).toMatchObject({ ok: true });
  await expect.poll(() => house.dir.read('queued.txt')).toBe('later');
  const { store } = await house.factotum.state();
  const dead = async () => (await store.deadLetters()).items;
  await expect.poll(dead).toMatchObject([{ caller: 'mcp', error: { type: 'PolicyException' } }]);
});

test('the owner is held to the root, and a token to what it grants', async () => {
  const outside = await post('tools/call', { name: 'FA_read_file', arguments: { file_path: '/etc/passwd' } });
  expect((await answerOf(outside)).result.content[0].text).toContain('PolicyException');
  const list = await post('tools/list', {}, headers('a-secret-of-the-reader'));
  const names = (await answerOf(list)).result.tools.map(({ name }: { name: string }) => name);
  expect(names).toContain('FA_read_file');
  expect(names).not.toContain('FA_create_file');
  const write = { actions: [['FA_create_file', { file_path: 'b.txt' }]] };
  const refused = await post('tools/call', { name: 'factotum_run', arguments: write }, headers('a-secret-of-the-reader'));
  expect((await answerOf(refused)).result.content[0].text).toContain('ActionNotPermittedException');
  expect(house.dir.read('b.txt')).toBeUndefined();
});

test('a client that hangs up cancels its call', async () => {
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'FA_t_wait', arguments: { name: 'x' } } });
  const asked = httpRequest(url, { method: 'POST', headers: { ...headers(), 'content-length': Buffer.byteLength(call) } });
  asked.on('error', () => {}); // hung up on purpose
  asked.end(call);
  await waiting.untilBegun(1);
  asked.destroy();
  while (waiting.aborted.length === 0) await new Promise(setImmediate);
  expect(waiting.aborted).toEqual(['x']);
});
