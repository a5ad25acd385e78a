import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { type Served, startServed } from '../service/served.ts';

const SECRETS = { owner: 'a-secret-of-the-owner-123', guest: 'a-secret-of-the-guest-123' };

const configuration = (root: string) => `
[log]
level = "silent"
[server]
shared_secret = "${SECRETS.owner}"
[[tokens]]
name = "guest"
secret = "${SECRETS.guest}"
roots = ["${root}"]
max_background = 2
max_queued = 10
max_schedules = 3
max_stored_mb = 1
`;

let dir: TempDir;
let served: Served;
let url = '';
beforeAll(async () => {
  dir = tempDir({ 'root/large.bin': 'x'.repeat(3_000_000), 'root/small.bin': 'x' });
  dir.write('factotum.toml', configuration(dir.at('root')));
  served = startServed({ cwd: dir.path });
  url = await served.url;
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  dir[Symbol.dispose]();
});

const ask = async (who: keyof typeof SECRETS, path: string, list?: unknown) => {
  const answer = await fetch(url + path, {
    headers: { authorization: `Bearer ${SECRETS[who]}`, 'content-type': 'application/json' },
    ...(list !== undefined && { method: 'POST', body: JSON.stringify(list) }),
  });
  // What is looked at is looked at below; the rest does not matter.
  return {
    status: answer.status,
    body: (await answer.json()) as { readonly results: readonly { readonly error?: { readonly context: object } }[] },
  };
};
const run = (who: keyof typeof SECRETS, list: unknown) => ask(who, '/actions', list);
const refusedBy = ({ body }: Awaited<ReturnType<typeof ask>>, limit: string) =>
  body.results.filter(({ error }) => (error?.context as { limit?: string } | undefined)?.limit === limit).length;
const short = [['FA_substitute', { payload: 1 }]];
const HELD = { name: 'one', ttl: 600, timeout: 0 };
const wait = [['FA_lock_acquire', { ...HELD, timeout: 600 }]];

test('lists in the background beyond a share are refused, and the owner gets in', async () => {
  await run('guest', [['FA_lock_acquire', HELD]]);
  const flood = await Promise.all(Array.from({ length: 20 }, () => ask('guest', '/runs', wait)));
  expect(flood.filter(({ status }) => status === 202)).toHaveLength(2);
  expect(flood.filter(({ status }) => status === 429)).toHaveLength(18);
  for (let count = 0; count < 5; count += 1) expect((await ask('owner', '/runs', short)).status).toBe(202);
  expect(await run('owner', short)).toMatchObject({ status: 200, body: { ok: true } });
  expect((await ask('owner', '/readyz')).body).toMatchObject({
    status: 'ready',
    used_up: [{ caller: 'guest', limit: 'max_background' }],
  });
  expect(await (await fetch(`${url}/readyz`)).json()).not.toHaveProperty('used_up');
});

test('a queue that is flooded takes as many as the share is, and the owner’s own', async () => {
  const later = ['FA_queue_enqueue', { action: short, run_at: 4_000_000_000 }];
  expect(refusedBy(await run('guest', Array(50).fill(later)), 'max_queued')).toBe(40);
  expect(await run('owner', Array(50).fill(later))).toMatchObject({ body: { ok: true } });
});

test('jobs beyond a share are refused, and the names of the owner stay free', async () => {
  const job = (name: string) => ['FA_schedule_add', { name, cron_expression: '0 3 * * *', action_list: short }];
  const jobs = Array.from({ length: 10 }, (_, at) => job(`job ${at}`));
  expect(refusedBy(await run('guest', jobs), 'max_schedules')).toBe(7);
  expect(await run('owner', jobs)).toMatchObject({ body: { ok: true } });
});

test('what a token throws away is kept for undoing up to its share; beyond it is done and said', async () => {
  const remove = (name: string) => run('guest', [['FA_remove_file', { file_path: dir.at(`root/${name}`) }]]);
  expect((await remove('small.bin')).body).not.toMatchObject({ results: [{ notes: expect.anything() }] });
  expect((await remove('large.bin')).body).toMatchObject({ ok: true, results: [{ notes: [{ kind: 'not_undoable' }] }] });
});

test('a history that is flooded keeps the newest of the token and all of the owner', async () => {
  await run('owner', [['FA_substitute', { payload: 'owner' }]]);
  const count = async (who: keyof typeof SECRETS) =>
    ((await ask(who, '/runs?limit=1000')).body as unknown as { runs: unknown[] }).runs.length;
  const before = await count('owner');
  const mine = await count('guest');
  for (let at = 0; at < 30; at += 1) await run('guest', [['FA_substitute', { payload: 'x'.repeat(50_000) }]]);
  expect(await count('guest')).toBeLessThan(mine + 12);
  expect((await count('owner')) - (await count('guest'))).toBe(before - mine);
});
