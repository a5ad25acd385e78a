import { describe, expect, test } from 'vitest';
import { openQueueRoom } from '../../../test/support/queue-room.ts';
import { OWNER } from '../../access/caller.ts';

const once = (name: string) => ['FA_t_once', [name]];
const again = (name: string) => ['FA_t_again', [name]];
const wait = (name: string) => ['FA_t_wait', [name]];

describe('what is queued', () => {
  test('is run and settled with every command and value', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([once('a'), again('b')]);
    const run = await room.untilState(runId, 'ok');
    expect(run.commands).toMatchObject([
      { index: 0, action: 'FA_t_once', state: 'ok', value: 'a', isIdempotent: false },
      { index: 1, action: 'FA_t_again', state: 'ok', value: 'b' },
    ]);
    expect(run.counts?.ok).toBe(2);
    expect(room.ended).toMatchObject([{ claim: { runId, source: 'queue' }, state: 'ok', outcome: { run_id: runId } }]);
  });

  test('is written down with what ran it, whether it waited or not', async () => {
    await using room = openQueueRoom({ versions: { factotum: '1.2.3' } });
    await room.dispatcher.start();
    const queued = await room.submit([once('a')]);
    const { submitted, result } = await room.dispatcher.runNow({ source: 'http', caller: 'owner', body: [once('b')] }, OWNER);
    await result;
    for (const runId of [queued, submitted.runId])
      expect(await room.untilState(runId, 'ok')).toMatchObject({ versions: { factotum: '1.2.3' } });
  });

  test('before the start is run after it', async () => {
    await using room = openQueueRoom();
    const runId = await room.submit([once('a')]);
    await room.dispatcher.start();
    await room.untilState(runId, 'ok');
  });

  test('for later waits for its time', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([once('a')], { runAt: room.time.clock.now() + 60_000 });
    await room.time.advance(59_000);
    expect((await room.record(runId)).state).toBe('queued');
    await room.time.advance(2_000);
    await room.untilState(runId, 'ok');
  });

  test('runs as many at a time as there are places, the rest after them', async () => {
    await using room = openQueueRoom({ maxRuns: 2 });
    await room.dispatcher.start();
    const runs = await Promise.all(['a', 'b', 'c'].map((name) => room.submit([wait(name)])));
    await room.waiting.untilBegun(2);
    await room.time.advance(3_000);
    expect(room.waiting.begun).toHaveLength(2);
    for (const name of ['a', 'b', 'c']) room.waiting.release(name);
    for (const runId of runs) await room.untilState(runId, 'ok');
  });

  test('can be told the schedule or event it comes from', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([once('${schedule.name}')], {
      source: 'schedule',
      options: { named: { schedule: { name: 'nightly' } } },
    });
    await room.untilState(runId, 'ok');
    expect(room.effects).toEqual(['nightly']);
  });

  test('of a caller that nobody knows any more is not run', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([once('a')], { caller: 'gone' });
    const run = await room.untilState(runId, 'dead');
    expect(run.error).toMatchObject({ type: 'QueueException', context: { caller: 'gone' } });
    expect(room.effects).toEqual([]);
  });

  test('keeps no secret among its values, and does not hand on what is left of one', async () => {
    await using room = openQueueRoom();
    room.factotum.masker.learn('hunter2-hunter2');
    await room.dispatcher.start();
    const runId = await room.submit([once('hunter2-hunter2')]);
    const run = await room.untilState(runId, 'ok');
    expect(JSON.stringify(run.commands)).not.toContain('hunter2');
    expect(run.commands[0]?.notes).toMatchObject([{ kind: 'masked' }]);
  });
});

