import { describe, expect, test } from 'vitest';
import type { RunFilter } from '../../../../src/services/engine/port/runs.ts';
import { ended, finished, list, type Setup, submission } from './suite.ts';

const DAY_MS = 24 * 3_600_000;
const MIB = 1024 * 1024;

/** Runs as they are looked at afterwards. */
export const historyContract = (setup: Setup): void => {
  describe('recording a run that is over', () => {
    test('keeps it whole', async () => {
      await using store = setup().store;
      const run = finished('r', {
        state: 'failed',
        name: 'n',
        commands: [
          { index: 0, id: 'a', action: 'FA_x', state: 'ok', value: null, durationMs: 1.25, startedAt: 5 },
          {
            index: 1,
            action: 'FA_y',
            state: 'failed',
            error: { type: 'ShellException', message: 'no', retryable: false, context: { path: 'p' } },
            notes: [{ kind: 'truncated', message: 'long' }],
          },
          { index: 2, action: null, state: 'skipped', reason: 'after a failure' },
        ],
      });
      await store.record(run);
      const { commands, ...facts } = run;
      const known = await store.run('r');
      expect(known).toMatchObject(facts);
      expect(known?.commands).toMatchObject(commands);
      expect(known).toMatchObject({ endedAt: run.startedAt + 3, attempt: 1, isDryRun: false });
    });

    test('makes room among the runs of its caller, the oldest first', async () => {
      await using store = setup().store;
      const share = { queued: 9, storedBytes: 100_000 };
      const run = (runId: string, at: number, more: object = {}) =>
        store.record(
          finished(runId, {
            caller: 'guest',
            share,
            startedAt: at,
            commands: [{ index: 0, action: 'FA_x', state: 'ok', value: 'x'.repeat(20_000) }],
            ...more,
          }),
        );
      await run('of the owner', 1, { caller: 'owner', share: undefined });
      await run('of another', 2, { caller: 'other' });
      await store.audit.record([{ at: 3, action: 'FA_x', caller: 'guest', payload: 'x' }]);
      for (let at = 3; at < 20; at += 1) await run(`run ${at}`, at);
      expect((await store.runs()).items.map(({ runId }) => runId)).toEqual([
        'run 19',
        'run 18',
        'run 17',
        'run 16',
        'of another',
        'of the owner',
      ]);
      expect(await store.audit.recent(9)).toEqual([]);
    });

    test('larger than the share of its caller keeps what was done, not what came of it', async () => {
      await using store = setup().store;
      const commands = [{ index: 0, action: 'FA_x', state: 'ok' as const, value: 'x'.repeat(20_000) }];
      await store.record(finished('r', { caller: 'guest', share: { queued: 9, storedBytes: 10_000 }, commands }));
      expect((await store.run('r'))?.commands).toMatchObject([{ action: 'FA_x', state: 'ok', truncated: true }]);
      expect((await store.run('r'))?.commands[0]).not.toHaveProperty('value');
    });

    test('keeps what can be undone with files that are kept aside', async () => {
      await using store = setup().store;
      const share = { queued: 9, storedBytes: 10_000 };
      await store.undo.append('old', [{ index: 0, inverse: { kept: 'x' }, bytes: 8_000 }]);
      await store.record(finished('old', { caller: 'guest', share, startedAt: 1 }));
      await store.record(finished('mid', { caller: 'guest', share, startedAt: 2 }));
      await store.record(finished('new', { caller: 'guest', share, startedAt: 3, body: ['x'.repeat(5_000)] }));
      expect((await store.runs()).items.map(({ runId }) => runId)).toEqual(['new', 'old']);
      await store.undo.remove('old');
      await store.record(finished('last', { caller: 'guest', share, startedAt: 4 }));
      expect((await store.runs()).items.map(({ runId }) => runId)).toEqual(['last', 'new', 'old']);
    });

    test('twice changes nothing', async () => {
      await using store = setup().store;
      await store.record(finished('r'));
      const before = await store.run('r');
      await store.record(finished('r', { state: 'failed', commands: [] }));
      expect(await store.run('r')).toEqual(before);
    });

    test('is never in the way of workers', async () => {
      await using store = setup().store;
      await store.record(finished('r'));
      expect(await store.claim({ worker: 'w', max: 1 })).toEqual([]);
    });

    test.each([
      ['a text', 'ä'.repeat(MIB), (value: unknown) => expect(value).toBe('ä'.repeat(MIB / 2))],
      ['a list', Array.from({ length: MIB }, () => 1), (value: unknown) => expect(value).toBe(`[${'1,'.repeat(MIB / 2)}`.slice(0, MIB))],
    ])('cuts %s over 1 MiB and says so', async (_, value, check) => {
      await using store = setup().store;
      await store.record(finished('r', { commands: [{ index: 0, action: 'FA_x', state: 'ok', value }] }));
      const command = (await store.run('r'))?.commands[0];
      expect(command?.truncated).toBe(true);
      check(command?.value);
    });

    test('leaves 1 MiB as it is', async () => {
      await using store = setup().store;
      const value = 'x'.repeat(MIB - 2); // with its quotes
      await store.record(finished('r', { commands: [{ index: 0, action: 'FA_x', state: 'ok', value }] }));
      expect((await store.run('r'))?.commands[0]).toMatchObject({ value });
      expect((await store.run('r'))?.commands[0]).not.toHaveProperty('truncated');
    });
  });

  describe('the list of runs', () => {
    const RUNS = [
      finished('old', { startedAt: 1_000, caller: 'ci', body: [['FA_copy_file', { file_path: 'Quo"te_%' }]] }),
      finished('middle', { startedAt: 2_000, state: 'failed', name: 'Nightly', source: 'http' }),
      finished('new', { startedAt: 3_000, source: 'http', parent: 'old' }),
    ];
    const FILTERS: readonly (readonly [string, RunFilter, readonly string[]])[] = [
      ['everything', {}, ['new', 'middle', 'old']],
      ['a state', { states: ['failed'] }, ['middle']],
      ['several states', { states: ['failed', 'ok'] }, ['new', 'middle', 'old']],
      ['a source', { sources: ['http'] }, ['new', 'middle']],
      ['a caller', { caller: 'ci' }, ['old']],
      ['an action', { action: 'FA_copy_file' }, ['old']],
      ['only whole names of actions', { action: 'FA_copy' }, []],
      ['a parent', { parent: 'old' }, ['new']],
      ['since', { since: 2_000 }, ['new', 'middle']],
      ['until, which is not inside', { until: 2_000 }, ['old']],
      ['a text in the list, as written', { text: 'quo"TE_%' }, ['old']],
      ['a text in the name', { text: 'night' }, ['middle']],
      ['no wildcards', { text: 'N_ght' }, []],
      ['all of several', { sources: ['http'], states: ['ok'] }, ['new']],
    ];

    test.each(FILTERS)('shows %s', async (_, filter, expected) => {
      await using store = setup().store;
      for (const run of RUNS) await store.record(run);
      expect((await store.runs(filter)).items.map(({ runId }) => runId)).toEqual(expected);
    });

    test('comes in pages that new runs do not shift', async () => {
      await using store = setup().store;
      for (let at = 0; at < 5; at += 1) await store.record(finished(`r${at}`, { startedAt: at < 3 ? 7 : 8 }));
      const first = await store.runs({ limit: 2 });
      await store.record(finished('newest', { startedAt: 9 }));
      const second = await store.runs({ limit: 2 }, first.cursor ?? '');
      const third = await store.runs({ limit: 2 }, second.cursor ?? '');
      expect([first, second, third].map(({ items }) => items.map(({ runId }) => runId))).toEqual([['r4', 'r3'], ['r2', 'r1'], ['r0']]);
      expect(third.cursor).toBeNull();
    });

    test('refuses a cursor that it did not give out', async () => {
      await using store = setup().store;
      await expect(store.runs({}, "1' OR 1")).rejects.toMatchObject({ type: 'ArgumentException', context: { argument: 'cursor' } });
    });

    test('knows nothing of an unknown id', async () => {
      await using store = setup().store;
      expect(await store.run('none')).toBeNull();
      expect(await store.events('none', 0)).toEqual([]);
      expect(await store.nodes.list('none')).toEqual([]);
    });
  });

  test('events come in the order they happened and go on after any of them', async () => {
    await using store = setup().store;
    await store.submit(submission());
    const [claim] = await store.claim({ worker: 'w', max: 1 });
    if (claim === undefined) throw new Error('nothing was due');
    await store.nodes.plan(claim, [
      { index: 0, action: 'FA_a', isIdempotent: true },
      { index: 1, action: 'FA_b', isIdempotent: true },
    ]);
    await store.nodes.record(claim, [{ index: 1, state: 'ok', value: 1 }]);
    await store.nodes.record(claim, [{ index: 0, state: 'ok', value: 0 }]);
    await store.settle([ended(claim)]);
    const events = await store.events(claim.runId, 0);
    expect(events.map((event) => (event.kind === 'command' ? event.command.index : event.kind))).toEqual([1, 0, 'done']);
    expect(await store.events(claim.runId, events[0]?.id ?? 0)).toEqual(events.slice(1));
    expect(await store.events(claim.runId, events[2]?.id ?? 0)).toEqual([]);
    expect(await store.events(claim.runId, 0, 2)).toEqual(events.slice(0, 2));
    expect(await store.events(claim.runId, events[1]?.id ?? 0, 2)).toEqual(events.slice(2));
    expect(await store.head(claim.runId)).toMatchObject({ runId: claim.runId, state: 'ok' });
    expect(await store.head('none')).toBeNull();
  });

  test('news of a command add to what is known, and a new start forgets the last end', async () => {
    await using store = setup().store;
    const { claim } = await store.submit(submission({ claim: { worker: 'w' } }));
    if (claim === undefined) throw new Error('not claimed');
    await store.nodes.plan(claim, [{ index: 0, id: 'a', action: 'FA_a', isIdempotent: true }]);
    await store.nodes.record(claim, [{ index: 0, state: 'running', startedAt: 5 }]);
    const error = { type: 'ShellException', message: 'no', retryable: true, context: {} };
    await store.nodes.record(claim, [{ index: 0, state: 'failed', error, reason: 'r' }]);
    expect(await store.nodes.list(claim.runId)).toEqual([
      { index: 0, id: 'a', action: 'FA_a', isIdempotent: true, attempt: 1, state: 'failed', error, reason: 'r', startedAt: 5 },
    ]);
    await store.nodes.record(claim, [{ index: 0, state: 'running', startedAt: 6 }]);
    expect(await store.nodes.list(claim.runId)).toEqual([
      { index: 0, id: 'a', action: 'FA_a', isIdempotent: true, attempt: 1, state: 'running', startedAt: 6 },
    ]);
  });

  describe('pruning', () => {
    test('takes runs of their age with their commands, and leaves what waits or runs', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.record(finished('ended', { startedAt: clock.now() }));
      const waiting = await store.submit(submission());
      clock.pass(DAY_MS);
      await store.record(finished('young', { startedAt: clock.now() }));
      clock.pass(1_000);
      expect(await store.prune({ runsMs: DAY_MS })).toMatchObject({ runs: 1 });
      expect((await store.runs()).items.map(({ runId }) => runId)).toEqual(['young', waiting.runId]);
      expect(await store.nodes.list('ended')).toEqual([]);
      expect(await store.prune({ runsMs: DAY_MS })).toMatchObject({ runs: 0 });
    });

    test('goes on beyond one slice', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await Promise.all(Array.from({ length: 2_100 }, (_, slot) => store.fire('job', slot)));
      clock.pass(DAY_MS);
      expect(await store.prune({ firesMs: 1 })).toEqual({ runs: 0, fires: 2_100, audit: 0, transfers: 0, notifications: 0, approvals: 0 });
    });

    test('what is not named stays', async () => {
      const { store, clock } = setup();
      await using _ = store;
      await store.record(finished('r'));
      await store.audit.record([{ at: clock.now(), action: 'FA_x', payload: null }]);
      clock.pass(1_000 * DAY_MS);
      await store.prune({});
      expect([(await store.runs()).items.length, await store.audit.count()]).toEqual([1, 1]);
    });
  });

  test('health tells what waits and what runs', async () => {
    await using store = setup().store;
    await store.submit(submission({ body: list('a') }));
    await store.submit(submission({ body: list('b') }));
    await store.claim({ worker: 'w', max: 1 });
    expect(await store.health()).toMatchObject({ isWritable: true, reason: null, queued: 1, running: 1 });
  });

  test('a closed store refuses with its place', async () => {
    const { store } = setup();
    await store.health();
    await store.close();
    await store.close();
    await expect(store.health()).rejects.toMatchObject({ type: 'StoreException' });
  });
};
