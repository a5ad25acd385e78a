import { expect, test } from 'vitest';
import { createPolicy } from '../../../src/access/policy.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { tempDir } from '../../support/temp-dir.ts';

const open = (sharedNames: readonly string[] = []) => {
  const state = tempDir();
  const inner = openHouse({ store: state.at('state/s.db'), logLevel: 'error' });
  const house = Object.create(inner, {
    [Symbol.asyncDispose]: {
      value: async () => {
        await inner[Symbol.asyncDispose]();
        state[Symbol.dispose]();
      },
    },
  }) as TestHouse; // the same house, which clears its state away too
  const callerOf = (name: string) => ({ name, remote: true, policy: createPolicy({ readWrite: [house.dir.path], sharedNames }) });
  return { house, as: (name: string) => async (list: unknown) => (await house.factotum.run(list, { caller: callerOf(name) })).results };
};

const take = (more: object = { ttl: 60 }) => ['FA_lock_acquire', { name: 'deploy', timeout: 0, ...more }];
const trip = ['FA_with_circuit_breaker', { name: 'tape', failure_threshold: 1, actions: [['FA_fail', { message: 'no' }]] }];
const drain = ['FA_with_rate_limit', { name: 'mails', rate: 0.001, burst: 1, timeout: 0, actions: [] }];
const state = ['FA_circuit_state', { name: 'tape' }];

test('what a limited caller names is its own', async () => {
  const { house, as } = open();
  await using _house = house;
  const [guest, other] = [as('guest'), as('other')];
  const [taken, , drained] = await guest([take(), trip, drain]);
  expect(taken?.value).toMatchObject({ name: 'deploy' });
  expect(drained?.status).toBe('ok');
  expect((await guest([state]))[0]?.value).toBe('open');
  for (const run of [other, async (list: unknown) => (await house.run(list)).results]) {
    const results = await run([take(), state, drain]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect(results[1]?.value).toBe('closed');
  }
  expect((await guest([take()]))[0]?.error?.type).toBe('LockTimeoutException');
});

test('a limited caller cannot reset or release what others hold', async () => {
  const { house, as } = open();
  await using _house = house;
  const { results } = await house.run([take({ owner: 'me', ttl: 60 }), trip]);
  expect(results[0]?.status).toBe('ok');
  const [released] = await as('guest')([
    ['FA_lock_release', { name: 'deploy', owner: 'me' }],
    ['FA_circuit_reset', { name: 'tape' }],
  ]);
  expect(released?.value).toBe(false);
  expect((await house.run([state])).results[0]?.value).toBe('open');
});

test('a name that the owner shares is everybody’s', async () => {
  const { house, as } = open(['deploy']);
  await using _house = house;
  await as('guest')([take()]);
  expect((await house.run([take()])).results[0]?.error?.type).toBe('LockTimeoutException');
});

test('only the owner takes a lock for ever', async () => {
  const { house, as } = open();
  await using _house = house;
  expect((await as('guest')([take({ ttl: null })]))[0]?.error).toMatchObject({ type: 'PolicyException', context: { rule: 'locks' } });
  expect((await house.run([take({ ttl: null })])).ok).toBe(true);
});
