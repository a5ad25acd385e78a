import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FileAccessException } from '../../../src/core/errors.ts';
import type { RunResult } from '../../../src/core/result.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { type WaitingActions, waitingActions } from '../../support/waiting-actions.ts';

let house: TestHouse;
let waiting: WaitingActions;
/** How often each call of FA_flaky was tried. */
let tries: Map<string, number>;

beforeEach(() => {
  house = openHouse();
  waiting = waitingActions();
  tries = new Map();
  house.factotum.registry.registerMany(waiting.actions);
  house.factotum.registry.registerMany({
    FA_flaky: (name: string, failures: number, retryable = true) => {
      const tried = (tries.get(name) ?? 0) + 1;
      tries.set(name, tried);
      if (tried <= failures) throw new FileAccessException(`${name} is busy.`, { retryable });
      return tried;
    },
    FA_t_fail: () => {
      throw new Error('always');
    },
  });
});
afterEach(() => house[Symbol.asyncDispose]());

const touch = (id: string, depends_on: readonly string[] = [], more: object = {}) => ({ id, action: ['FA_t_touch'], depends_on, ...more });
const fail = (id: string, depends_on: readonly string[] = [], more: object = {}) => ({ id, action: ['FA_t_fail'], depends_on, ...more });
const wait = (id: string, depends_on: readonly string[] = [], more: object = {}) => ({
  id,
  action: ['FA_t_wait', [id]],
  depends_on,
  ...more,
});

const fates = ({ results }: RunResult) => Object.fromEntries(results.map(({ id, status }) => [id, status]));

describe('a failed node', () => {
  const nodes = [fail('a'), touch('b', ['a']), touch('c', ['b']), touch('free'), touch('both', ['free', 'a'])];

  test('skips all that wait for it, directly or not, and nothing else', async () => {
    const result = await house.run({ nodes });
    expect(fates(result)).toEqual({ a: 'failed', b: 'skipped', c: 'skipped', free: 'ok', both: 'skipped' });
    expect(result).toMatchObject({ ok: false, status: 'failed', counts: { ok: 1, failed: 1, skipped: 3 } });
    expect(house.touched).toBe(1);
  });

  test('is named as the reason of each that was skipped', async () => {
    const { results } = await house.run({ nodes });
    expect(results.map(({ reason }) => reason)).toEqual([
      undefined,
      'Not run because node a ended as failed.',
      'Not run because node b ended as skipped.',
      undefined,
      'Not run because node a ended as failed.',
    ]);
    expect(results.find(({ id }) => id === 'b')).toEqual({
      index: 1,
      id: 'b',
      action: 'FA_t_touch',
      status: 'skipped',
      reason: expect.any(String),
      duration_ms: 0,
    });
  });

  test('holds nothing back without fail_fast', async () => {
    expect(fates(await house.run({ nodes, fail_fast: false }))).toEqual({ a: 'failed', b: 'ok', c: 'ok', free: 'ok', both: 'ok' });
  });

  test('does not hold back what always runs, nor what waits for that', async () => {
    const result = await house.run({
      nodes: [fail('a'), touch('b', ['a']), touch('clean', ['b'], { run: 'always' }), touch('after', ['clean'])],
    });
    expect(fates(result)).toEqual({ a: 'failed', b: 'skipped', clean: 'ok', after: 'ok' });
  });
});

describe('order', () => {
  test('of running is that of the edges, of results that of the request', async () => {
    const running = house.run({ nodes: [wait('c', ['b']), wait('a'), wait('b', ['a'])] });
    for (const [at, id] of ['a', 'b', 'c'].entries()) {
      await waiting.untilBegun(at + 1);
      expect(waiting.begun[at]).toBe(id);
      waiting.release(id);
    }
    expect((await running).results.map(({ id, index, value }) => [id, index, value])).toEqual([
      ['c', 0, 'c'],
      ['a', 1, 'a'],
      ['b', 2, 'b'],
    ]);
  });

  test('of running never exceeds max_workers', async () => {
    const running = house.run({ nodes: ['a', 'b', 'c', 'd', 'e'].map((id) => wait(id)), max_workers: 2 });
    await waiting.untilBegun(2);
    await new Promise(setImmediate);
    expect(waiting.begun).toEqual(['a', 'b']);
    waiting.release('b');
    await waiting.untilBegun(3);
    await new Promise(setImmediate);
    expect(waiting.begun).toEqual(['a', 'b', 'c']);
    for (const id of ['a', 'c', 'd', 'e']) waiting.release(id);
    expect((await running).counts.ok).toBe(5);
  });

  test.each([
    ['a graph', { nodes: ['a', 'b', 'c', 'd', 'e'].map((id) => wait(id)) }],
    ['a parallel list', { actions: ['a', 'b', 'c', 'd', 'e'].map((id) => ['FA_t_wait', [id]]), mode: 'parallel' }],
  ])('in %s is four at once unless said otherwise', async (_, request) => {
    const running = house.run(request);
    await waiting.untilBegun(4);
    await new Promise(setImmediate);
    expect(waiting.begun).toEqual(['a', 'b', 'c', 'd']);
    for (const id of 'abcde') waiting.release(id);
    expect((await running).counts.ok).toBe(5);
  });
});

