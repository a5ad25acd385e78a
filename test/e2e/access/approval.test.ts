import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { initialize, openHost } from '../../support/mcp-host.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { binOf, builtPackage, factotum } from '../cli/built.ts';
import { startServed } from '../service/served.ts';

const SECRET = 'a-secret-of-the-guest-0123456789';

const configOf = (dir: TempDir) => `
[http]
shared_secret = "a-secret-of-the-owner-0123456789"
[mcp]
require_approval = "destructive"
[[tokens]]
name = "guest"
secret = "${SECRET}"
roots = ["${dir.at('w')}"]
require_approval = "destructive"
`;

/** A result, or why there is none. */
interface Answered {
  readonly run_id?: string;
  readonly error?: { readonly context: { readonly plan_hash?: string } };
}

const stateOf = (dir: TempDir) => ({ XDG_STATE_HOME: dir.at('state'), XDG_CONFIG_HOME: dir.at('none') });

/** What the owner types. */
const approve = (dir: TempDir, ...words: string[]) => factotum(['approve', ...words], { cwd: dir.path, env: stateOf(dir) });

test('a token deletes over HTTP only what was approved at the command line', { timeout: 180_000 }, async () => {
  using dir = tempDir({ 'w/a.txt': 'x', 'w/b.txt': 'x' });
  dir.write('factotum.toml', configOf(dir));
  await using served = startServed({ cwd: dir.path, state: dir.at('state'), env: stateOf(dir) });
  const url = await served.url;
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Answered }; // each expectation says which of both it is
  };
  const actions = [['FA_remove_file', { file_path: dir.at('w/a.txt') }]];
  const refused = await post('/actions', actions);
  expect(refused).toMatchObject({ status: 403, body: { error: { type: 'PolicyException', context: { rule: 'require_approval' } } } });
  expect((await post('/runs', actions)).status).toBe(403);
  expect((await post('/actions', actions, { 'idempotency-key': 'k1' })).status).toBe(403);
  const hash = refused.body.error?.context.plan_hash ?? '';
  expect(approve(dir).out).toContain(`  delete ${dir.at('w/a.txt')}`);
  expect(existsSync(dir.at('w/a.txt'))).toBe(true);

  expect((await post('/actions', { actions, expect_plan: hash }, { 'idempotency-key': 'k2' })).status).toBe(403);
  expect(approve(dir, hash)).toMatchObject({ code: 0, out: '✓ guest may run it once.\n' });
  const done = await post('/actions', { actions, expect_plan: hash }, { 'idempotency-key': 'k2' });
  expect(done).toMatchObject({ status: 200, body: { ok: true } });
  expect(existsSync(dir.at('w/a.txt'))).toBe(false);
  expect(await post('/actions', { actions, expect_plan: hash }, { 'idempotency-key': 'k2' })).toEqual(done);
  dir.write('w/a.txt', 'y');
  expect((await post('/actions', { actions, expect_plan: hash })).status).toBe(409);
  expect((await post(`/runs/${done.body.run_id}/undo`, {})).status).toBe(403);
  expect(existsSync(dir.at('w/a.txt'))).toBe(true);
});

test('an assistant deletes only what was approved at the command line', { timeout: 180_000 }, async () => {
  using dir = tempDir({ 'w/a.txt': 'x' });
  dir.write('factotum.toml', configOf(dir));
  const child = spawn(process.execPath, [binOf(builtPackage), 'mcp', '--root', 'w'], {
    cwd: dir.path,
    env: { ...process.env, ...stateOf(dir) },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.stdin.end();
    await ended;
  });
  const host = openHost(child.stdin, child.stdout);
  await initialize(host, '2025-11-25');
  const call = async (name: string, given: object) => (await host.request('tools/call', { name, arguments: given })).result;
  const actions = [['FA_remove_file', { file_path: 'a.txt' }]];
  const refused = await call('factotum_run', { actions });
  expect(refused.isError).toBe(true);
  const { error } = JSON.parse(refused.content[0].text);
  expect(error).toMatchObject({ type: 'PolicyException', context: { rule: 'require_approval' } });
  const hash = error.context.plan_hash;
  expect((await call('factotum_plan', { actions })).structuredContent.plan_hash).toBe(hash);
  expect((await call('factotum_run', { actions, expect_plan: hash })).isError).toBe(true);
  expect(existsSync(dir.at('w/a.txt'))).toBe(true);

  expect(approve(dir, hash)).toMatchObject({ code: 0, out: '✓ mcp may run it once.\n' });
  expect((await call('factotum_run', { actions, expect_plan: hash })).isError).not.toBe(true);
  expect(existsSync(dir.at('w/a.txt'))).toBe(false);
});
