import { describe, expect, test } from 'vitest';
import type { CommandChange } from '../../../../src/services/engine/port/runs.ts';
import { list, type Setup, submission } from './suite.ts';

const DAY_MS = 24 * 3_600_000;
const NOTHING = { ok: 0, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };
const ERROR = { type: 'PolicyException', message: 'not approved', retryable: false, context: {} };

/** How runs come in. */
export const submitContract = (setup: Setup): void => {
  describe('submitting', () => {
    test('keeps the list as written, with who asked and what for', async () => {
      const { store, clock } = setup();
      await using _ = store;
      const facts = { name: 'nightly', mode: 'parallel', planHash: 'abc', parent: 'p', versions: { factotum: '1.0.0' } };
      const { runId } = await store.submit(submission({ ...facts, body: { actions: list('${date}') }, options: { event: 1 } }));
      expect(await store.run(runId)).toMatchObject({
        ...facts,
        runId,
        body: { actions: list('${date}') },
        options: { event: 1 },
        state: 'queued',
        submittedAt: clock.now(),
        commands: [],
      });
    });

    test('sixty-four callers with one key get one run', async () => {
      await using store = setup().store;
      const answers = await Promise.all(Array.from({ length: 64 }, () => store.submit(submission({ key: 'k' }))));
      expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1);
      expect(answers.filter(({ isDuplicate }) => !isDuplicate)).toHaveLength(1);
      expect((await store.runs()).items).toHaveLength(1);
    });

    test('a known key with another list is told', async () => {
      await using store = setup().store;
      await store.submit(submission({ key: 'k' }));
      expect(await store.submit(submission({ key: 'k' }))).toMatchObject({ isDuplicate: true, isSameBody: true });
      expect(await store.submit(submission({ key: 'k', body: list('other') }))).toMatchObject({ isDuplicate: true, isSameBody: false });
    });

    test('the key of one caller says nothing to another', async () => {
      await using store = setup().store;
      await store.submit(submission({ key: 'k' }));
      expect(await store.submit(submission({ key: 'k', caller: 'token' }))).toMatchObject({ isDuplicate: false });
    });

    test('a key is forgotten after a day', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.submit(submission({ key: 'k' }));
      clock.pass(DAY_MS - 1);
      expect(await store.submit(submission({ key: 'k' }))).toMatchObject({ isDuplicate: true });
      clock.pass(1);
      expect(await store.submit(submission({ key: 'k' }))).toMatchObject({ isDuplicate: false });
    });

    test('a run that was refused before anything of it ran gives its key back', async () => {
      await using store = setup().store;
      const refused = async (commands: readonly CommandChange[]) => {
        const { runId, claim } = await store.submit(submission({ key: 'k', claim: { worker: 'me' } }));
        if (claim === undefined) throw new Error('The key is taken.');
        const { attempt, fence } = claim;
        if (commands.length > 0) await store.nodes.record(claim, commands);
        await store.settle([{ runId, attempt, fence, end: 'failed', counts: NOTHING, durationMs: 0, error: ERROR }]);
        return runId;
      };
      const first = await refused([]);
      const second = await refused([{ index: 0, action: 'FA_a', state: 'running', startedAt: 1 }]); // and then refused when it went on
      expect(second).not.toBe(first);
      expect(await store.run(first)).toMatchObject({ state: 'failed', error: ERROR });
      expect(await store.submit(submission({ key: 'k' }))).toMatchObject({ isDuplicate: true, runId: second });
    });

    test('a known id adds nothing', async () => {
      await using store = setup().store;
      await store.submit(submission({ runId: 'r' }));
      expect(await store.submit(submission({ runId: 'r' }))).toMatchObject({ runId: 'r', isDuplicate: true });
    });

    test('ids made later sort later', async () => {
      const { store, clock } = setup();
      await using _ = store;
      const first = await store.submit(submission());
      clock.pass(1);
      const second = await store.submit(submission());
      expect(first.runId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(first.runId < second.runId).toBe(true);
    });

    test('a run can start at once in the hands of its caller', async () => {
      await using store = setup().store;
      const { claim, runId } = await store.submit(submission({ claim: { worker: 'me' } }));
      expect(claim).toMatchObject({ runId, attempt: 1, body: list() });
      expect(await store.claim({ worker: 'other', max: 9 })).toEqual([]);
      expect(await store.run(runId)).toMatchObject({ state: 'running', owner: 'me' });
    });
  });

  test('whoever waits for work hears of a queued run, until they have heard enough', async () => {
    await using store = setup().store;
    let heard = 0;
    const stop = store.onQueued(() => {
      heard += 1;
    });
    await store.submit(submission());
    await store.fire('job', 1, submission());
    expect(heard).toBe(2);
    stop();
    await store.submit(submission());
    expect(heard).toBe(2);
  });

  describe('a schedule', () => {
    test('fires once per slot, however many ask', async () => {
      await using store = setup().store;
      const slots = Array.from({ length: 20 }, (_, slot) => slot);
      const fires = await Promise.all(slots.flatMap((slot) => Array.from({ length: 8 }, () => store.fire('job', slot))));
      expect(fires.filter(Boolean)).toHaveLength(20);
      expect(await store.fire('other', 0)).toBe(true);
    });

    test('queues its run in the same moment', async () => {
      await using store = setup().store;
      expect(await store.fire('job', 1, submission({ runId: 'derived' }))).toBe(true);
      expect(await store.fire('job', 1, submission({ runId: 'other' }))).toBe(false);
      expect((await store.runs()).items.map(({ runId }) => runId)).toEqual(['derived']);
    });
  });

  describe('the share of a caller', () => {
    const share = { queued: 3, storedBytes: 50_000 };
    const large = (letters: number) => submission({ caller: 'guest', body: ['x'.repeat(letters)], share });

    test('is so many runs that wait; others wait as well as ever', async () => {
      await using store = setup().store;
      for (let count = 0; count < 3; count += 1) await store.submit(submission({ caller: 'guest', share }));
      const refused = { type: 'QuotaExceededException', context: { limit: 'max_queued' } };
      await expect(store.submit(submission({ caller: 'guest', share }))).rejects.toMatchObject(refused);
      await expect(store.fire('job', 1, submission({ caller: 'guest', share }))).rejects.toMatchObject(refused);
      await store.submit(submission({ caller: 'other', share }));
      await store.submit(submission());
      await store.claim({ worker: 'w', max: 1 });
      await store.submit(submission({ caller: 'guest', share }));
      expect(await store.queue.size('ready')).toBe(5);
    });

    test('is so many bytes; what waits is not given up for what comes', async () => {
      await using store = setup().store;
      const first = await store.submit(large(30_000));
      const refused = { type: 'QuotaExceededException', context: { limit: 'max_stored_mb' } };
      await expect(store.submit(large(30_000))).rejects.toMatchObject(refused);
      expect((await store.runs()).items.map(({ runId }) => runId)).toEqual([first.runId]);
      await store.submit({ ...large(30_000), caller: 'other' });
      await store.submit(submission({ body: ['x'.repeat(200_000)] }));
      await store.cancel(first.runId);
      await store.submit(large(30_000));
      expect(await store.run(first.runId)).toBeNull();
    });
  });

  describe('dead letters', () => {
    const bury = async (setUp: ReturnType<Setup>, queue = 'default') => {
      await setUp.store.submit(submission({ queue, maxAttempts: 1 }));
      const [claim] = await setUp.store.claim({ worker: 'w', queues: [queue], max: 1 });
      const error = { type: 'ShellException', message: 'no', retryable: false, context: {} };
      if (claim !== undefined) await setUp.store.settle([{ ...claim, end: 'dead', error }]);
      return claim?.runId ?? '';
    };

    test('are listed by queue and driven again under a new id', async () => {
      const setUp = setup();
      await using store = setUp.store;
      const dead = await bury(setUp);
      await bury(setUp, 'mail');
      expect((await store.deadLetters({ queue: 'default' })).items.map(({ runId }) => runId)).toEqual([dead]);
      const [fresh = ''] = await store.redrive([dead]);
      expect(await store.run(fresh)).toMatchObject({ state: 'queued', attempt: 0, parent: dead, body: list() });
      expect((await store.deadLetters({ queue: 'default' })).items).toEqual([]);
      expect(await store.redrive([dead])).toEqual([]);
      expect(await store.redrive({ queue: 'mail' })).toHaveLength(1);
    });
  });
};