describe('a failed run', () => {
  test('of the queue is tried again later where that may help, and only what failed', async () => {
    await using room = openQueueRoom();
    room.failing.set('b', 'passing');
    await room.dispatcher.start();
    const runId = await room.submit([once('a'), once('b')]);
    await room.until(async () => (await room.record(runId)).error !== null);
    expect((await room.record(runId)).state).toBe('queued');
    expect((await room.record(runId)).runAt).toBe(room.time.clock.now() + 2_000);
    room.failing.clear();
    await room.time.advance(3_000);
    const run = await room.untilState(runId, 'ok');
    expect(run.attempt).toBe(2);
    expect(room.effects).toEqual(['a', 'b']);
    expect(room.ended.map(({ state }) => state)).toEqual(['ok']);
  });

  test('holds no place while it waits to be tried again', async () => {
    await using room = openQueueRoom({ maxRuns: 1 });
    room.failing.set('b', 'passing');
    await room.dispatcher.start();
    const failed = await room.submit([once('b')]);
    await room.until(async () => (await room.record(failed)).error !== null);
    const other = await room.submit([once('a')]);
    await room.untilState(other, 'ok');
  });

  test('of the queue is a dead letter after its last attempt, and people are told once', async () => {
    await using room = openQueueRoom();
    room.failing.set('b', 'passing');
    await room.dispatcher.start();
    const runId = await room.submit([once('b')], { maxAttempts: 3 });
    await room.time.advance(60_000);
    const run = await room.untilState(runId, 'dead');
    expect(run.attempt).toBe(3);
    expect(run.error).toMatchObject({ message: 'b failed.' });
    expect(run.commands).toMatchObject([{ state: 'failed', error: { message: 'b failed.' } }]);
    expect((await room.store.deadLetters()).items.map((item) => item.runId)).toEqual([runId]);
    expect(room.ended.map(({ state }) => state)).toEqual(['dead']);
  });

  test('of the queue is a dead letter at once where trying again is of no use', async () => {
    await using room = openQueueRoom();
    room.failing.set('b', 'final');
    await room.dispatcher.start();
    const run = await room.untilState(await room.submit([once('b')]), 'dead');
    expect(run.attempt).toBe(1);
  });

  test('of another door is failed, with its counts', async () => {
    await using room = openQueueRoom();
    room.failing.set('b', 'passing');
    await room.dispatcher.start();
    const run = await room.untilState(await room.submit([once('a'), once('b')], { source: 'http' }), 'failed');
    expect(run.counts).toMatchObject({ ok: 1, failed: 1 });
  });

  test('that was refused as a whole says why', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const body = { actions: [['FA_no_such_thing']], validate_first: true };
    const run = await room.untilState(await room.submit(body, { source: 'http' }), 'failed');
    expect(run.error?.type).toBe('ValidationException');
    expect(room.ended[0]?.outcome).toBeInstanceOf(Error);
  });
});

describe('cancelling', () => {
  test('ends a run at once, wherever it stands', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([wait('a'), once('b')]);
    await room.waiting.untilBegun(1);
    expect(await room.dispatcher.cancel(runId)).toBe('requested');
    const run = await room.untilState(runId, 'cancelled');
    expect(run.commands.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    expect(room.effects).toEqual([]);
  });

  test('by another process is seen at the next sign of life', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([wait('a')]);
    await room.waiting.untilBegun(1);
    await room.store.cancel(runId);
    await room.time.advance(6_000);
    await room.untilState(runId, 'cancelled');
  });
});

describe('a run at once', () => {
  test('is kept in the store and answered directly', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const submission = { source: 'http', caller: 'owner', body: [once('a')], key: 'k' } as const;
    const { submitted, result } = await room.dispatcher.runNow(submission, { name: 'owner', remote: true });
    expect(await result).toMatchObject({ ok: true, run_id: submitted.runId });
    expect((await room.record(submitted.runId)).state).toBe('ok');
    const second = await room.dispatcher.runNow(submission, { name: 'owner', remote: true });
    expect(second).toMatchObject({ submitted: { isDuplicate: true, isSameBody: true, runId: submitted.runId } });
    expect(second.result).toBeUndefined();
    expect(room.effects).toEqual(['a']);
  });

  test('that is refused rejects with its own error', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const { result } = await room.dispatcher.runNow(
      { source: 'http', caller: 'owner', body: { nope: 1 } },
      { name: 'owner', remote: true },
    );
    await expect(result).rejects.toHaveProperty('type');
  });

  test('that the end of the service cuts short says that it goes on later', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const submission = { source: 'http', caller: 'owner', body: [wait('a')] } as const;
    const { submitted, result } = await room.dispatcher.runNow(submission, { name: 'owner', remote: true });
    await room.waiting.untilBegun(1);
    const refusal = expect(result).rejects.toMatchObject({ type: 'QueueException', context: { run_id: submitted.runId } });
    const closed = room.dispatcher.close({ drainMs: 0 });
    await room.time.advance(1_000);
    await closed;
    await refusal;
  });

  test('is refused before the start', async () => {
    await using room = openQueueRoom();
    await expect(room.dispatcher.runNow({ source: 'http', caller: 'owner', body: [] }, { name: 'owner', remote: true })).rejects.toThrow(
      'started',
    );
  });
});
