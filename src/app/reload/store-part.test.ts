import { expect, test } from 'vitest';
import { memoryStore } from '../../services/engine/memory/memory-store.ts';
import { createStorePart } from './store-part.ts';

const DAY_MS = 86_400_000;
const SECTION = {
  history: true,
  undo_files: 100,
  undo_bytes: 1_000,
  undo_days: 7,
  runs_days: 30,
  dead_days: 90,
  fires_days: 7,
  audit_days: 90,
};

test('what is old enough is forgotten when it starts, notifications too', async () => {
  let now = Date.now() - 8 * DAY_MS;
  await using store = memoryStore({ now: () => now });
  const [id = 0] = await store.notifications.post([{ sink: 'gone', payload: {} }]);
  await store.notifications.failed(id, { error: 'no', retryAt: null });
  await store.notifications.admit('sent long ago', 60_000);
  await store.audit.record([{ at: now - 90 * DAY_MS, action: 'FA_old', payload: null }]);
  now = Date.now();
  await store.notifications.admit('sent just now', 60_000);
  const part = createStorePart(store, SECTION);
  part.start(() => {});
  await expect.poll(() => store.audit.count()).toBe(0);
  part.close();
  expect(await store.notifications.forgetAll()).toBe(1);
  expect(await store.prune({ notificationsMs: 0 })).toMatchObject({ notifications: 0 });
});
