import { expect, test } from 'vitest';
import { manualTime } from '../../../test/support/manual-time.ts';
import { manualWait } from '../../../test/support/manual-wait.ts';
import { memoryStore } from '../engine/memory/memory-store.ts';
import { createLocks } from './locks.ts';

const open = () => {
  const time = manualTime('2026-01-01T00:00:00Z');
  const store = memoryStore({ now: time.clock.now });
  let ids = 0;
  const locks = createLocks({
    store: async () => store,
    openStore: () => Promise.reject(new Error('not needed')),
    clock: time.clock,
    wait: manualWait(time),
    newId: () => `id-${++ids}`,
  });
  return { time, store, locks, [Symbol.asyncDispose]: () => store.close() };
};

const place = { name: 'nightly', dbPath: null };
const { signal } = new AbortController();
const atOnce = { timeoutS: 0, signal };

test('one owner has it; the next gets it when it is given back, with a higher fence', async () => {
  await using room = open();
  const first = await room.locks.acquire(place, { owner: 'a', ttlS: null }, atOnce);
  expect(first).toMatchObject({ name: 'nightly', owner: 'a', expiresAt: null });
  await expect(room.locks.acquire(place, { owner: 'b', ttlS: null }, atOnce)).rejects.toMatchObject({
    type: 'LockTimeoutException',
    retryable: true,
  });
  const waiting = room.locks.acquire(place, { owner: 'b', ttlS: null }, { timeoutS: 10, signal });
  await room.time.advance(1_000);
  expect(await room.locks.release(place, 'b')).toBe(false);
  expect(await room.locks.release(place, 'a')).toBe(true);
  await room.time.advance(50);
  expect((await waiting).fence).toBeGreaterThan(first.fence);
});

test('who waits gives up when its time is over', async () => {
  await using room = open();
  await room.locks.acquire(place, { owner: 'a', ttlS: null }, atOnce);
  const refused = expect(room.locks.acquire(place, { owner: 'b', ttlS: null }, { timeoutS: 1, signal })).rejects.toThrow(
    'was not free within 1 s',
  );
  await room.time.advance(1_100);
  await refused;
});

test('an owner whose time ran out cannot extend what is no longer its own', async () => {
  await using room = open();
  await room.locks.acquire(place, { owner: 'a', ttlS: 5 }, atOnce);
  expect((await room.locks.refresh(place, { owner: 'a', ttlS: 5 })).expiresAt).toBe(room.time.clock.now() + 5_000);
  await room.time.advance(5_001);
  await expect(room.locks.refresh(place, { owner: 'a', ttlS: 5 })).rejects.toMatchObject({ type: 'LockTimeoutException' });
});

test('a lock that is held during long work is renewed, and free afterwards', async () => {
  await using room = open();
  let end: () => void = () => {};
  const holding = room.locks.hold(place, { ...atOnce, ttlS: 3 }, () => new Promise<void>((resolve) => (end = resolve)));
  await room.time.advance(60_000);
  expect(await room.store.locks.get('nightly')).not.toBeNull();
  end();
  await holding;
  expect(await room.store.locks.get('nightly')).toBeNull();
});

test('work whose lock was lost is stopped and fails', async () => {
  await using room = open();
  const holding = room.locks.hold(
    place,
    { ...atOnce, ttlS: 3 },
    (own) => new Promise((_, reject) => own.addEventListener('abort', () => reject(own.reason))),
  );
  const failed = expect(holding).rejects.toMatchObject({ type: 'LockTimeoutException', message: expect.stringContaining('lost') });
  await room.time.advance(100);
  const [held] = await room.store.locks.list();
  await room.store.locks.release({ name: 'nightly', owner: held?.owner ?? '' }); // as if it had expired while the machine slept
  await room.locks.acquire(place, { owner: 'thief', ttlS: null }, atOnce);
  await room.time.advance(1_000);
  await failed;
  expect((await room.store.locks.get('nightly'))?.owner).toBe('thief');
});

test('without a store the remedy is named', async () => {
  const locks = createLocks({
    store: async () => undefined,
    openStore: () => Promise.reject(new Error('no')),
    clock: manualTime('2026-01-01T00:00:00Z').clock,
    newId: () => 'x',
  });
  await expect(locks.release(place, 'a')).rejects.toMatchObject({ type: 'StoreException', message: expect.stringContaining('db_path') });
});

test('who waits is served in the order of coming, though the one before comes again at once', async () => {
  await using room = open();
  const order: string[] = [];
  const held = (who: string) =>
    room.locks.hold({ name: 'busy', dbPath: null }, { timeoutS: null, ttlS: null, signal }, async () => void order.push(who));
  /** Takes the lock again as soon as it has given it back: it always looks first. */
  const greedy = async () => {
    for (let round = 0; round < 5; round += 1) await held('greedy');
  };
  await Promise.all([greedy(), held('b'), held('c')]); // no time passes: each is told when it is free
  expect(order).toEqual(['greedy', 'b', 'c', 'greedy', 'greedy', 'greedy', 'greedy']);
});

test('who has the lock gets it again past those who wait, and one who gives up holds up nobody', async () => {
  await using room = open();
  const first = await room.locks.acquire(place, { owner: 'a', ttlS: null }, atOnce);
  const impatient = expect(room.locks.acquire(place, { owner: 'b', ttlS: null }, { timeoutS: 1, signal })).rejects.toThrow('within 1 s');
  const patient = room.locks.acquire(place, { owner: 'c', ttlS: null }, { timeoutS: 10, signal });
  await room.time.advance(100);
  expect((await room.locks.acquire(place, { owner: 'a', ttlS: null }, atOnce)).fence).toBe(first.fence);
  await room.time.advance(1_000);
  await impatient;
  await room.locks.release(place, 'a');
  await room.time.advance(50);
  expect((await patient).owner).toBe('c');
});
