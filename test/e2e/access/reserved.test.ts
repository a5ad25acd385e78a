import { expect, test } from 'vitest';
import { openHttpDoor } from '../../support/http-door.ts';
import { openMcpHouse } from '../../support/mcp-house.ts';

const SECRET = 'a-secret-of-sixteen';
const RESERVED = [
  ['FA_audit_recent'],
  ['FA_limits_list'],
  ['FA_tracing_init'],
  ['FA_audit_count'],
  ['FA_audit_purge', [1]],
  ['FA_notify_register', [{ type: 'webhook', name: 'x', url: 'https://example.com' }]],
  ['FA_notify_unregister', ['x']],
  ['FA_notify_unregister_all'],
  ['FA_config_apply', ['factotum.toml']],
] as const;

const post = async (url: string, list: unknown) => {
  const answer = await fetch(`${url}/actions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify(list),
  });
  return { status: answer.status, body: await answer.json() };
};

test.each(RESERVED)('%s is not for tokens and assistants', async (...command) => {
  const token = { name: 'guest', secret: SECRET, readWrite: ['/'], network: true };
  await using door = await openHttpDoor({ service: { tokens: [{ ...token, allow: ['FA_*', 'FA_t_touch'] }] } });
  const nested = [['FA_t_touch'], ['FA_execute_action', { action_list: [command] }]];
  expect(await post(door.url, nested)).toMatchObject({ status: 403, body: { error: { type: 'ActionNotPermittedException' } } });
  expect(door.house.touched).toBe(0);
  await using mcp = await openMcpHouse({ network: true, all: true });
  expect((await mcp.listTools()).map(({ name }) => name)).not.toContain(command[0]);
  expect(await mcp.call('factotum_run', { actions: [command] })).toMatchObject({ isError: true });
});

test('a token may whatever its list names', async () => {
  const token = { name: 'guest', secret: SECRET, allow: ['FA_audit_count'] };
  await using door = await openHttpDoor({ service: { tokens: [token] } });
  expect(await post(door.url, [['FA_audit_count']])).toMatchObject({ status: 200, body: { ok: true } });
});

test('the owner may everything', async () => {
  await using door = await openHttpDoor({ service: { sharedSecret: SECRET } });
  expect(await post(door.url, [['FA_audit_count'], ['FA_notify_unregister_all']])).toMatchObject({ status: 200, body: { ok: true } });
});
