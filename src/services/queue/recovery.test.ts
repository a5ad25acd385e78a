import { describe, expect, test } from 'vitest';
import { openQueueRoom } from '../../../test/support/queue-room.ts';
import { defineAction } from '../../core/action.ts';
import * as shapes from '../../core/shapes.ts';

const once = (name: string) => ['FA_t_once', [name]];
const again = (name: string) => ['FA_t_again', [name]];
const wait = (name: string) => ['FA_t_wait', [name]];

/** Lasts until it is stopped, and may be repeated. */
const sleepless = defineAction({
  name: 'FA_sleepless',
  summary: 'Waits.',
  args: {},
  returns: shapes.json(),
  idempotent: true,
  examples: [],
  run: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
});

/** Puts a run into the hands of a worker that is gone, with this known of its commands. */
const leftBy = async (
  room: ReturnType<typeof openQueueRoom>,
  body: Parameters<typeof room.submit>[0],
  changes: Parameters<typeof room.store.nodes.record>[1],
) => {
  const runId = await room.submit(body);
  const [claim] = await room.store.claim({ worker: 'gone', max: 1 });
  if (claim === undefined) throw new Error('nothing to claim');
  await room.store.nodes.record(claim, changes);
  return { runId, claim };
};

describe('a run whose worker is gone', () => {
  test('goes on behind what is finished, and what is finished keeps its value', async () => {
    await using room = openQueueRoom({ worker: 'gone' });
    const { runId } = await leftBy(
      room,
      [once('a'), once('${results[0].value}-b')],
      [{ index: 0, action: 'FA_t_once', isIdempotent: false, state: 'ok', value: 'kept' }],
    );
    await room.dispatcher.start();
    const run = await room.untilState(runId, 'ok');
    expect(room.effects).toEqual(['kept-b']);
    expect(run.commands.map(({ state }) => state)).toEqual(['ok', 'ok']);
    expect(run.counts?.ok).toBe(2);
    expect(run.attempt).toBe(2);
  });

  test('repeats what had started and may be repeated', async () => {
    await using room = openQueueRoom({ worker: 'gone' });
    const { runId } = await leftBy(room, [again('a')], [{ index: 0, action: 'FA_t_again', isIdempotent: true, state: 'running' }]);
    await room.dispatcher.start();
    await room.untilState(runId, 'ok');
    expect(room.effects).toEqual(['a']);
  });

  test('waits for a verdict where a command had started that may not be repeated', async () => {
    await using room = openQueueRoom({ worker: 'gone' });
    const { runId } = await leftBy(
      room,
      [once('a'), once('b')],
      [{ index: 0, action: 'FA_t_once', isIdempotent: false, state: 'running' }],
    );
    await room.dispatcher.start();
    await room.untilState(runId, 'indeterminate');
    expect(room.effects).toEqual([]);
    expect(room.ended).toMatchObject([{ claim: { runId }, state: 'indeterminate', outcome: expect.any(Error) }]);
    await room.store.verdict(runId, 0, 'done');
    await room.untilState(runId, 'ok');
    expect(room.effects).toEqual(['b']);
  });

  test('for the last time is a dead letter, and people are told', async () => {
    await using room = openQueueRoom({ worker: 'gone' });
    const runId = await room.submit([again('a')], { maxAttempts: 1 });
    await room.store.claim({ worker: 'gone', max: 1 });
    await room.dispatcher.start();
    expect((await room.record(runId)).state).toBe('dead');
    expect(room.ended).toMatchObject([{ claim: { runId }, state: 'dead' }]);
  });

  test.each([
    ['after the machine slept', '2026-03-01T20:00:00Z'],
    ['after the clock was set forward', '2026-03-01T12:01:00Z'],
    ['after the clock was set back', '2026-03-01T04:00:00Z'],
  ])('is not taken for gone %s', async (_, moment) => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([wait('a'), once('b')]);
    await room.waiting.untilBegun(1);
    room.time.jumpTo(moment);
    await room.time.advance(2_000);
    room.waiting.release('a');
    const run = await room.untilState(runId, 'ok');
    expect(run).toMatchObject({ attempt: 1, commands: [{ state: 'ok' }, { state: 'ok' }] });
    expect(room.effects).toEqual(['b']);
  });

  test('is taken over by another worker when its lease has passed', async () => {
    await using room = openQueueRoom();
    const { runId } = await leftBy(room, [once('a')], []);
    await room.dispatcher.start();
    await room.time.advance(29_000);
    expect((await room.record(runId)).state).toBe('running');
    await room.time.advance(3_000);
    await room.untilState(runId, 'ok');
  });

  test('does not use a value that was cut', async () => {
    await using room = openQueueRoom({ worker: 'gone' });
    const { runId } = await leftBy(
      room,
      [once('a'), once('${results[0].value}')],
      [{ index: 0, action: 'FA_t_once', isIdempotent: false, state: 'ok', value: 'x'.repeat(2 ** 20 + 1) }],
    );
    await room.dispatcher.start();
    const run = await room.untilState(runId, 'dead');
    expect(run.error).toMatchObject({ type: 'SubstitutionException', message: expect.stringContaining('not kept') });
    expect(room.effects).toEqual([]);
  });
});

