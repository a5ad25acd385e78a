import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openHouse, type TestHouse } from '../../../test/support/house.ts';
import { waitingActions } from '../../../test/support/waiting-actions.ts';
import { openService, type Service, type ServiceOptions } from './serve.ts';

const RED = 'red-with-enough-letters';
const BLUE = 'blue-with-enough-letters';

let house: TestHouse;
let service: Service;
beforeEach(() => {
  house = openHouse({ files: { 'a.txt': 'hi', 'in/b.txt': 'ho' }, logLevel: 'error' });
});
afterEach(async () => {
  await service.close();
  await house[Symbol.asyncDispose]();
});

const token = (name: string, secret: string) => ({ name, secret, readWrite: [house.dir.path] });
const open = async (options: ServiceOptions) => {
  service = await openService(house.factotum, { ...options, http: { port: 0 } });
};
const change = async (options: ServiceOptions) => (await service.prepare({ ...options, http: {} })).apply();

const post = (path: string, secret: string, body: unknown) =>
  fetch(service.door('http').url + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  });
const statusFor = async (secret: string) => (await post('/actions', secret, [])).status;

describe('what changes while doors are open', () => {
  test('secrets: callers that are gone are no longer known to stored work either', async () => {
    await open({ tokens: [token('red', RED), token('blue', BLUE)], sharedSecret: 'owner' });
    await change({ tokens: [token('blue', RED)], sharedSecret: 'owner' });
    expect([await statusFor(RED), await statusFor(BLUE), await statusFor('owner')]).toEqual([200, 401, 200]);
    expect([...house.factotum.callers.keys()]).toEqual(['owner', 'blue']);
    await change({ tokens: [] });
    expect(house.factotum.callers.get('owner')).toMatchObject({ remote: false });
  });

  test('who follows with a secret that is gone is cut off', async () => {
    await open({ tokens: [token('red', RED), token('blue', BLUE)] });
    const follow = async (secret: string) => {
      const socket = new WebSocket(`${service.door('http').url.replace('http', 'ws')}/progress`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      await once(socket, 'open');
      return socket;
    };
    const [red, blue] = await Promise.all([follow(RED), follow(BLUE)]);
    const cutOff = once(red, 'close');
    await change({ tokens: [token('blue', BLUE)] });
    await cutOff;
    expect(blue.readyState).toBe(WebSocket.OPEN);
    blue.close();
  });

  test('rules that cannot hold change nothing', async () => {
    await open({ tokens: [token('red', RED)] });
    const bad = { ...token('blue', BLUE), effects: ['reeds'] };
    await expect(service.prepare({ tokens: [bad] })).rejects.toMatchObject({ type: 'ArgumentException' });
    expect(await statusFor(RED)).toBe(200);
  });

  test('limits: body, depth and requests in flight', async () => {
    await open({ sharedSecret: RED });
    await change({ sharedSecret: RED, limits: { bodyBytes: 20, requestsPerMinute: 2 } });
    const long = await post('/actions', RED, [['FA_stat', [house.dir.path]]]);
    expect(long.status).toBe(413);
    expect([await statusFor(RED), await statusFor(RED), await statusFor(RED)]).toEqual([200, 200, 429]);
  });
});

describe('stopping', () => {
  test('does not wait for ever for an action that does not heed its signal', async () => {
    const waiting = waitingActions();
    house.factotum.registry.registerMany(waiting.actions);
    await open({ sharedSecret: RED, drainMs: 10 });
    const cut = post('/actions', RED, [['FA_t_stubborn', { name: 'mule' }]]).catch(() => 'cut off');
    await waiting.untilBegun(1);
    await service.close();
    expect(waiting.aborted).toEqual(['mule']);
    expect(await cut).toBe('cut off');
    waiting.release('mule');
  });

  test('lets what heeds it answer that it was cancelled', async () => {
    const waiting = waitingActions();
    house.factotum.registry.registerMany(waiting.actions);
    await open({ sharedSecret: RED, drainMs: 10 });
    const answer = post('/actions', RED, [['FA_t_wait', { name: 'sheep' }]]);
    await waiting.untilBegun(1);
    await Promise.all([service.close(), service.close()]);
    expect(await (await answer).json()).toMatchObject({ status: 'cancelled' });
  });
});

describe('MCP', () => {
  const call = async (name: string, args: object) => {
    const answer = await post('/mcp', RED, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
    const text = await answer.text();
    return JSON.parse([...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? text).result;
  };
  const options = (root: string): ServiceOptions => ({ sharedSecret: RED, mcp: { roots: [root], toolsets: ['registered'] } });

  test('other roots count for the next call; what is called already keeps its own', async () => {
    const waiting = waitingActions();
    house.factotum.registry.registerMany(waiting.actions);
    await open(options(house.dir.path));
    expect(await call('FA_read_file', { file_path: house.dir.at('a.txt') })).toMatchObject({ structuredContent: { value: 'hi' } });
    const begun = call('FA_t_wait', { name: 'change' });
    await waiting.untilBegun(1);
    await change(options(house.dir.at('in')));
    waiting.release('change');
    expect(await begun).toMatchObject({ structuredContent: { value: 'change' } });
    expect(await call('FA_read_file', { file_path: house.dir.at('a.txt') })).toMatchObject({ isError: true });
    expect(await call('FA_read_file', { file_path: house.dir.at('in/b.txt') })).toMatchObject({ structuredContent: { value: 'ho' } });
  });

  test('the owner is not the owner there, with limits or without', async () => {
    const names: string[] = [];
    house.factotum.observe({ begun: ({ caller }) => void names.push(caller), ended() {} });
    await open(options(house.dir.path));
    await call('FA_list_dir', {});
    await change({ ...options(house.dir.path), ownerPolicy: { readWrite: [house.dir.path] } });
    await call('FA_list_dir', {});
    expect(names).toEqual(['mcp', 'mcp']);
  });

  test('a root that is missing changes nothing', async () => {
    await open(options(house.dir.path));
    await expect(service.prepare(options(house.dir.at('nowhere')))).rejects.toMatchObject({ type: 'DirNotExistsException' });
    expect(await call('FA_read_file', { file_path: house.dir.at('a.txt') })).toMatchObject({ structuredContent: { value: 'hi' } });
  });
});
