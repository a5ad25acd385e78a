import { describe, expect, test } from 'vitest';
import { STATELESS_META } from '../../../test/support/mcp-host.ts';
import { type McpHouseOptions, openMcpHouse } from '../../../test/support/mcp-house.ts';
import { waitingActions } from '../../../test/support/waiting-actions.ts';
import { ActionACL } from '../../access/acl.ts';
import { type Caller, OWNER } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';
import { createMcpRoute } from './http.ts';

const JSON_TYPE = 'application/json';

const open = async (options: McpHouseOptions = {}) => {
  const mcp = await openMcpHouse({ toolsets: ['registered'], ...options });
  const route = createMcpRoute(mcp.parts);
  const post = (
    body: string | Uint8Array,
    { caller = OWNER, headers = {}, signal }: { caller?: Caller; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ) =>
    route.fetch(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        body,
        headers: { 'content-type': JSON_TYPE, accept: `${JSON_TYPE}, text/event-stream`, ...headers },
        ...(signal && { signal }),
      }),
      caller,
    );
  return {
    ...mcp,
    route,
    post,
    async [Symbol.asyncDispose]() {
      await route.close();
      await mcp[Symbol.asyncDispose]();
    },
  };
};

const message = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const calling = (name: string, given: object, meta: object = {}) => message('tools/call', { name, arguments: given, _meta: meta });

/** What the stateless revision wants in the headers beside the body. */
const stateless = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

/** The messages of an answer, streamed or not. */
const messagesOf = async (response: Response) => {
  const text = await response.text();
  if (response.headers.get('content-type')?.startsWith(JSON_TYPE)) return [JSON.parse(text)];
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
};

test('a request of an older revision is answered without a session', async () => {
  await using server = await open({ files: { 'a.txt': 'hi' } });
  const hello = await server.post(
    message('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }),
  );
  expect(await messagesOf(hello)).toMatchObject([{ result: { protocolVersion: '2025-11-25' } }]);
  expect(hello.headers.get('mcp-session-id')).toBeNull();
  const answer = await server.post(calling('FA_read_file', { file_path: 'a.txt' }));
  expect(await messagesOf(answer)).toMatchObject([{ result: { structuredContent: { value: 'hi' } } }]);
});

test('a request of the stateless revision is answered', async () => {
  await using server = await open({ files: { 'a.txt': 'hi' } });
  const answer = await server.post(calling('FA_read_file', { file_path: 'a.txt' }, STATELESS_META), {
    headers: stateless('tools/call', 'FA_read_file'),
  });
  expect(await messagesOf(answer)).toMatchObject([{ result: { resultType: 'complete', structuredContent: { value: 'hi' } } }]);
});

test('other methods are not allowed', async () => {
  await using server = await open();
  for (const method of ['GET', 'DELETE']) {
    const answer = await server.route.fetch(
      new Request('http://127.0.0.1/mcp', { method, headers: { accept: 'text/event-stream' } }),
      OWNER,
    );
    expect(answer.status).toBe(405);
  }
});

test.each([
  ['no JSON', '{', 400, -32700],
  ['nothing', '', 400, -32700],
  ['a doubled key', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700],
  ['no message', '{}', 400, -32600],
  ['too much', `"${'x'.repeat(9 << 20)}"`, 413, -32600],
])('%s is refused', async (_, body, status, code) => {
  await using server = await open();
  const answer = await server.post(body);
  expect(answer.status).toBe(status);
  expect(await messagesOf(answer)).toMatchObject([{ id: null, error: { code } }]);
});

test('a body of another type is refused', async () => {
  await using server = await open();
  expect((await server.post(message('ping'), { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
});

describe('who calls', () => {
  test('the owner has the rights of every MCP host, not his own', async () => {
    await using server = await open();
    const [answer] = await messagesOf(await server.post(calling('FA_read_file', { file_path: '/etc/passwd' })));
    expect(answer.result.content[0].text).toContain('PolicyException');
  });

  test('the holder of a token has what both grant', async () => {
    await using server = await open({ files: { 'a.txt': 'hi', 'in/b.txt': 'ho' } });
    const caller: Caller = {
      name: 'reader',
      remote: true,
      acl: new ActionACL({ allow: ['effect:reads'] }),
      policy: createPolicy({ readWrite: [server.house.dir.at('in'), '/etc'] }),
    };
    const [list] = await messagesOf(await server.post(message('tools/list'), { caller }));
    expect(list.result.tools.map(({ name }: { name: string }) => name)).not.toContain('FA_create_file');
    const read = async (file_path: string) => {
      const [answer] = await messagesOf(await server.post(calling('FA_read_file', { file_path }), { caller }));
      return answer.result;
    };
    expect((await read('in/b.txt')).structuredContent).toEqual({ value: 'ho' });
    expect((await read('a.txt')).content[0].text).toContain('PolicyException');
    expect((await read('/etc/passwd')).content[0].text).toContain('PolicyException');
  });
});

describe('a call that goes on', () => {
  test.each([
    ['an older', {}, {}],
    ['the stateless', STATELESS_META, stateless('tools/call', 'FA_t_wait')],
  ])('is cancelled when a client of %s revision goes away', async (_, meta, headers) => {
    await using server = await open();
    const waiting = waitingActions();
    server.house.factotum.registry.registerMany(waiting.actions);
    const gone = new AbortController();
    const answer = server.post(calling('FA_t_wait', { name: 'x' }, meta), { headers, signal: gone.signal });
    await waiting.untilBegun(1);
    gone.abort();
    await server.parts.turnstile.drain();
    expect(waiting.aborted).toEqual(['x']);
    await answer.catch(() => {}); // nobody reads it
  });

  test.each([
    ['an older', {}, {}],
    ['the stateless', STATELESS_META, stateless('tools/call', 'FA_copy_file')],
  ])('tells a client of %s revision how far it is', async (_, meta, headers) => {
    await using server = await open({ files: { 'a.bin': Buffer.alloc(3 << 20) } });
    const body = calling('FA_copy_file', { file_path: 'a.bin', target_path: 'b.bin' }, { ...meta, progressToken: 7 });
    const messages = await messagesOf(await server.post(body, { headers }));
    expect(messages.at(-1).result.structuredContent).toEqual({ value: true });
    for (const { method, params } of messages.slice(0, -1)) {
      expect(method).toBe('notifications/progress');
      expect(params.progressToken).toBe(7);
    }
  });

  test('a listener of the stateless revision hears that the tools have changed', async () => {
    await using server = await open();
    const answer = await server.post(
      message('subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: STATELESS_META }),
      {
        headers: stateless('subscriptions/listen'),
      },
    );
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = (await reader?.read())?.value ?? '';
    server.house.factotum.registry.unregister('FA_t_echo');
    while (!heard.includes('tools/list_changed')) heard += (await reader?.read())?.value ?? '';
    await reader?.cancel();
  });
});