describe('a run in our hands', () => {
  test('stays there while it goes on, however long that is', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([wait('a')]);
    await room.waiting.untilBegun(1);
    await room.time.advance(300_000);
    expect(await room.store.claim({ worker: 'other', max: 1 })).toEqual([]);
    room.waiting.release('a');
    expect((await room.untilState(runId, 'ok')).attempt).toBe(1);
  });

  test('is stopped when another worker has it, and changes nothing more', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([wait('a'), once('b')]);
    await room.waiting.untilBegun(1);
    await room.store.abandon((await room.record(runId)).owner ?? '');
    await room.time.advance(6_000);
    expect(room.waiting.aborted).toEqual(['a']);
    expect(room.effects).toEqual([]);
    expect((await room.record(runId)).state).toBe('indeterminate');
    expect(room.ended).toEqual([]);
  });

  test('and those that wait are counted', async () => {
    const depths: number[] = [];
    await using room = openQueueRoom({ maxRuns: 1, meters: { queueDepth: (_, depth) => depths.push(depth) } });
    await room.dispatcher.start();
    for (const name of ['a', 'b', 'c']) await room.submit([wait(name)]);
    await room.waiting.untilBegun(1);
    await room.time.advance(6_000);
    expect(depths.at(-1)).toBe(2);
  });

  test('shows what it does while it goes on', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([again('a'), wait('b')]);
    await room.waiting.untilBegun(1);
    await room.time.advance(1_000);
    expect((await room.record(runId)).commands.map(({ state }) => state)).toEqual(['ok', 'running']);
    room.waiting.release('b');
    await room.untilState(runId, 'ok');
  });
});

describe('closing', () => {
  test('lets runs end that end in time', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([wait('a')]);
    await room.waiting.untilBegun(1);
    const closed = room.dispatcher.close({ drainMs: 1_000 });
    room.waiting.release('a');
    await closed;
    expect((await room.record(runId)).state).toBe('ok');
  });

  test('takes nothing more', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    await room.dispatcher.close();
    const runId = await room.submit([once('a')]);
    await room.time.advance(10_000);
    expect((await room.record(runId)).state).toBe('queued');
  });

  test('stops what takes too long; what may not be repeated waits for a verdict', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([once('a'), wait('b'), once('c')]);
    await room.waiting.untilBegun(1);
    const closed = room.dispatcher.close({ drainMs: 1_000 });
    await room.time.advance(1_000);
    await closed;
    const run = await room.record(runId);
    expect(run.state).toBe('indeterminate');
    expect(run.commands.map(({ state }) => state)).toEqual(['ok', 'indeterminate', 'waiting']);
    await room.store.verdict(runId, 1, 'done');
    await room.another().start();
    await room.untilState(runId, 'ok');
    expect(room.effects).toEqual(['a', 'c']);
  });

  test('costs a run no attempt that can go on', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const list = [once('a'), ['FA_sleepless', {}], once('c')];
    room.factotum.registry.registerMany({ FA_sleepless: sleepless });
    const runId = await room.submit(list, { maxAttempts: 1 });
    await room.until(() => room.effects.length === 1);
    const closed = room.dispatcher.close({ drainMs: 0 });
    await room.time.advance(1_000);
    await closed;
    const run = await room.record(runId);
    expect(run.state).toBe('queued');
    expect(run.commands.map(({ state }) => state)).toEqual(['ok', 'waiting', 'waiting']);
    expect(room.ended).toEqual([]);
  });

  test('leaves what does not stop to the next start', async () => {
    await using room = openQueueRoom();
    await room.dispatcher.start();
    const runId = await room.submit([['FA_t_stubborn', ['a']]]);
    await room.waiting.untilBegun(1);
    const closed = room.dispatcher.close({ drainMs: 0 });
    await room.time.advance(1_000);
    await closed;
    expect((await room.record(runId)).state).toBe('running');
    await room.another().start();
    await room.untilState(runId, 'indeterminate');
    room.waiting.release('a');
  });
});
