import { describe, expect, test } from 'vitest';
import type { Claim } from '../../../../src/services/engine/port/engine.ts';
import type { Store } from '../../../../src/services/engine/port.ts';
import { counts, ended, list, type Setup, submission } from './suite.ts';

const LEASE_MS = 10_000;
const fault = { type: 'ShellException', message: 'no', retryable: true, context: {} };

const claimOne = async (store: Store, worker = 'w'): Promise<Claim> => {
  const [claim] = await store.claim({ worker, max: 1, leaseMs: LEASE_MS });
  if (claim === undefined) throw new Error('nothing was due');
  return claim;
};

/** Who does a run, and how it ends. */
export const claimsContract = (setup: Setup): void => {
  describe('claiming', () => {
    test('gives the highest priority first, then the oldest', async () => {
      await using store = setup().store;
      for (const [name, priority] of [
        ['a', 0],
        ['b', 5],
        ['c', 0],
        ['d', 5],
      ] as const)
        await store.submit(submission({ name, priority }));
      const claims = await store.claim({ worker: 'w', max: 9 });
      expect(claims.map(({ name }) => name)).toEqual(['b', 'd', 'a', 'c']);
    });

    test('lets callers take turns, whatever priority they give their own', async () => {
      await using store = setup().store;
      for (let count = 0; count < 300; count += 1) await store.submit(submission({ caller: 'guest', priority: 9, name: `guest ${count}` }));
      for (const caller of ['other', 'owner', 'other', 'owner']) await store.submit(submission({ caller, name: caller }));
      const names = [];
      for (let count = 0; count < 6; count += 1) names.push((await claimOne(store)).name);
      expect(names).toEqual(['guest 0', 'other', 'owner', 'guest 1', 'other', 'owner']);
      expect((await store.claim({ worker: 'w', max: 9 })).map(({ caller }) => caller)).toEqual(Array(9).fill('guest'));
    });

    test('leaves callers with limits no more than their places, and the owner the rest', async () => {
      await using store = setup().store;
      for (const caller of ['a', 'b', 'c', 'owner']) for (let count = 0; count < 9; count += 1) await store.submit(submission({ caller }));
      const claim = async (max: number, held: Record<string, number>) => {
        const claims = await store.claim({ worker: 'w', max, places: { held, mostOfOne: 3, mostOfLimited: 7 } });
        return claims.map(({ caller }) => caller).join(' ');
      };
      expect(await claim(16, { a: 2 })).toBe(`a b c owner b c ${Array(8).fill('owner').join(' ')}`);
      expect(await claim(16, { a: 3, b: 3, c: 1 })).toBe('');
      expect(await claim(16, { a: 3, b: 0, c: 1 })).toBe('b c b');
    });

    test('gives nothing before it is due', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.submit(submission({ runAt: clock.now() + 1_000 }));
      expect(await store.claim({ worker: 'w', max: 1 })).toEqual([]);
      clock.pass(1_000);
      expect(await store.claim({ worker: 'w', max: 1 })).toHaveLength(1);
    });

    test('looks only into the queues it is asked for', async () => {
      await using store = setup().store;
      await store.submit(submission({ queue: 'mail' }));
      await store.submit(submission({ queue: 'host:a' }));
      expect(await store.claim({ worker: 'w', max: 9 })).toEqual([]);
      expect(await store.claim({ worker: 'w', queues: ['default', 'host:a'], max: 9 })).toHaveLength(1);
    });

    test('gives a run with tags only to a worker that has them all', async () => {
      await using store = setup().store;
      await store.submit(submission({ tags: ['gpu', 'eu'] }));
      expect(await store.claim({ worker: 'w', tags: ['gpu'], max: 9 })).toEqual([]);
      expect(await store.claim({ worker: 'w', tags: ['eu', 'gpu', 'big'], max: 9 })).toHaveLength(1);
    });

    test('writes down what runs it; a later one with more to say counts', async () => {
      await using store = setup().store;
      const { runId } = await store.submit(submission({ versions: { factotum: '1.0.0' } }));
      await store.claim({ worker: 'old', max: 1 });
      expect((await store.run(runId))?.versions).toEqual({ factotum: '1.0.0' });
      await store.abandon('old');
      await store.claim({ worker: 'new', max: 1, versions: { factotum: '2.0.0' } });
      expect((await store.run(runId))?.versions).toEqual({ factotum: '2.0.0' });
    });

    test('gives a run to one worker only', async () => {
      await using store = setup().store;
      await Promise.all(Array.from({ length: 50 }, () => store.submit(submission())));
      const claims = await Promise.all(Array.from({ length: 20 }, (_, at) => store.claim({ worker: `w${at}`, max: 5 })));
      const ids = claims.flat().map(({ runId }) => runId);
      expect([ids.length, new Set(ids).size]).toEqual([50, 50]);
    });
  });

  describe('a lease', () => {
    test('lasts as long as it is renewed', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.submit(submission());
      const claim = await claimOne(store);
      for (let beat = 0; beat < 3; beat += 1) {
        clock.pass(LEASE_MS - 1);
        expect(await store.heartbeat([claim], LEASE_MS)).toEqual({ lost: [], cancelled: [] });
        expect(await store.claim({ worker: 'other', max: 1 })).toEqual([]);
      }
    });

    test('that passed gives the run to another, and the late one is refused everything', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.submit(submission());
      const late = await claimOne(store);
      clock.pass(LEASE_MS + 1);
      const next = await claimOne(store, 'other');
      expect(next).toMatchObject({ runId: late.runId, attempt: 2 });
      expect(next.fence).toBeGreaterThan(late.fence);
      expect(await store.heartbeat([late])).toEqual({ lost: [late.runId], cancelled: [] });
      expect(await store.nodes.record(late, [{ index: 0, state: 'ok', value: 'late' }])).toEqual({ isAccepted: false });
      expect(await store.settle([ended(late)])).toEqual({ accepted: [], refused: [late.runId] });
      expect(await store.run(late.runId)).toMatchObject({ state: 'running', commands: [] });
    });

    test('that passed in the last attempt buries the run', async () => {
      const { store, clock } = setup();
      await using _ = store;
      const { runId } = await store.submit(submission({ maxAttempts: 1 }));
      await claimOne(store);
      clock.pass(LEASE_MS + 1);
      expect(await store.claim({ worker: 'w', max: 1 })).toEqual([]);
      expect(await store.run(runId)).toMatchObject({ state: 'dead', error: { type: 'QueueException' } });
    });

    test('of a worker known to be gone need not pass', async () => {
      await using store = setup().store;
      await store.submit(submission());
      await claimOne(store, 'gone');
      expect(await store.abandon('gone')).toBe(1);
      expect(await claimOne(store)).toMatchObject({ attempt: 2 });
    });
  });

  describe('settling', () => {
    test('twice is accepted and changes nothing', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.submit(submission());
      const claim = await claimOne(store);
      expect(await store.settle([ended(claim)])).toEqual({ accepted: [claim.runId], refused: [] });
      const before = await store.run(claim.runId);
      clock.pass(5);
      expect(await store.settle([{ ...ended(claim), end: 'failed' }])).toEqual({ accepted: [claim.runId], refused: [] });
      expect(await store.run(claim.runId)).toEqual(before);
    });

    test('writes the last news of commands in the same moment', async () => {
      await using store = setup().store;
      await store.submit(submission());
      const claim = await claimOne(store);
      await store.settle([{ ...ended(claim), commands: [{ index: 0, action: 'FA_x', state: 'ok', value: { a: 1 }, durationMs: 1 }] }]);
      expect(await store.run(claim.runId)).toMatchObject({
        state: 'ok',
        counts,
        commands: [{ action: 'FA_x', state: 'ok', value: { a: 1 } }],
      });
    });

    test('for another try waits until then, and buries after the last', async () => {
      const { store, clock } = setup();
      await using _ = store;
      const { runId } = await store.submit(submission({ maxAttempts: 2 }));
      await store.settle([{ ...(await claimOne(store)), end: 'retry', runAt: clock.now() + 500, error: fault }]);
      expect(await store.claim({ worker: 'w', max: 1 })).toEqual([]);
      expect(await store.run(runId)).toMatchObject({ state: 'queued', attempt: 1, error: fault });
      clock.pass(500);
      await store.settle([{ ...(await claimOne(store)), end: 'retry', runAt: clock.now(), error: fault }]);
      expect(await store.run(runId)).toMatchObject({ state: 'dead', attempt: 2 });
    });

    test('an unknown run is refused', async () => {
      await using store = setup().store;
      expect(await store.settle([ended({ runId: 'none', attempt: 1, fence: 1 })])).toEqual({ accepted: [], refused: ['none'] });
    });
  });

  describe('cancelling', () => {
    test('a waiting run ends it, a running one is told at its next heartbeat, a finished one stays', async () => {
      await using store = setup().store;
      const { runId } = await store.submit(submission());
      expect(await store.cancel(runId)).toBe('cancelled');
      expect(await store.cancel(runId)).toBe('finished');
      await store.submit(submission());
      const claim = await claimOne(store);
      expect(await store.cancel(claim.runId)).toBe('requested');
      expect(await store.heartbeat([claim])).toEqual({ lost: [], cancelled: [claim.runId] });
      await store.settle([{ ...ended(claim), end: 'cancelled' }]);
      expect(await store.cancel(claim.runId)).toBe('finished');
    });

    test('is not forgotten when the worker dies', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.submit(submission());
      const { runId } = await claimOne(store);
      await store.cancel(runId);
      clock.pass(LEASE_MS + 1);
      expect(await store.claim({ worker: 'w', max: 1 })).toEqual([]);
      expect(await store.run(runId)).toMatchObject({ state: 'cancelled' });
    });

    test('an unknown run is told', async () => {
      await using store = setup().store;
      await expect(store.cancel('none')).rejects.toMatchObject({ type: 'QueueException', context: { run_id: 'none' } });
    });
  });

  describe('after a crash', () => {
    const plan = [
      { index: 0, action: 'FA_a', isIdempotent: true },
      { index: 1, action: 'FA_b', isIdempotent: true },
      { index: 2, action: 'FA_c', isIdempotent: false },
    ];
    /** A run whose worker died while the command at `at` ran; those before it had ended. */
    const crashedAt = async ({ store, clock }: ReturnType<Setup>, at: number) => {
      await store.submit(submission({ body: [...list(), ...list(), ...list()] }));
      const claim = await claimOne(store);
      await store.nodes.plan(claim, plan);
      for (let index = 0; index < at; index += 1) await store.nodes.record(claim, [{ index, state: 'ok', value: index }]);
      await store.nodes.record(claim, [{ index: at, state: 'running' }]);
      clock.pass(LEASE_MS + 1);
      return claim.runId;
    };

    test('finished commands are known, and an idempotent one waits again', async () => {
      const setUp = setup();
      await using store = setUp.store;
      await crashedAt(setUp, 1);
      const { earlier } = await claimOne(store);
      expect(earlier.map(({ state, value }) => [state, value])).toEqual([
        ['ok', 0],
        ['waiting', undefined],
        ['waiting', undefined],
      ]);
    });

    test('one that may not be repeated waits for a verdict, and nobody gets the run', async () => {
      const setUp = setup();
      await using store = setUp.store;
      const runId = await crashedAt(setUp, 2);
      expect(await store.claim({ worker: 'w', max: 9 })).toEqual([]);
      expect(await store.run(runId)).toMatchObject({ state: 'indeterminate', commands: [{}, {}, { state: 'indeterminate' }] });
      expect((await store.runs({ states: ['indeterminate'] })).items).toHaveLength(1);
    });

    test.each([
      ['done', { state: 'ok', value: null }],
      ['fail', { state: 'failed', error: { type: 'QueueException' } }],
      ['retry', { state: 'waiting' }],
    ] as const)('the verdict %s lets the run go on', async (verdict, expected) => {
      const setUp = setup();
      await using store = setUp.store;
      const runId = await crashedAt(setUp, 2);
      await store.claim({ worker: 'w', max: 9 });
      await store.verdict(runId, 2, verdict);
      const claim = await claimOne(store);
      expect(claim).toMatchObject({ runId, attempt: 2, earlier: [{ state: 'ok' }, { state: 'ok' }, expected] });
      await expect(store.verdict(runId, 2, 'done')).rejects.toMatchObject({ type: 'QueueException' });
    });

    test('a run goes on only when every command in doubt is judged', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.submit(submission({ maxAttempts: 1 }));
      const claim = await claimOne(store);
      await store.nodes.record(claim, [
        { index: 0, action: 'FA_a', state: 'running' },
        { index: 1, action: 'FA_b', state: 'running' },
      ]);
      clock.pass(LEASE_MS + 1);
      await store.claim({ worker: 'w', max: 1 });
      await store.verdict(claim.runId, 0, 'done');
      expect(await store.claim({ worker: 'w', max: 1 })).toEqual([]);
      await store.verdict(claim.runId, 1, 'retry');
      expect(await claimOne(store)).toMatchObject({ attempt: 2 });
    });

    test('a run in doubt can be cancelled instead', async () => {
      const setUp = setup();
      await using store = setUp.store;
      const runId = await crashedAt(setUp, 2);
      await store.claim({ worker: 'w', max: 9 });
      expect(await store.cancel(runId)).toBe('cancelled');
      await expect(store.verdict(runId, 2, 'retry')).rejects.toMatchObject({ type: 'QueueException' });
      await expect(store.verdict('none', 2, 'retry')).rejects.toMatchObject({ type: 'QueueException', context: { run_id: 'none' } });
    });

    test('a worker that does not know how a command ended leaves it to a verdict, too', async () => {
      await using store = setup().store;
      await store.submit(submission());
      const claim = await claimOne(store);
      const commands = [{ index: 0, action: 'FA_x', state: 'indeterminate' as const }];
      await store.settle([{ ...ended(claim), end: 'indeterminate', commands }]);
      expect(await store.run(claim.runId)).toMatchObject({ state: 'indeterminate', endedAt: null });
      await store.verdict(claim.runId, 0, 'done');
      expect(await claimOne(store)).toMatchObject({ earlier: [{ state: 'ok', value: null }] });
    });

    test('a command of which nothing was said counts as one that may not be repeated', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.submit(submission());
      const claim = await claimOne(store);
      await store.nodes.record(claim, [{ index: 0, action: 'FA_x', state: 'running' }]);
      clock.pass(LEASE_MS + 1);
      await store.claim({ worker: 'w', max: 1 });
      expect(await store.run(claim.runId)).toMatchObject({ state: 'indeterminate' });
    });
  });
};