describe('retry', () => {
  const flaky = (id: string, failures: number, retry: object | undefined, retryable = true) => ({
    id,
    action: ['FA_flaky', [id, failures, retryable]],
    ...(retry !== undefined && { retry }),
  });
  const quick = { attempts: 3, backoff_s: 0 };

  test('repeats what may pass, as often as allowed', async () => {
    const { results } = await house.run({
      nodes: [
        flaky('once', 0, quick),
        flaky('twice', 1, quick),
        flaky('never', 9, quick),
        flaky('final', 9, quick, false),
        flaky('plain', 1, undefined),
      ],
    });
    expect(results.map(({ status, error, value }) => [status, error?.type ?? value])).toEqual([
      ['ok', 1],
      ['ok', 2],
      ['failed', 'RetryExhaustedException'],
      ['failed', 'FileAccessException'],
      ['failed', 'FileAccessException'],
    ]);
    expect([...tries.values()]).toEqual([1, 2, 3, 1, 1]);
    expect(results[2]?.error).toMatchObject({
      message: 'All 3 attempts failed; the last one said: never is busy.',
      context: { attempts: 3 },
    });
  });

  test('around a list repeats each of its commands, in nested lists too', async () => {
    const list = [
      ['FA_flaky', ['a', 2]],
      ['FA_t_run_list', [[['FA_flaky', ['b', 1]]]]],
    ];
    const { results } = await house.run([['FA_with_retry', { actions: list, backoff_base: 0 }]]);
    expect(results[0]?.status).toBe('ok');
    expect(Object.fromEntries(tries)).toEqual({ a: 3, b: 2 });
  });

  test('of the node comes before that of the list around it', async () => {
    const graph = { nodes: [flaky('own', 9, { attempts: 2, backoff_s: 0 }), flaky('list', 9, undefined)] };
    const { results } = await house.run([['FA_with_retry', { actions: graph, max_attempts: 4, backoff_base: 0 }]]);
    expect(results[0]?.error?.type).toBe('RetryExhaustedException');
    expect(Object.fromEntries(tries)).toEqual({ own: 2, list: 4 });
  });

  test('repeats a network fault of a function', async () => {
    let tried = 0;
    house.factotum.registry.register('FA_connect', () => {
      tried += 1;
      if (tried < 3) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
      return 'connected';
    });
    const { results } = await house.run({ nodes: [{ id: 'a', action: ['FA_connect'], retry: quick }] });
    expect(results[0]).toMatchObject({ status: 'ok', value: 'connected' });
  });
});

describe('a time limit of a node', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('aborts its signal and fails it, and nothing beside it', async () => {
    const running = house.run({ nodes: [wait('slow', [], { timeout_s: 2 }), wait('other'), touch('after', ['slow'])] });
    await waiting.untilBegun(2);
    vi.advanceTimersByTime(2_000);
    await new Promise(setImmediate);
    expect(waiting.aborted).toEqual(['slow']);
    waiting.release('other');
    const result = await running;
    expect(fates(result)).toEqual({ slow: 'failed', other: 'ok', after: 'skipped' });
    expect(result.results[0]?.error).toEqual({
      type: 'TimeoutException',
      message: 'FA_t_wait took longer than its 2 s.',
      retryable: true,
      context: { timeout_s: 2 },
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that is kept changes nothing and leaves no timer', async () => {
    const running = house.run({ nodes: [wait('quick', [], { timeout_s: 2 })] });
    await waiting.untilBegun(1);
    waiting.release('quick');
    expect(fates(await running)).toEqual({ quick: 'ok' });
    expect([waiting.aborted, vi.getTimerCount()]).toEqual([[], 0]);
  });

  test('awaits what does not stop, and fails it all the same', async () => {
    const running = house.run({ nodes: [{ id: 'a', action: ['FA_t_stubborn', ['a']], timeout_s: 1 }] });
    await waiting.untilBegun(1);
    vi.advanceTimersByTime(1_000);
    await new Promise(setImmediate);
    expect(waiting.aborted).toEqual(['a']);
    waiting.release('a');
    expect((await running).results[0]).toMatchObject({ status: 'failed', error: { type: 'TimeoutException' } });
  });

  test('covers all its attempts, and is told instead of them', async () => {
    const running = house.run({ nodes: [wait('a', [], { timeout_s: 1, retry: { attempts: 3, backoff_s: 0 } })] });
    await waiting.untilBegun(1);
    vi.advanceTimersByTime(1_000);
    expect((await running).results[0]?.error?.type).toBe('TimeoutException');
    expect(waiting.begun).toEqual(['a']);
  });

  test('reaches the list that the node runs', async () => {
    const running = house.run({ nodes: [{ id: 'a', action: ['FA_t_run_list', [[['FA_t_wait', ['inner']]]]], timeout_s: 1 }] });
    await waiting.untilBegun(1);
    vi.advanceTimersByTime(1_000);
    const { results } = await running;
    expect(results[0]).toMatchObject({
      status: 'failed',
      error: { type: 'TimeoutException' },
      steps: { results: [{ error: { type: 'TimeoutException' } }] },
    });
    expect(waiting.aborted).toEqual(['inner']);
  });
});

describe('a serial list', () => {
  test('goes on after a failure, unless it is to stop', async () => {
    const actions = [['FA_t_fail'], ['FA_t_touch'], ['FA_t_fail'], ['FA_t_touch']];
    expect((await house.run(actions)).results.map(({ status }) => status)).toEqual(['failed', 'ok', 'failed', 'ok']);
    const stopped = await house.run({ actions, stop_on_error: true });
    expect(stopped.results.map(({ status, reason }) => [status, reason])).toEqual([
      ['failed', undefined],
      ['skipped', 'Not run because command 0 ended as failed.'],
      ['skipped', 'Not run because command 1 ended as skipped.'],
      ['skipped', 'Not run because command 2 ended as skipped.'],
    ]);
    expect(house.touched).toBe(2);
  });
});
