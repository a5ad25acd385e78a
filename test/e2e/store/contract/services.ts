import { describe, expect, test } from 'vitest';
import type { Setup } from './suite.ts';

/** Locks, audit, transfers, notifications, undo, approvals and the states of services. */
export const servicesContract = (setup: Setup): void => {
  describe('locks', () => {
    test('are held by one, and the fence grows with every change of hands', async () => {
      const { store, clock } = setup();
      await using _ = store;
      const first = await store.lock('l', 1_000);
      expect(await store.lock('l', 1_000)).toBeNull();
      clock.pass(999);
      expect(await first?.renew()).toBe(true);
      clock.pass(1_000);
      const second = await store.lock('l', 1_000);
      expect(second?.fence).toBeGreaterThan(first?.fence ?? 0n);
      expect([await first?.renew(), await first?.release()]).toEqual([false, false]);
      expect(await second?.release()).toBe(true);
      const third = await store.lock('l', 1_000);
      expect(third?.fence).toBeGreaterThan(second?.fence ?? 0n);
    });

    test('belong to an owner, who may take them again and keep them without end', async () => {
      const { store, clock } = setup();
      await using _ = store;
      const mine = { name: 'l', owner: 'me', ttlMs: null };
      const lock = await store.locks.acquire(mine);
      expect(lock).toMatchObject({ name: 'l', owner: 'me', expiresAt: null });
      clock.pass(1e9);
      expect(await store.locks.acquire({ ...mine, owner: 'you' })).toBeNull();
      expect(await store.locks.acquire({ ...mine, ttlMs: 5 })).toEqual({ ...lock, expiresAt: clock.now() + 5 });
      expect(await store.locks.refresh({ ...mine, owner: 'you' })).toBeNull();
      expect(await store.locks.list()).toHaveLength(1);
      expect(await store.locks.release({ name: 'l', owner: 'you' })).toBe(false);
      expect(await store.locks.release({ name: 'l', owner: 'me' })).toBe(true);
      expect(await store.locks.get('l')).toBeNull();
    });

    test('twenty that race get one', async () => {
      await using store = setup().store;
      const held = await Promise.all(Array.from({ length: 20 }, () => store.lock('l', 1_000)));
      expect(held.filter((lock) => lock !== null)).toHaveLength(1);
    });
  });

  test('the audit log gives the newest first, counts, and drops what is old', async () => {
    const { store, clock } = setup();
    await using _ = store;
    const entry = {
      at: clock.now(),
      action: 'FA_x',
      caller: 'ci',
      runId: 'r',
      payload: { a: 1 },
      result: null,
      error: null,
      durationMs: 2.5,
    };
    await store.audit.record([entry, { at: clock.now() + 10, action: 'FA_y', payload: [], error: 'no' }]);
    expect(await store.audit.recent(1)).toMatchObject([{ action: 'FA_y', payload: [], caller: null, error: 'no', durationMs: null }]);
    expect(await store.audit.recent(9)).toMatchObject([{ action: 'FA_y' }, entry]);
    clock.pass(15);
    expect(await store.audit.purge(10)).toBe(1);
    expect(await store.audit.count()).toBe(1);
  });

  test('transfers are known until they are removed or too old', async () => {
    const { store, clock } = setup();
    await using _ = store;
    await store.transfers.put('a', { offset: 1 });
    await store.transfers.put('a', { offset: 2 });
    expect(await store.transfers.get('a')).toEqual({ key: 'a', state: { offset: 2 }, updatedAt: clock.now() });
    expect([await store.transfers.remove('a'), await store.transfers.remove('a')]).toEqual([true, false]);
    await store.transfers.put('b', {});
    clock.pass(100);
    await store.transfers.put('c', {});
    await store.prune({ transfersMs: 50 });
    expect((await store.transfers.list()).map(({ key }) => key)).toEqual(['c']);
  });

  describe('notifications', () => {
    test('like the last one sent are held back inside the window and counted', async () => {
      const { store, clock } = setup();
      await using _ = store;
      expect(await store.notifications.admit('d', 60)).toEqual({ isNew: true, heldBack: 0 });
      clock.pass(59);
      expect(await store.notifications.admit('d', 60)).toEqual({ isNew: false, heldBack: 1 });
      clock.pass(1);
      expect(await store.notifications.admit('d', 60)).toEqual({ isNew: true, heldBack: 1 });
      expect(await store.notifications.admit('other', 60)).toEqual({ isNew: true, heldBack: 0 });
      expect(await store.notifications.forgetAll()).toBe(2);
      expect(await store.notifications.admit('d', 60)).toEqual({ isNew: true, heldBack: 0 });
    });

    test('are not held back by one that a clock set back shows in the future', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.notifications.admit('d', 60);
      clock.pass(-1_000);
      expect(await store.notifications.admit('d', 60)).toEqual({ isNew: true, heldBack: 0 });
    });

    test('wait in the outbox until they are sent or given up', async () => {
      const { store, clock } = setup();
      await using _ = store;
      const [first = 0, second = 0] = await store.notifications.post([
        { sink: 's', payload: { n: 1 } },
        { sink: 's', payload: { n: 2 }, dueAt: clock.now() + 10 },
      ]);
      const lease = { max: 9, leaseMs: 100 };
      expect(await store.notifications.due(lease)).toMatchObject([{ id: first, sink: 's', payload: { n: 1 }, attempts: 1, error: null }]);
      expect(await store.notifications.due(lease)).toEqual([]);
      await store.notifications.failed(first, { error: 'no', retryAt: clock.now() + 5 });
      clock.pass(5);
      expect(await store.notifications.due(lease)).toMatchObject([{ id: first, attempts: 2, error: 'no' }]);
      clock.pass(100);
      expect((await store.notifications.due(lease)).map(({ id, attempts }) => [id, attempts])).toEqual([
        [second, 1],
        [first, 3],
      ]);
      await store.notifications.sent(second);
      await store.notifications.failed(first, { error: 'no', retryAt: null });
      clock.pass(1e6);
      expect(await store.notifications.due(lease)).toEqual([]);
      expect(await store.notifications.waiting()).toBe(0);
      expect(await store.prune({ notificationsMs: 10 })).toMatchObject({ notifications: 1 });
    });
  });

  test('undo entries come back latest first and know what became of them', async () => {
    const { store, clock } = setup();
    await using _ = store;
    const inverse = (name: string) => ({ undo: 'put_back', path: name, kept: { at: '/kept' } });
    const last = await store.undo.append('r', [
      { index: 0, inverse: inverse('a'), bytes: 10 },
      { index: 1, inverse: inverse('b'), bytes: 5 },
    ]);
    clock.pass(10);
    await store.undo.append('q', [{ index: 0, inverse: { undo: 'put_back_tree', kept: { files: 4 } }, bytes: 1 }]);
    const entries = await store.undo.list('r');
    expect(entries).toMatchObject([
      { number: last, index: 1, inverse: inverse('b'), bytes: 5, state: 'pending' },
      { index: 0, state: 'pending' },
    ]);
    await store.undo.mark('r', [last], 'undone');
    await store.undo.mark('q', [last], 'refused');
    expect((await store.undo.list('r')).map(({ state }) => state)).toEqual(['undone', 'pending']);
    expect(await store.undo.usage()).toEqual({
      bytes: 11,
      files: 5,
      runs: [
        { runId: 'r', caller: null, bytes: 10, files: 1, at: clock.now() - 10 },
        { runId: 'q', caller: null, bytes: 1, files: 4, at: clock.now() },
      ],
    });
    expect(await store.undo.remove('r')).toBe(2);
    expect(await store.undo.list('r')).toEqual([]);
  });

  describe('approvals', () => {
    const plan = { planHash: 'h', caller: 'token', summary: { deletes: 3 } };

    test('are used up by the caller who asked, once', async () => {
      const { store, clock } = setup();
      await using _ = store;
      expect(await store.approvals.approve('h', 'owner', 1_000)).toEqual([]);
      await store.approvals.propose(plan);
      expect(await store.approvals.consume('h', 'token')).toBe(false);
      expect(await store.approvals.approve('h', 'owner', 1_000)).toEqual([
        { ...plan, proposedAt: clock.now(), approvedBy: 'owner', approvedAt: clock.now(), expiresAt: clock.now() + 1_000 },
      ]);
      expect(await store.approvals.consume('h', 'other')).toBe(false);
      expect([await store.approvals.consume('h', 'token'), await store.approvals.consume('h', 'token')]).toEqual([true, false]);
    });

    test('are given to and taken from one caller of several', async () => {
      const { store } = setup();
      await using _ = store;
      for (const caller of ['token', 'other', 'third']) await store.approvals.propose({ ...plan, caller });
      expect((await store.approvals.approve('h', 'owner', 1_000, 'other')).map(({ caller }) => caller)).toEqual(['other']);
      expect([await store.approvals.consume('h', 'token'), await store.approvals.consume('h', 'other')]).toEqual([false, true]);
      expect(await store.approvals.revoke('h', 'token')).toBe(1);
      expect((await store.approvals.list()).map(({ caller }) => caller)).toEqual(['third']);
    });

    test('do not outlive their time, and asking again does not renew them', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.approvals.propose(plan);
      await store.approvals.approve('h', 'owner', 1_000);
      clock.pass(1_000);
      await store.approvals.propose(plan);
      expect(await store.approvals.consume('h', 'token')).toBe(false);
      expect(await store.approvals.list()).toHaveLength(1);
      expect(await store.approvals.revoke('h')).toBe(1);
      expect(await store.approvals.list()).toEqual([]);
    });

    test('wait in bounded numbers, the newest of each caller', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.approvals.propose({ ...plan, caller: 'other' });
      for (let at = 0; at < 102; at += 1) {
        clock.pass(1);
        await store.approvals.propose({ ...plan, planHash: `h${at}` });
        if (at === 0) await store.approvals.approve('h0', 'owner', 1_000);
      }
      const hashes = (await store.approvals.list()).map(({ planHash }) => planHash);
      expect(hashes).toHaveLength(102);
      expect([hashes.includes('h'), hashes.includes('h0'), hashes.includes('h1'), hashes.includes('h2')]).toEqual([
        true,
        true,
        false,
        true,
      ]);
    });
  });

  test('services keep states under their own kind', async () => {
    await using store = setup().store;
    await store.states.put('breaker', 'b', { failures: 1 });
    await store.states.put('breaker', 'a', null);
    await store.states.put('sink', 'b', 'other');
    expect(await store.states.list('breaker')).toEqual([
      { name: 'a', state: null },
      { name: 'b', state: { failures: 1 } },
    ]);
    expect(await store.states.get('sink', 'b')).toBe('other');
    expect([await store.states.remove('sink', 'b'), await store.states.get('sink', 'b')]).toEqual([true, null]);
  });

  test('a state is swapped only where it is the one that was read', async () => {
    await using store = setup().store;
    const { swap, get, put } = store.states;
    expect([await swap('limit', 'a', null, { left: 2 }), await swap('limit', 'a', null, { left: 9 })]).toEqual([true, false]);
    const takers = await Promise.all(Array.from({ length: 5 }, () => swap('limit', 'a', { left: 2 }, { left: 1 })));
    expect(takers.filter(Boolean)).toHaveLength(1);
    expect([await swap('limit', 'a', { left: 2 }, null), await swap('limit', 'a', { left: 1 }, null)]).toEqual([false, true]);
    expect(await get('limit', 'a')).toBeNull();
    await put('limit', 'b', null);
    expect([await swap('limit', 'b', null, 1), await swap('limit', 'c', null, null), await get('limit', 'b')]).toEqual([true, true, 1]);
  });
};
