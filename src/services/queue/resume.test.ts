import { describe, expect, test } from 'vitest';
import { openQueueRoom, type QueueRoom } from '../../../test/support/queue-room.ts';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { resumption } from './resume.ts';

const once = (name: string) => ['FA_t_once', [name]];

describe('resuming a run that names its plan', () => {
  /** A run of two removals with something that fails in between, or before them. */
  const failedRun = async (room: QueueRoom, dir: TempDir, failsAt: 0 | 1) => {
    const remove = (name: string) => ['FA_remove_file', { file_path: dir.at(name) }];
    const actions = failsAt === 0 ? [once('x'), remove('a'), remove('b')] : [remove('a'), once('x'), remove('b')];
    const { plan_hash = '' } = await room.factotum.run({ actions, stop_on_error: true, dry_run: true });
    room.failing.set('x', 'final');
    const runId = await room.submit({ actions, stop_on_error: true, expect_plan: plan_hash }, { source: 'http' });
    await room.untilState(runId, 'failed');
    room.failing.clear();
    return runId;
  };

  test('runs it as it was planned where nothing of it has happened', async () => {
    using dir = tempDir({ a: '1', b: '2' });
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const resumed = await room.dispatcher.resume(await failedRun(room, dir, 0));
    expect((await room.untilState(resumed, 'ok')).counts).toMatchObject({ ok: 3 });
  });

  test('runs nothing where the plan is another by now', async () => {
    using dir = tempDir({ a: '1', b: '2' });
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await failedRun(room, dir, 0);
    dir.write('b', 'something else');
    const resumed = await room.untilState(await room.dispatcher.resume(runId), 'failed');
    expect(resumed.error).toMatchObject({ type: 'PlanChangedException' });
    expect([dir.read('a'), dir.read('b'), room.effects]).toEqual(['1', 'something else', []]);
  });

  test('is refused at once where a part of it has happened, or would be left out', async () => {
    using dir = tempDir({ a: '1', b: '2' });
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await failedRun(room, dir, 1);
    for (const from of [undefined, 1, 2])
      await expect(room.dispatcher.resume(runId, from)).rejects.toThrow('plan the commands that are left as a list of their own');
    expect([dir.read('a'), dir.read('b')]).toEqual([undefined, '2']);
  });
});

