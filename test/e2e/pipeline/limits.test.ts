import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Outcome } from '../../../src/core/result.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { type WaitingActions, waitingActions } from '../../support/waiting-actions.ts';

const create = (file_path: string, content: string) => ['FA_create_file', { file_path, content }];
const typesOf = (results: readonly Outcome[]) => results.map(({ status, error }) => error?.type ?? status);

describe('a quota on bytes', () => {
  test('fails the command that goes over it, and what it was writing does not appear', async () => {
    await using house = openHouse({ files: { 'big.bin': 'x'.repeat(300_000), 'small.bin': 'x'.repeat(10) } });
    const { results } = await house.run({
      actions: [
        ['FA_copy_file', ['big.bin', 'copy.bin']],
        ['FA_copy_file', ['small.bin', 'copy-2.bin']],
      ],
      quota: { max_bytes: 250_000 },
    });
    expect(typesOf(results)[0]).toBe('QuotaExceededException');
    expect(house.dir.read('copy.bin')).toBeUndefined();
  });

  test('is spent by all commands of a list together', async () => {
    await using house = openHouse();
    const { results } = await house.run({
      actions: [create('a', '123456'), create('b', '1234'), create('c', '1')],
      quota: { max_bytes: 10 },
    });
    expect(typesOf(results)).toEqual(['ok', 'ok', 'QuotaExceededException']);
    expect(house.dir.read('c')).toBeUndefined();
  });

  test('of nothing or less is none', async () => {
    await using house = openHouse();
    for (const max_bytes of [0, -1]) expect((await house.run({ actions: [create('a', '1')], quota: { max_bytes } })).status).toBe('ok');
  });

  test('around a nested list spends those further out too', async () => {
    await using house = openHouse();
    const inner = (max_bytes: number, ...actions: readonly unknown[]) => ['FA_with_quota', { actions, max_bytes }];
    const result = await house.run({
      actions: [inner(100, create('a', '123456')), inner(100, create('b', '12345')), create('c', '')],
      quota: { max_bytes: 10 },
    });
    expect(typesOf(result.results)).toEqual(['ok', 'QuotaExceededException', 'ok']);
    expect([house.dir.read('a'), house.dir.read('b')]).toEqual(['123456', undefined]);
  });

  test('fails FA_with_quota with its own error', async () => {
    await using house = openHouse();
    const { results } = await house.run([['FA_with_quota', { actions: [create('a', '12345')], max_bytes: 4 }], create('b', '12345')]);
    expect(results[0]).toMatchObject({
      status: 'failed',
      error: { type: 'QuotaExceededException', context: { max_bytes: 4 } },
      steps: { counts: { failed: 1 } },
    });
    expect(results[1]?.status).toBe('ok');
  });

  test('of the nested list holds beside the one around it: the tighter wins', async () => {
    await using house = openHouse();
    const wrapped = (max_bytes: number) => ({ actions: [create('a', '12345')], quota: { max_bytes } });
    const { results } = await house.run([
      ['FA_with_quota', { actions: wrapped(4), max_seconds: 60 }],
      ['FA_with_quota', { actions: wrapped(4), max_bytes: 100 }],
      ['FA_with_quota', { actions: wrapped(100), max_bytes: 4 }],
      ['FA_with_quota', { actions: wrapped(100), max_bytes: 100 }],
    ]);
    expect(typesOf(results)).toEqual(['QuotaExceededException', 'QuotaExceededException', 'QuotaExceededException', 'ok']);
  });

  test('is known to a dry run', async () => {
    await using house = openHouse();
    const { results } = await house.run({
      actions: [create('a', '123456'), create('b', '12345')],
      quota: { max_bytes: 10 },
      dry_run: true,
    });
    expect(typesOf(results)).toEqual(['planned', 'QuotaExceededException']);
  });
});

