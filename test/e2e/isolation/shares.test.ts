import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPolicy, type PolicyRules } from '../../../src/access/policy.ts';
import { openHouse } from '../../support/house.ts';
import { openRunsDoor } from '../../support/runs-door.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitingActions } from '../../support/waiting-actions.ts';

const open = (rules: PolicyRules) => {
  const state = tempDir();
  const house = openHouse({ store: state.at('state/s.db'), logLevel: 'error' });
  const caller = (name: string) => ({
    name,
    remote: true,
    policy: createPolicy({ readWrite: [house.dir.path], executes: true, ...rules }),
  });
  return {
    house,
    as: (name: string) => (list: unknown) => house.factotum.run(list, { caller: caller(name) }),
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      state[Symbol.dispose]();
    },
  };
};

const refusal = (limit: string, most: number) => ({
  type: 'QuotaExceededException',
  message: expect.stringContaining(`raise ${limit}`),
  context: { limit, [limit]: most },
});

const list = [['FA_substitute', { payload: 1 }]];
const job = (name: string) => ['FA_schedule_add', { name, cron_expression: '0 3 * * *', action_list: list }];
const watcher = (name: string) => ['FA_watch_start', { name, path: '.', action_list: list }];

test.each([
  ['scheduled jobs', 'maxSchedules', 'max_schedules', job],
  ['watchers', 'maxWatchers', 'max_watchers', watcher],
] as const)('%s: a caller stores as many as it may, others and the owner theirs', async (_, rule, key, command) => {
  await using room = open({ [rule]: 2 });
  const { results } = await room.as('guest')({
    actions: ['a', 'b', 'c'].map((name) => command(name)),
    mode: 'parallel',
  });
  expect(results.map(({ error }) => error).filter((error) => error !== undefined)).toEqual([{ ...refusal(key, 2), retryable: true }]);
  expect((await room.as('other')([command('x'), command('y')])).ok).toBe(true);
  expect((await room.house.run(['p', 'q', 'r'].map((name) => command(name)))).ok).toBe(true);
  expect(room.house.factotum.shares.usedUp()).toEqual([{ caller: 'guest', key }]);
});

test('programs: a caller runs as many at once as it may, and others run theirs', async () => {
  await using room = open({ maxChildren: 2 });
  room.house.dir.write('gate', '');
  const waiting = ['FA_run_shell', { argv: ['sh', '-c', 'while [ -e gate ]; do sleep 0.01; done'], cwd: room.house.dir.path }];
  const running = room.as('guest')({ actions: [waiting, waiting], mode: 'parallel' });
  await expect.poll(() => room.house.factotum.shares.usedUp()).toEqual([{ caller: 'guest', key: 'max_children' }]);
  const quick = [['FA_run_shell', { argv: ['true'] }]];
  expect((await room.as('guest')(quick)).results[0]?.error).toMatchObject(refusal('max_children', 2));
  expect((await room.as('other')(quick)).ok).toBe(true);
  expect((await room.house.run(quick)).ok).toBe(true);
  rmSync(room.house.dir.at('gate'));
  expect((await running).ok).toBe(true);
  expect((await room.as('guest')(quick)).ok).toBe(true);
});

test('lists in the background: beyond its share a caller hears 429 and which key to raise', async () => {
  const secrets = { owner: 'owner-0123456789abcdef', guest: 'guest-0123456789abcdef' };
  const token = { name: 'guest', secret: secrets.guest, maxBackground: 2, readWrite: ['/'] };
  await using door = await openRunsDoor({ service: { sharedSecret: secrets.owner, tokens: [token] } });
  const waiting = waitingActions();
  door.house.factotum.registry.registerMany(waiting.actions);
  const post = (secret: string) =>
    fetch(`${door.url}/runs`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
      body: '[["FA_t_wait", ["a"]]]',
    });
  expect([(await post(secrets.guest)).status, (await post(secrets.guest)).status]).toEqual([202, 202]);
  const refused = await post(secrets.guest);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await refused.json()).toMatchObject({ error: refusal('max_background', 2) });
  for (let count = 0; count < 5; count += 1) expect((await post(secrets.owner)).status).toBe(202);
  await waiting.untilBegun(7);
  waiting.release('a');
  await expect.poll(async () => (await post(secrets.guest)).status).toBe(202);
});

