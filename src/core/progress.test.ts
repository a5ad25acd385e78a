import { describe, expect, test } from 'vitest';
import { CancelledException } from './errors.ts';
import { createProgressRegistry } from './progress.ts';

const START = Date.parse('2026-01-02T03:04:05.000Z');

/** A registry on a clock that moves by hand. */
const onClock = () => {
  let now = START;
  return {
    registry: createProgressRegistry(() => now),
    pass(ms: number) {
      now += ms;
    },
  };
};

describe('a piece of work', () => {
  test('shows how far it is, how fast, and how long it will take', () => {
    const { registry, pass } = onClock();
    const work = registry.create('copy', { total: 1_000, runId: 'r1', action: 'FA_copy_file' });
    pass(2_000);
    work.advance(200);
    work.advance(50);
    expect(registry.lookup('copy')).toEqual({
      name: 'copy',
      run_id: 'r1',
      action: 'FA_copy_file',
      status: 'running',
      transferred: 250,
      total: 1_000,
      unit: 'bytes',
      rate: 125,
      eta_s: 6,
      started_at: '2026-01-02T03:04:05.000Z',
      finished_at: null,
    });
  });

  test('of unknown length or without a second has no estimate', () => {
    const { registry, pass } = onClock();
    registry.create('a', { unit: 'items' }).advance(5);
    registry.create('b', { total: 5 });
    expect(registry.lookup('a')).toMatchObject({ total: null, eta_s: null, rate: 0, unit: 'items', run_id: null, action: null });
    pass(1_000);
    expect(registry.lookup('a')).toMatchObject({ eta_s: null, rate: 5 });
    expect(registry.lookup('b')).toMatchObject({ eta_s: null, rate: 0 });
  });

  test('ends once, and its rate stays that of its end', () => {
    const { registry, pass } = onClock();
    const work = registry.create('a', { total: 10 });
    work.advance(10);
    pass(2_000);
    work.finish('done');
    pass(60_000);
    work.finish('failed');
    expect(registry.lookup('a')).toMatchObject({ status: 'done', rate: 5, eta_s: null, finished_at: '2026-01-02T03:04:07.000Z' });
  });

  test.each(['done', 'failed', 'cancelled'] as const)('can end as %s', (status) => {
    const { registry } = onClock();
    registry.create('a').finish(status);
    expect(registry.lookup('a')?.status).toBe(status);
  });
});

describe('names', () => {
  test('that are in use get a number', () => {
    const { registry } = onClock();
    expect(['a', 'a', 'a', 'b'].map((name) => registry.create(name).name)).toEqual(['a', 'a#2', 'a#3', 'b']);
    expect(registry.list().map(({ name }) => name)).toEqual(['a', 'a#2', 'a#3', 'b']);
  });

  test('are free again once forgotten', () => {
    const { registry } = onClock();
    registry.create('a');
    expect(registry.forget('a')).toBe(true);
    expect(registry.forget('a')).toBe(false);
    expect(registry.create('a').name).toBe('a');
  });

  test('that every object has are like any other', () => {
    const { registry } = onClock();
    expect(registry.lookup('constructor')).toBeUndefined();
    expect(registry.create('__proto__').name).toBe('__proto__');
    expect(registry.lookup('__proto__')).toMatchObject({ name: '__proto__' });
  });
});

describe('cancelling', () => {
  test('aborts the signal, stops the next step, and shows in the end', () => {
    const { registry } = onClock();
    const work = registry.create('a');
    expect(registry.cancel('a')).toBe(true);
    expect(work.signal.aborted).toBe(true);
    expect(work.signal.reason).toBeInstanceOf(CancelledException);
    expect(() => work.advance(1)).toThrow(CancelledException);
    expect(registry.lookup('a')).toMatchObject({ status: 'running', transferred: 0 });
    work.finish('done');
    expect(registry.lookup('a')?.status).toBe('cancelled');
  });

  test('what nobody knows is false; what has ended stays as it ended', () => {
    const { registry } = onClock();
    expect(registry.cancel('nobody')).toBe(false);
    const work = registry.create('a');
    work.finish('done');
    expect(registry.cancel('a')).toBe(true);
    expect(registry.lookup('a')?.status).toBe('done');
    expect(work.signal.aborted).toBe(false);
  });
});