describe('a limit on time', () => {
  let house: TestHouse;
  let waiting: WaitingActions;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    house = openHouse();
    waiting = waitingActions();
    house.factotum.registry.registerMany(waiting.actions);
  });
  afterEach(async () => {
    await house[Symbol.asyncDispose]();
    vi.useRealTimers();
  });

  const wait = (name = 'x') => ['FA_t_wait', [name]];

  test('of a list fails what is running by its signal and what comes after it', async () => {
    const running = house.run({ actions: [['FA_t_touch'], wait(), ['FA_t_touch']], quota: { max_seconds: 2 } });
    await waiting.untilBegun(1);
    vi.advanceTimersByTime(1_999);
    expect(waiting.aborted).toEqual([]);
    vi.advanceTimersByTime(1);
    const result = await running;
    expect(typesOf(result.results)).toEqual(['ok', 'QuotaExceededException', 'QuotaExceededException']);
    expect(result).toMatchObject({ status: 'failed', counts: { ok: 1, failed: 2, cancelled: 0 } });
    expect([waiting.aborted, house.touched, vi.getTimerCount()]).toEqual([['x'], 1, 0]);
  });

  const graph = (...cleanup: readonly unknown[]) => ({
    nodes: [
      { id: 'a', action: wait('a') },
      { id: 'b', action: ['FA_t_touch'], depends_on: ['a'] },
      { id: 'c', action: cleanup, depends_on: ['a', 'b'], run: 'always' },
    ],
    quota: { max_seconds: 2 },
  });

  test('of a graph lets what cleans up run', async () => {
    const running = house.run(graph('FA_t_touch'));
    await waiting.untilBegun(1);
    vi.advanceTimersByTime(2_000);
    const { results } = await running;
    expect(typesOf(results)).toEqual(['QuotaExceededException', 'QuotaExceededException', 'ok']);
    expect([house.touched, vi.getTimerCount()]).toEqual([1, 0]);
  });

  test('of a graph does not stop cleaning up that has begun, and that has a limit of its own', async () => {
    const running = house.run({ nodes: [{ id: 'c', action: wait('c'), run: 'always' }], quota: { max_seconds: 2 } });
    await waiting.untilBegun(1);
    vi.advanceTimersByTime(31_999);
    expect(waiting.aborted).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(typesOf((await running).results)).toEqual(['TimeoutException']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('of a graph does not keep cleaning up from being cancelled', async () => {
    const stop = new AbortController();
    const running = house.factotum.run(graph('FA_t_touch'), { signal: stop.signal });
    await waiting.untilBegun(1);
    stop.abort();
    expect(typesOf((await running).results)).toEqual(['CancelledException', 'cancelled', 'cancelled']);
    expect([house.touched, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('that is kept leaves no timer behind', async () => {
    expect((await house.run({ actions: [['FA_t_touch']], quota: { max_seconds: 5 } })).status).toBe('ok');
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ['FA_with_quota', { max_seconds: 1 }, 'QuotaExceededException'],
    ['FA_with_timeout', { seconds: 1 }, 'TimeoutException'],
  ])('of %s fails its command with its own error, and the list around it goes on', async (name, limit, type) => {
    const running = house.run([
      [name, { actions: [wait(), ['FA_t_touch']], ...limit }],
      ['FA_t_echo', ['after']],
    ]);
    await waiting.untilBegun(1);
    vi.advanceTimersByTime(1_000);
    const { results } = await running;
    expect(typesOf(results)).toEqual([type, 'ok']);
    expect(results[0]?.steps).toMatchObject({ results: [{ error: { type } }, { error: { type } }] });
    expect([house.touched, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test.each([
    ['the quota', 1, 5, 'QuotaExceededException'],
    ['the timeout', 5, 1, 'TimeoutException'],
  ])('is the shorter one where a list has two: %s', async (_, max_seconds, seconds, type) => {
    const running = house.run([['FA_with_timeout', { actions: { actions: [wait()], quota: { max_seconds } }, seconds }]]);
    await waiting.untilBegun(1);
    vi.advanceTimersByTime(1_000);
    const { results } = await running;
    expect(results[0]?.steps).toMatchObject({ results: [{ error: { type } }] });
  });

  test('around a list reaches the lists nested in it', async () => {
    const running = house.run([['FA_with_timeout', { actions: [['FA_t_run_list', [[['FA_t_run_list', [[wait()]]]]]]], seconds: 1 }]]);
    await waiting.untilBegun(1);
    vi.advanceTimersByTime(1_000);
    expect(typesOf((await running).results)).toEqual(['TimeoutException']);
    expect(waiting.aborted).toEqual(['x']);
  });

  test('that is longer than a timer can be is not over at once', async () => {
    const running = house.run({ actions: [['FA_with_timeout', { actions: [wait()], seconds: 1e9 }]], quota: { max_seconds: 1e9 } });
    await waiting.untilBegun(1);
    vi.advanceTimersByTime(1_000_000);
    waiting.release('x');
    expect((await running).status).toBe('ok');
  });
});

describe('the depth of nested lists', () => {
  const nest = (depth: number): readonly unknown[] =>
    depth === 1 ? [['FA_t_touch']] : [['FA_t_run_list', { action_list: nest(depth - 1) }]];

  test('may be 64', async () => {
    await using house = openHouse();
    expect((await house.run(nest(64))).status).toBe('ok');
    expect(house.touched).toBe(1);
  });

  test('may not be 65', async () => {
    await using house = openHouse();
    const result = await house.run(nest(65));
    expect(result.status).toBe('failed');
    expect(JSON.stringify(result)).toContain('Lists are nested deeper than 64; flatten them.');
    expect(house.touched).toBe(0);
  });

  test.each(['FA_execute_action', 'FA_t_run_list', 'FA_with_retry'])('costs %s no power of it in the answer', async (name) => {
    await using house = openHouse();
    let list: readonly unknown[] = [['FA_t_touch']];
    for (let depth = 0; depth < 16; depth += 1) list = [[name, [list]]];
    const result = await house.run(list);
    expect(result.status).toBe('ok');
    expect(JSON.stringify(result).length).toBeLessThan(100_000);
    expect(result.results[0]?.value).toMatchObject(
      name === 'FA_execute_action' ? [{ value: [{ status: 'ok' }] }] : { results: [{ value: { status: 'ok' } }] },
    );
    expect(result.results[0]?.steps).toMatchObject({ results: [{ steps: { results: [{ steps: { status: 'ok' } }] } }] });
  });

  test('ends a list that runs itself', async () => {
    await using house = openHouse({ files: { 'self.json': '[["FA_t_touch"],["FA_execute_files",[["self.json"]]]]' } });
    const result = await house.run([['FA_execute_files', [['self.json']]]]);
    expect([result.status, house.touched]).toEqual(['failed', 63]);
  });
});

test('20,000 nested lists of one command run in little memory', async () => {
  await using house = openHouse({ logLevel: 'error' });
  const actions = Array.from({ length: 20_000 }, () => ['FA_execute_action', { action_list: [['FA_t_touch']] }]);
  await house.run(actions.slice(0, 100));
  const before = process.memoryUsage().heapUsed;
  const result = await house.run(actions);
  const grown = process.memoryUsage().heapUsed - before;
  expect([result.counts.ok, house.touched]).toEqual([20_000, 20_100]);
  expect(grown / 1024 / 1024).toBeLessThan(256);
});