const enqueue = (action: unknown) => ['FA_queue_enqueue', { action }];

test('the queue: 300 waiting lists of one caller take its places, and no place of others', async () => {
  await using room = open({ maxQueued: 400 });
  const { house } = room;
  const waiting = waitingActions();
  house.factotum.registry.registerMany(waiting.actions);
  for (const name of ['guest', 'other']) house.factotum.callers.set(name, { name, remote: true, policy: createPolicy({ maxQueued: 400 }) });
  await room.as('guest')(Array.from({ length: 300 }, () => enqueue([['FA_t_wait', ['guest']]])));
  await waiting.untilBegun(16);
  await room.as('other')(Array.from({ length: 20 }, (_, at) => enqueue([['FA_t_wait', [`other ${at}`]]])));
  await house.run(Array.from({ length: 40 }, (_, at) => enqueue([['FA_t_wait', [`owner ${at}`]]])));
  await waiting.untilBegun(16 + 16 + 32); // all places there are
  const begun = (whose: string) => waiting.begun.filter((name) => name.startsWith(whose)).length;
  expect([begun('guest'), begun('other'), begun('owner')]).toEqual([16, 16, 32]);
  for (let at = 0; at < 20; at += 1) waiting.release(`other ${at}`);
  await waiting.untilBegun(16 + 20 + 40);
  expect([begun('guest'), begun('other'), begun('owner')]).toEqual([16, 20, 40]);
  for (let at = 0; at < 40; at += 1) waiting.release(`owner ${at}`);
  waiting.release('guest');
  await waiting.untilBegun(300 + 20 + 40);
});

test('the queue: a caller has as many lists waiting as it may', async () => {
  await using room = open({ maxQueued: 2 });
  const later = ['FA_queue_enqueue', { action: list, run_at: 4_000_000_000 }];
  const { results } = await room.as('guest')([later, later, later]);
  expect(results.map(({ error }) => error)).toMatchObject([undefined, undefined, refusal('max_queued', 2)]);
  expect((await room.as('other')([later])).ok).toBe(true);
  expect((await room.house.run([later, later, later])).ok).toBe(true);
  expect(room.house.factotum.shares.usedUp()).toEqual([{ caller: 'guest', key: 'max_queued' }]);
});

test('the store: a caller that only reads keeps its newest runs, and those of others stay', async () => {
  await using room = open({ maxStoredBytes: 200_000 });
  const echo = (text: string) => [['FA_substitute', { payload: text.repeat(10_000) }]];
  await room.house.run(echo('o'));
  await room.as('other')(echo('b'));
  for (let count = 0; count < 40; count += 1) await room.as('guest')(echo('a'));
  const { store } = await room.house.factotum.state();
  const runsOf = async (caller: string) => (await store.runs({ caller, limit: 1_000 })).items.length;
  expect([await runsOf('owner'), await runsOf('other')]).toEqual([1, 1]);
  const kept = await runsOf('guest');
  expect(kept).toBeGreaterThan(0);
  expect(kept * 20_000).toBeLessThan(200_000);
});

const failing = [['FA_create_dir', { dir_path: '' }]];
test.each([
  ['breakers', (name: string) => ['FA_with_circuit_breaker', { name, failure_threshold: 1, recovery_timeout: 3_600, actions: failing }]],
  ['rate limits', (name: string) => ['FA_with_rate_limit', { name, rate: 0.001, burst: 1, actions: list }]],
] as const)('names of %s: a caller has as many as it may, and those it has go on', async (_, command) => {
  await using room = open({ maxNames: 2 });
  const limitsOf = async (who: (list: unknown) => ReturnType<typeof room.house.run>) =>
    (await who(['a', 'b', 'c', 'd'].map((name) => command(name)))).results.map(({ error }) => error?.context?.limit);
  expect(await limitsOf(room.as('guest'))).toEqual([undefined, undefined, 'max_names', 'max_names']);
  expect(await limitsOf(room.as('other'))).toEqual([undefined, undefined, 'max_names', 'max_names']);
  expect(await limitsOf(room.house.run)).toEqual([undefined, undefined, undefined, undefined]);
  expect(room.house.factotum.shares.usedUp()).toContainEqual({ caller: 'guest', key: 'max_names' });
});