describe('finished work', () => {
  test('is cleared on request, what runs stays', () => {
    const { registry } = onClock();
    registry.create('a').finish('done');
    registry.create('b');
    registry.create('c').finish('failed');
    expect(registry.clearFinished()).toBe(2);
    expect(registry.clearFinished()).toBe(0);
    expect(registry.list().map(({ name }) => name)).toEqual(['b']);
  });

  test('is kept up to a thousand entries, the newest of them', () => {
    const { registry } = onClock();
    const running = registry.create('running');
    for (let at = 0; at < 1_200; at += 1) registry.create(`w${at}`).finish('done');
    const names = registry.list().map(({ name }) => name);
    expect(names).toHaveLength(1_001);
    expect([names[0], names[1], names.at(-1)]).toEqual(['running', 'w200', 'w1199']);
    running.finish('done');
    expect(registry.list()).toHaveLength(1_000);
  });
});

describe('onlookers', () => {
  test('hear of every change until they stop listening', () => {
    const { registry } = onClock();
    let heard = 0;
    const stop = registry.onChange(() => {
      heard += 1;
    });
    const work = registry.create('a');
    work.advance(1);
    registry.cancel('a');
    work.finish('done');
    registry.clearFinished();
    expect(heard).toBe(5);
    registry.clearFinished();
    registry.forget('a');
    expect(heard).toBe(5);
    stop();
    registry.create('b');
    expect(heard).toBe(5);
  });
});

describe('of two callers', () => {
  const CALLERS = new Map([
    ['a', 'guest'],
    ['b', 'other'],
    ['o', 'owner'],
  ]);
  const open = () => createProgressRegistry(Date.now, (runId) => CALLERS.get(runId));

  test('each has its names to itself; the owner sees whose they are', () => {
    const registry = open();
    const works = ['a', 'b', 'o', 'a'].map((runId) => registry.create('copy', { runId }));
    expect(works.map(({ name }) => name)).toEqual(['copy', 'copy', 'copy', 'copy#2']);
    const namesFor = (caller: string) =>
      registry
        .seenBy(caller)
        .list()
        .map(({ name }) => name);
    expect(namesFor('guest')).toEqual(['copy', 'copy#2']);
    expect(namesFor('other')).toEqual(['copy']);
    expect(namesFor('owner')).toEqual(['~guest/copy', '~other/copy', 'copy', '~guest/copy#2']);
    expect(registry.seenFrom('b').cancel('~guest/copy')).toBe(false);
    expect(registry.seenFrom('b').cancel('copy')).toBe(true);
    expect(works.map(({ signal }) => signal.aborted)).toEqual([false, true, false, false]);
    expect(registry.seenBy('owner').cancel('~guest/copy')).toBe(true);
    expect(registry.seenFrom('gone').list()).toEqual([]);
  });

  test('one that finishes very much pushes out nothing of the other', () => {
    const registry = open();
    registry.create('mine', { runId: 'b' }).finish('done');
    for (let count = 0; count < 1_100; count += 1) registry.create(`work ${count}`, { runId: 'a' }).finish('done');
    expect(registry.seenBy('other').list()).toHaveLength(1);
    expect(registry.seenBy('guest').list()).toHaveLength(1_000);
    expect(registry.seenBy('guest').clearFinished()).toBe(1_000);
    for (let count = 0; count < 5; count += 1) registry.create('again', { runId: 'a' }).finish('done');
    expect(registry.seenBy('guest').list()).toHaveLength(5);
  });
});
