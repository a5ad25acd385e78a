import { describe, expect, test } from 'vitest';
import type { Schedule, Watcher } from '../../../../src/services/engine/port/shelves.ts';
import { list, type Setup, submission } from './suite.ts';

const job = (name: string): Schedule => ({
  name,
  cron: '0 3 * * *',
  timezone: 'Europe/Berlin',
  body: list(),
  options: { overlap: 'skip' },
  isEnabled: true,
  createdAt: 5,
  lastSlot: null,
  lastRunId: null,
  runs: 0,
  skipped: 0,
});

const watcher = (name: string): Watcher => ({
  name,
  path: '/in',
  body: list(),
  options: { recursive: true },
  isEnabled: true,
  createdAt: 5,
});

/** Queue items, jobs, watchers and what they have seen. */
export const shelvesContract = (setup: Setup): void => {
  describe('the queue as numbered items', () => {
    const take = { worker: 'me', leaseMs: 1_000 };

    test('an item is claimed, and gone once acknowledged', async () => {
      const { store, clock } = setup();
      await using _ = store;
      const { itemId } = await store.submit(submission());
      expect(await store.queue.size('ready')).toBe(1);
      expect(await store.queue.dequeue(take)).toEqual({ id: itemId, action: list(), attempts: 1, enqueuedAt: clock.now() });
      expect(await store.queue.dequeue(take)).toBeNull();
      expect(await store.queue.size('inflight')).toBe(1);
      expect([await store.queue.ack(itemId), await store.queue.ack(itemId)]).toEqual([true, false]);
      expect(await store.queue.size('inflight')).toBe(0);
    });

    test('what another worker has is left alone by one that says who it is', async () => {
      await using store = setup().store;
      const { itemId } = await store.submit(submission());
      const [claim] = await store.claim({ worker: 'service', max: 1 });
      const back = { reason: 'mistaken', delayMs: 0, worker: 'caller' };
      expect([
        await store.queue.ack(itemId, 'caller'),
        await store.queue.nack(itemId, { ...back, requeue: true }),
        await store.queue.nack(itemId, { ...back, requeue: false }),
        await store.queue.purge(undefined, 'caller'),
      ]).toEqual([false, false, false, 0]);
      expect((await store.run(claim?.runId ?? ''))?.state).toBe('running');
      expect(await store.queue.ack(itemId, 'service')).toBe(true);
    });

    test('an item given back is due after the delay', async () => {
      const { store, clock } = setup();
      await using _ = store;
      const { itemId } = await store.submit(submission());
      await store.queue.dequeue(take);
      expect(await store.queue.nack(itemId, { requeue: true, reason: 'busy', delayMs: 100 })).toBe(true);
      expect(await store.queue.dequeue(take)).toBeNull();
      clock.pass(100);
      expect(await store.queue.dequeue(take)).toMatchObject({ id: itemId, attempts: 2 });
    });

    test('an item whose caller is gone comes back', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.submit(submission());
      await store.queue.dequeue(take);
      clock.pass(1_001);
      expect(await store.queue.dequeue(take)).toMatchObject({ attempts: 2 });
    });

    test('a buried item is listed as dead', async () => {
      await using store = setup().store;
      const { itemId } = await store.submit(submission());
      await store.queue.dequeue(take);
      await store.queue.nack(itemId, { requeue: false, reason: 'bad', delayMs: 0 });
      expect(await store.queue.dead()).toMatchObject([{ id: itemId, action: list(), attempts: 1 }]);
      expect(await store.queue.size('dead')).toBe(1);
      expect(await store.queue.nack(itemId, { requeue: true, reason: '', delayMs: 0 })).toBe(false);
    });

    test('purging takes all items and leaves the history', async () => {
      await using store = setup().store;
      const done = await store.submit(submission());
      await store.queue.dequeue(take);
      await store.queue.ack(done.itemId);
      await store.submit(submission());
      await store.submit(submission());
      await store.queue.dequeue(take);
      expect(await store.queue.purge()).toBe(2);
      expect((await store.runs()).items.map(({ runId }) => runId)).toEqual([done.runId]);
    });

    test('numbers are never used again', async () => {
      await using store = setup().store;
      const first = await store.submit(submission());
      await store.queue.purge();
      expect((await store.submit(submission())).itemId).toBeGreaterThan(first.itemId);
    });
  });

  describe('schedules', () => {
    test('are put, found, listed by name, replaced and removed', async () => {
      await using store = setup().store;
      await store.schedules.put(job('b'));
      await store.schedules.put(job('a'));
      await store.schedules.put({ ...job('b'), isEnabled: false });
      expect(await store.schedules.get('b')).toEqual({ ...job('b'), isEnabled: false });
      expect((await store.schedules.list()).map(({ name }) => name)).toEqual(['a', 'b']);
      expect(await store.schedules.remove('a')).toEqual(job('a'));
      expect(await store.schedules.remove('a')).toBeNull();
      expect(await store.schedules.get('a')).toBeNull();
      expect(await store.schedules.removeAll()).toHaveLength(1);
      expect(await store.schedules.list()).toEqual([]);
    });

    test('count their fires and skips', async () => {
      await using store = setup().store;
      await store.schedules.put(job('a'));
      await store.schedules.mark('a', { slot: 60, runId: 'r', ran: 1 });
      await store.schedules.mark('a', { skipped: 2 });
      expect(await store.schedules.get('a')).toEqual({ ...job('a'), lastSlot: 60, lastRunId: 'r', runs: 1, skipped: 2 });
    });
  });

  test('watchers are put, listed and removed', async () => {
    await using store = setup().store;
    await store.watchers.put(watcher('w'));
    expect(await store.watchers.list()).toEqual([watcher('w')]);
    expect(await store.watchers.remove('w')).toEqual(watcher('w'));
  });

  describe('the ledger', () => {
    const files = [
      { path: 'a', fingerprint: '1' },
      { path: 'b', fingerprint: '1' },
    ];

    test('gives each content of a file once', async () => {
      await using store = setup().store;
      expect(await store.ledger.take('w', files)).toEqual({ fresh: files, run: null });
      expect(await store.ledger.take('w', files)).toEqual({ fresh: [], run: null });
      const changed = { path: 'b', fingerprint: '2' };
      expect(await store.ledger.unknown('w', [...files, changed])).toEqual([changed]);
      expect((await store.ledger.take('w', [...files.slice(0, 1), changed])).fresh).toEqual([changed]);
      expect((await store.ledger.take('other', files)).fresh).toEqual(files);
    });

    test('queues the run with what is new, and none without', async () => {
      await using store = setup().store;
      const first = await store.ledger.take('w', files, submission({ source: 'watch' }));
      expect(first.run).toMatchObject({ isDuplicate: false });
      expect(await store.ledger.take('w', files, submission({ source: 'watch' }))).toEqual({ fresh: [], run: null });
      expect((await store.runs()).items).toHaveLength(1);
    });

    test('is listed in pages, forgets and is cleared', async () => {
      await using store = setup().store;
      await store.ledger.take('w', files);
      expect(await store.ledger.list('w', { limit: 1 })).toEqual(files.slice(0, 1));
      expect(await store.ledger.list('w', { after: 'a' })).toEqual(files.slice(1));
      await store.ledger.forget('w', ['a']);
      expect(await store.ledger.unknown('w', files)).toEqual(files.slice(0, 1));
      await store.ledger.clear('w');
      expect(await store.ledger.list('w')).toEqual([]);
    });
  });
};
