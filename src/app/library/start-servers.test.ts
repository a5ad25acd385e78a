import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { ActionACL } from '../../access/acl.ts';
import { startAutocontrolSocketServer, startHttpActionServer, startMetricsServer } from './start-servers.ts';

const SECRET = 'a-secret-of-this-test';

test('a program serves the shared instance over HTTP, with a secret and an access list', async () => {
  using dir = tempDir({ 'a/b': '' });
  await using door = await startHttpActionServer({ port: 0, sharedSecret: SECRET, actionAcl: new ActionACL({ allow: ['FA_is_within'] }) });
  const post = (body: unknown, secret: string) =>
    fetch(`${door.url}/actions`, { method: 'POST', body: JSON.stringify(body), headers: headersWith(secret) });
  expect((await post([], 'another')).status).toBe(401);
  expect((await post([['FA_stat', ['.']]], SECRET)).status).toBe(403);
  expect(await (await post([['FA_is_within', [dir.at('a'), dir.at('a/b')]]], SECRET)).json()).toMatchObject({
    ok: true,
    results: [{ value: true }],
  });
});

const headersWith = (secret: string) => ({ Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' });

test('and over TCP', async () => {
  using dir = tempDir({ 'a/b': '' });
  await using door = await startAutocontrolSocketServer({ port: 0, sharedSecret: SECRET });
  const socket = connect(door.port, door.host);
  socket.end(`AUTH ${SECRET}\n${JSON.stringify([['FA_is_within', [dir.at('a'), dir.at('a/b')]]])}`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  expect(JSON.parse(text)).toMatchObject({ ok: true, results: [{ value: true }] });
});

test('and its metrics', async () => {
  await using door = await startMetricsServer({ port: 0 });
  const text = await (await fetch(`${door.url}/metrics`)).text();
  expect(text).toMatch(/^factotum_runs_in_flight \d+$/m);
  expect(text).toMatch(/^process_cpu_seconds_total /m);
});

test('an address that others can reach is refused unless it was allowed', async () => {
  await expect(startHttpActionServer({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ type: 'BindRefusedException' });
});
