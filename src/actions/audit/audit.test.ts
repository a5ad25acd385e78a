import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { embeddedStore } from '../../services/engine/embedded/embedded-store.ts';

test('the log in a store that is named is read, counted and shortened, newest line first', async () => {
  await using house = openHouse();
  const store = embeddedStore({ file: house.dir.at('store.db'), isPrivate: false });
  await store.audit.record([
    { at: 1_000, action: 'FA_old', payload: { a: 1 }, error: 'broken' },
    { at: Date.now(), action: 'FA_new', payload: null, result: true, durationMs: 3, caller: 'owner' },
  ]);
  await store.close();
  const db_path = 'store.db';
  const { results } = await house.run([
    ['FA_audit_recent', { limit: 1, db_path }],
    ['FA_audit_purge', { older_than_seconds: 60, db_path }],
    ['FA_audit_count', { db_path }],
  ]);
  expect(results.map(({ value }) => value)).toEqual([
    [expect.objectContaining({ id: 2, action: 'FA_new', result: true, error: null, duration_ms: 3, caller: 'owner' })],
    1,
    1,
  ]);
});

test('a missing store is not made; without one nothing is written down', async () => {
  await using house = openHouse();
  const { results } = await house.run([['FA_audit_count', { db_path: 'missing.db' }], ['FA_audit_recent']]);
  expect(results.map(({ error }) => error?.type)).toEqual(['AuditException', undefined]);
  expect(results[1]?.value).toEqual([]);
  expect(house.dir.read('missing.db')).toBeUndefined();
});