describe('resuming', () => {
  test('runs what failed and reuses what is finished, with its values', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    room.failing.set('a-b', 'final');
    const runId = await room.submit([once('a'), once('${results[0].value}-b')], { source: 'http', name: 'copy' });
    await room.untilState(runId, 'failed');
    room.failing.clear();
    const resumed = await room.untilState(await room.dispatcher.resume(runId), 'ok');
    expect(resumed).toMatchObject({ parent: runId, source: 'resume', name: 'copy', counts: { reused: 1, ok: 1 } });
    expect(resumed.commands.map(({ state, value }) => [state, value])).toEqual([
      ['reused', 'a'],
      ['ok', 'a-b'],
    ]);
    expect(room.effects).toEqual(['a', 'a-b']);
  });

  test('can start at an earlier command', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([once('a'), once('b'), once('c')]);
    await room.untilState(runId, 'ok');
    await room.untilState(await room.dispatcher.resume(runId, 1), 'ok');
    expect(room.effects).toEqual(['a', 'b', 'c', 'b', 'c']);
  });

  test('from a later command leaves out what stands before it, whatever became of that', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    room.failing.set('b', 'final');
    const runId = await room.submit({ actions: [once('a'), once('b'), once('c'), once('d')], stop_on_error: true }, { source: 'http' });
    await room.untilState(runId, 'failed');
    const resumed = await room.untilState(await room.dispatcher.resume(runId, 2), 'ok');
    expect(room.effects).toEqual(['a', 'c', 'd']);
    expect(resumed).toMatchObject({
      counts: { reused: 1, skipped: 1, ok: 2 },
      commands: [
        { state: 'reused' },
        { state: 'skipped', action: 'FA_t_once', reason: 'The run was resumed from a later command on.' },
        { state: 'ok' },
        { state: 'ok' },
      ],
    });
  });

  test('from a command, where nobody knows how far the run came, runs nothing before it', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const facts = { source: 'cli', caller: 'owner', body: [once('a'), once('b'), once('c')], options: { interrupted: true } } as const;
    const counts = { ok: 0, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };
    await room.store.record({ runId: 'killed', state: 'failed', ...facts, startedAt: 1, durationMs: 1, counts, commands: [] });
    await expect(room.dispatcher.resume('killed')).rejects.toThrow('say from which command on');
    room.failing.set('c', 'final');
    const resumed = await room.dispatcher.resume('killed', 1);
    await room.untilState(resumed, 'failed');
    room.failing.clear();
    await room.untilState(await room.dispatcher.resume(resumed), 'ok');
    expect(room.effects).toEqual(['b', 'c']);
    await expect(room.dispatcher.resume('killed', 3)).rejects.toThrow('has no command 3; it has 3, counted from 0');
  });

  test('of a run that resumed another and was killed knows what both had finished', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    room.failing.set('b', 'final');
    const first = await room.submit([once('a'), once('b'), once('c'), once('d')], { source: 'http' });
    await room.untilState(first, 'failed');
    const second = await resumption(room.store, first, undefined);
    const { runId, claim } = await room.store.submit({ ...second, maxAttempts: 1, claim: { worker: 'gone' } });
    if (claim === undefined) throw new Error('nothing to claim');
    await room.store.nodes.record(claim, [{ index: 1, action: 'FA_t_once', isIdempotent: false, state: 'ok', value: 'b' }]);
    await room.store.abandon('gone');
    room.failing.clear();
    await room.untilState(await room.dispatcher.resume(runId), 'ok');
    expect(room.effects).toEqual(['a', 'c', 'd']);
  });

  test('again does not come back to what was left out, unless it is named', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    room.failing.set('a', 'final').set('c', 'final');
    let runId = await room.submit([once('a'), once('b'), once('c')], { source: 'http' });
    await room.untilState(runId, 'failed');
    for (const from of [1, undefined, undefined]) {
      runId = await room.dispatcher.resume(runId, from);
      await room.untilState(runId, 'failed');
    }
    room.failing.clear();
    runId = await room.dispatcher.resume(runId);
    expect((await room.untilState(runId, 'ok')).counts).toMatchObject({ skipped: 1, reused: 1, ok: 1 });
    expect(room.effects).toEqual(['b', 'b', 'c']);
    await room.untilState(await room.dispatcher.resume(runId, 0), 'ok');
    expect(room.effects).toEqual(['b', 'b', 'c', 'a', 'b', 'c']);
  });

  test('of a graph from a node runs it though what it waits for has failed, and leaves the rest out', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    room.failing.set('first', 'final').set('other', 'final');
    const body = {
      nodes: [
        { id: 'first', action: once('first') },
        { id: 'other', action: once('other') },
        { id: 'last', action: once('last'), depends_on: ['first'] },
      ],
    };
    const runId = await room.submit(body, { source: 'http' });
    await room.untilState(runId, 'failed');
    const resumed = await room.untilState(await room.dispatcher.resume(runId, 'last'), 'ok');
    expect(room.effects).toEqual(['last']);
    expect(resumed.commands.map(({ id, state }) => [id, state])).toEqual([
      ['first', 'skipped'],
      ['other', 'skipped'],
      ['last', 'ok'],
    ]);
  });

  test('of a graph can start at a node, with all that depend on it', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const body = {
      nodes: [
        { id: 'last', action: once('last'), depends_on: ['middle'] },
        { id: 'first', action: once('first') },
        { id: 'middle', action: once('middle'), depends_on: ['first'] },
      ],
    };
    const runId = await room.submit(body);
    await room.untilState(runId, 'ok');
    const resumed = await room.untilState(await room.dispatcher.resume(runId, 'middle'), 'ok');
    expect(room.effects).toEqual(['first', 'middle', 'last', 'middle', 'last']);
    expect(resumed.commands.map(({ id, state }) => [id, state])).toEqual([
      ['last', 'ok'],
      ['first', 'reused'],
      ['middle', 'ok'],
    ]);
  });

  test('of a resumed run reuses what both had finished', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    room.failing.set('b', 'final').set('c', 'final');
    const first = await room.submit([once('a'), once('b'), once('c')], { source: 'http' });
    await room.untilState(first, 'failed');
    room.failing.delete('b');
    const second = await room.dispatcher.resume(first);
    await room.untilState(second, 'failed');
    room.failing.clear();
    const third = await room.untilState(await room.dispatcher.resume(second), 'ok');
    expect(third.counts).toMatchObject({ reused: 2, ok: 1 });
    expect(room.effects).toEqual(['a', 'b', 'c']);
  });

  test('is not done where the run to go on with is no longer kept', async () => {
    await using room = openQueueRoom();
    const body = [once('a')];
    const runId = await room.submit(body, { source: 'resume', options: { resume: { run_id: 'pruned' } } });
    await room.dispatcher.start();
    const run = await room.untilState(runId, 'failed');
    expect(run.error).toMatchObject({ type: 'QueueException', context: { run_id: 'pruned' } });
    expect(room.effects).toEqual([]);
  });

  test.each([
    ['is not known', async () => 'unknown', 'No run has the id'],
    ['still waits', (room: ReturnType<typeof openQueueRoom>) => room.submit([once('a')]), 'cancel it first'],
    [
      'was recorded with its secrets taken out',
      async (room: ReturnType<typeof openQueueRoom>) => {
        const runId = 'recorded';
        const counts = { ok: 0, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };
        const times = { startedAt: 1, durationMs: 1 };
        const facts = { source: 'http', caller: 'owner', body: [], options: { masked: true } } as const;
        await room.store.record({ runId, state: 'failed', ...facts, ...times, counts, commands: [] });
        return runId;
      },
      'send the list again',
    ],
    [
      'holds a command of which nobody knows whether it took effect',
      async (room: ReturnType<typeof openQueueRoom>) => {
        const runId = await room.submit([once('a')]);
        const [claim] = await room.store.claim({ worker: 'gone', max: 1 });
        if (claim !== undefined) await room.store.nodes.record(claim, [{ index: 0, isIdempotent: false, state: 'running' }]);
        await room.store.abandon('gone');
        await room.store.cancel(runId);
        return runId;
      },
      'took effect',
    ],
  ])('is refused where the run %s', async (_, prepare, words) => {
    await using room = openQueueRoom();
    await expect(room.dispatcher.resume(await prepare(room))).rejects.toThrow(words);
  });

  test('is refused at a node that the graph does not have', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([once('a')]);
    await room.untilState(runId, 'ok');
    await expect(room.dispatcher.resume(runId, 'nope')).rejects.toThrow('no node "nope"');
  });
});
