import { describe, expect, test } from 'vitest';
import { openQueueRoom } from '../../../test/support/queue-room.ts';
import { StoreException } from '../../core/errors.ts';

const once = (name: string) => ['FA_t_once', [name]];
const wait = (name: string) => ['FA_t_wait', [name]];

describe('a store that cannot be written', () => {
  const full = () => new StoreException('No space is left.', { context: { fault: 'full' }, retryable: true });

  test('is asked again until it takes the end of a run, and people are told once', async () => {
    await using room = openQueueRoom();
    let isFull = true;
    const settle: typeof room.store.settle = (settlements) => (isFull ? Promise.reject(full()) : room.store.settle(settlements));
    await using patient = room.another({ store: { ...room.store, settle } });
    await patient.start();
    const runId = await room.submit([once('a')]);
    await room.until(() => room.effects.length === 1);
    await room.time.advance(20_000);
    expect((await room.record(runId)).state).toBe('running');
    isFull = false;
    await room.time.advance(6_000);
    await room.untilState(runId, 'ok');
    expect(room.effects).toEqual(['a']);
    expect(room.lines.filter((line) => line.startsWith('error'))).toHaveLength(1);
    expect(room.lines).toContain('info: the store takes what the queue writes again');
  });

  test('keeps a command from its effect that may not be repeated', async () => {
    await using room = openQueueRoom();
    let isFull = true;
    const record: typeof room.store.nodes.record = (claim, changes) =>
      isFull ? Promise.reject(full()) : room.store.nodes.record(claim, changes);
    await using patient = room.another({ store: { ...room.store, nodes: { ...room.store.nodes, record } } });
    await patient.start();
    const runId = await room.submit([once('a')]);
    await room.time.advance(2_000);
    expect(room.effects).toEqual([]);
    isFull = false;
    await room.time.advance(6_000);
    await room.untilState(runId, 'ok');
    expect(room.effects).toEqual(['a']);
  });

  test('ends runs that nobody can keep for a whole lease', async () => {
    await using room = openQueueRoom();
    await using patient = room.another({ store: { ...room.store, heartbeat: () => Promise.reject(full()) } });
    await patient.start();
    await room.submit([wait('a')]);
    await room.waiting.untilBegun(1);
    await room.time.advance(40_000);
    expect(room.waiting.aborted).toEqual(['a']);
  });

  test('that does not give runs out is asked again', async () => {
    await using room = openQueueRoom();
    let isFull = true;
    const claim: typeof room.store.claim = (request) => (isFull ? Promise.reject(full()) : room.store.claim(request));
    await using patient = room.another({ store: { ...room.store, claim } });
    await patient.start();
    const runId = await room.submit([once('a')]);
    await room.time.advance(3_000);
    isFull = false;
    await room.time.advance(2_000);
    await room.untilState(runId, 'ok');
    expect(room.lines).toEqual(['error: the queue cannot be read and is tried again', 'info: the queue works again']);
  });
});
