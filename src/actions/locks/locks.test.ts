import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { waitingActions } from '../../../test/support/waiting-actions.ts';
import { createPolicy } from '../../access/policy.ts';

const db_path = 'locks.db';

test('a lock is taken, extended and given back by its owner only, and its fence grows', async () => {
  await using house = openHouse();
  const { results } = await house.run([
    ['FA_lock_acquire', { name: 'n', ttl: 60, db_path }],
    ['FA_lock_acquire', { name: 'n', timeout: 0, db_path }],
    ['FA_lock_refresh', { name: 'n', owner: 'stranger', ttl: 60, db_path }],
    ['FA_lock_release', { name: 'n', owner: 'stranger', db_path }],
    ['FA_lock_refresh', { name: 'n', owner: '${results[0].value.owner}', ttl: 60, db_path }],
    ['FA_lock_release', { name: 'n', owner: '${results[0].value.owner}', db_path }],
    ['FA_lock_acquire', { name: 'n', owner: 'me', db_path }],
    ['FA_lock_acquire', { name: 'n', owner: 'me', timeout: 0, db_path }],
  ]);
  const [first, refused, strange, notHeld, extended, released, second, again] = results;
  expect(first?.value).toEqual({
    name: 'n',
    owner: expect.stringMatching(/^[0-9a-f]{32}$/),
    expires_at: expect.stringMatching(/Z$/),
    fence: 1,
  });
  expect([refused?.error?.type, strange?.error?.type]).toEqual(['LockTimeoutException', 'LockTimeoutException']);
  expect([notHeld?.value, released?.value]).toEqual([false, true]);
  expect(extended?.status).toBe('ok');
  expect(second?.value).toEqual({ name: 'n', owner: 'me', expires_at: null, fence: 2 });
  expect(again?.value).toEqual(second?.value);
});

test('without a store and without a file the remedy is named', async () => {
  await using house = openHouse();
  const { results } = await house.run([['FA_with_lock', { name: 'n', actions: [['FA_t_touch']] }]]);
  expect(results[0]?.error).toMatchObject({ type: 'StoreException', message: expect.stringContaining('factotum serve') });
  expect(house.touched).toBe(0);
});

test.each([
  ['FA_with_lock', { name: 'n', db_path }],
  ['FA_with_file_lock', { path: 'a.lock' }],
])('%s keeps the lists of others out while its own runs, and lets them in afterwards', async (action, place) => {
  await using house = openHouse();
  const waiting = waitingActions();
  house.factotum.registry.registerMany(waiting.actions);
  const first = house.run([[action, { ...place, actions: [['FA_t_wait', ['first']]] }]]);
  await waiting.untilBegun(1);
  const { results } = await house.run([[action, { ...place, actions: [['FA_t_touch']], timeout: 0 }]]);
  expect(results[0]?.error?.type).toBe('LockTimeoutException');
  expect(house.touched).toBe(0);
  waiting.release('first');
  expect((await first).ok).toBe(true);
  expect((await house.run([[action, { ...place, actions: [['FA_t_touch']], timeout: 0 }]])).ok).toBe(true);
  expect(house.touched).toBe(1);
});

test.each([
  ['FA_with_lock', { name: 'n', db_path }],
  ['FA_with_file_lock', { path: 'a.lock' }],
])('%s gives the lock back when its list fails', async (action, place) => {
  await using house = openHouse();
  const failing = [action, { ...place, actions: [['FA_copy_file', ['missing', 'b']]], timeout: 0 }];
  const { results } = await house.run([failing, failing]);
  expect(results.map(({ error }) => error?.type)).toEqual(['ExecuteActionException', 'ExecuteActionException']);
});

test('a caller whose rights end at a directory locks nothing outside it', async () => {
  await using house = openHouse();
  const policy = createPolicy({ readWrite: [house.dir.path] });
  const caller = { name: 'guest', remote: true, policy };
  const list = [
    ['FA_lock_acquire', { name: 'n', db_path: '/var/tmp/outside.db' }],
    ['FA_with_lock', { name: 'n', db_path: '/var/tmp/outside.db', actions: [] }],
    ['FA_with_file_lock', { path: '/etc/hostname', actions: [] }],
  ];
  const { results } = await house.factotum.run(list, { caller });
  expect(results.map(({ error }) => error?.type)).toEqual(['PolicyException', 'PolicyException', 'PolicyException']);
});

test('a store behind a link is refused', async () => {
  await using house = openHouse();
  symlinkSync('real.db', house.dir.at('link.db'));
  const { results } = await house.run([['FA_lock_acquire', { name: 'n', db_path: 'link.db' }]]);
  expect(results[0]?.error).toMatchObject({ type: 'StoreException', context: { argument: 'db_path' } });
});
