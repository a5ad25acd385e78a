import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OWNER } from '../../../src/access/caller.ts';
import { CancelledException, FileAccessException } from '../../../src/core/errors.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { STOP_REASONS } from '../../support/stop-reasons.ts';
import { type WaitingActions, waitingActions } from '../../support/waiting-actions.ts';

let house: TestHouse;
let waiting: WaitingActions;
let stop: AbortController;
beforeEach(() => {
  house = openHouse();
  waiting = waitingActions();
  stop = new AbortController();
  house.factotum.registry.registerMany(waiting.actions);
});
afterEach(() => house[Symbol.asyncDispose]());

const wait = (name: string) => ['FA_t_wait', [name]];
const stubborn = (name: string) => ['FA_t_stubborn', [name]];
const start = (request: unknown) => house.run(request, { signal: stop.signal });

describe('cancelling a run', () => {
  test('gives its signal to what runs and cancels what waits', async () => {
    const running = start([['FA_t_touch'], wait('a'), ['FA_t_touch'], ['FA_t_touch']]);
    await waiting.untilBegun(1);
    stop.abort();
    const result = await running;
    expect(result.results.map(({ status }) => status)).toEqual(['ok', 'cancelled', 'cancelled', 'cancelled']);
    expect(result).toMatchObject({ ok: false, status: 'cancelled', counts: { ok: 1, cancelled: 3, failed: 0 } });
    expect(result.results[1]?.error).toMatchObject({ type: 'CancelledException', message: 'The run was cancelled.' });
    expect(result.results[2]).toMatchObject({ reason: 'The run was cancelled before this command started.', duration_ms: 0 });
    expect([waiting.aborted, house.touched]).toEqual([['a'], 1]);
  });

  test('awaits what does not heed its signal, which ends as it ends', async () => {
    const running = start([stubborn('a'), ['FA_t_touch']]);
    await waiting.untilBegun(1);
    stop.abort();
    await new Promise(setImmediate);
    expect(waiting.aborted).toEqual(['a']);
    waiting.release('a');
    expect((await running).results.map(({ status, value }) => [status, value])).toEqual([
      ['ok', 'a'],
      ['cancelled', undefined],
    ]);
    expect(house.touched).toBe(0);
  });

  test('before it starts runs nothing', async () => {
    stop.abort();
    const result = await start([['FA_t_touch'], ['FA_no_such']]);
    expect([result.status, result.counts.cancelled, house.touched]).toEqual(['cancelled', 2, 0]);
  });

  test('after it ended changes nothing', async () => {
    const result = await start([['FA_t_touch']]);
    stop.abort();
    expect(result.status).toBe('ok');
  });

  test('reaches every node that runs and no other run', async () => {
    const running = start({
      nodes: [
        { id: 'a', action: wait('a') },
        { id: 'b', action: wait('b') },
        { id: 'c', action: ['FA_t_touch'], depends_on: ['a'], run: 'always' },
      ],
    });
    const other = house.run([wait('other')]);
    await waiting.untilBegun(3);
    stop.abort();
    expect((await running).results.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    waiting.release('other');
    expect((await other).status).toBe('ok');
    expect([...waiting.aborted].sort()).toEqual(['a', 'b']);
  });

  test('cancels the command whose nested list was under way, at every depth', async () => {
    const running = start([['FA_t_run_list', [[['FA_execute_action', { action_list: [wait('a'), ['FA_t_touch']] }], ['FA_t_touch']]]]]);
    await waiting.untilBegun(1);
    stop.abort();
    const result = await running;
    expect(result).toMatchObject({ status: 'cancelled', counts: { cancelled: 1, failed: 0 } });
    expect(result.results[0]?.steps).toMatchObject({
      status: 'cancelled',
      counts: { cancelled: 2 },
      results: [{ steps: { counts: { cancelled: 2 } } }, {}],
    });
    expect(house.touched).toBe(0);
  });

  test('ends a loop, items that were not begun are not begun', async () => {
    const running = start([['FA_for_each', { items: ['a', 'b', 'c'], actions: [wait('${item}')], max_workers: 2 }]]);
    await waiting.untilBegun(2);
    stop.abort();
    expect((await running).status).toBe('cancelled');
    expect(waiting.begun).toEqual(['a', 'b']);
  });

  test('ends the wait between two attempts', async () => {
    let tried = 0;
    house.factotum.registry.register('FA_busy', () => {
      tried += 1;
      setImmediate(() => stop.abort());
      throw Object.assign(new Error('busy'), { code: 'EBUSY' });
    });
    const result = await start({ nodes: [{ id: 'a', action: ['FA_busy'], retry: { attempts: 9, backoff_s: 1e6, cap_s: 1e6 } }] });
    expect([result.results[0]?.status, tried]).toEqual(['cancelled', 1]);
  });

  test('carries the reason of a caller that gave one of ours', async () => {
    const running = start([wait('a'), ['FA_t_touch']]);
    await waiting.untilBegun(1);
    stop.abort(new CancelledException('The client has gone.'));
    const { results } = await running;
    expect(results.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(results[0]?.error?.message).toBe('The client has gone.');
  });

  test.each(STOP_REASONS)('ends at the gateway as at the library where it is aborted with $called', async ({ reason, status, type }) => {
    const { gateway } = house.factotum;
    const running = gateway.run([wait('a'), ['FA_t_touch']], { caller: OWNER, signal: stop.signal });
    await waiting.untilBegun(1);
    stop.abort(reason);
    const { results } = await running;
    expect([results[0]?.error?.type, ...results.map((each) => each.status)]).toEqual([type, status, status]);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });

  test('by a real time limit fails with a TimeoutException', async () => {
    const { status, results } = await house.run([wait('a'), ['FA_t_touch']], { signal: AbortSignal.timeout(1) });
    expect([status, ...results.map(({ error }) => error?.type)]).toEqual(['failed', 'TimeoutException', 'TimeoutException']);
  });

  test('counts more than what the stopped action complains of, which goes to the log', async () => {
    house.factotum.registry.register('FA_complains', async () => {
      stop.abort(new Error('enough'));
      throw new FileAccessException('The temporary file could not be removed.');
    });
    const { results } = await start([['FA_complains']]);
    expect(results[0]).toMatchObject({ status: 'cancelled', error: { type: 'CancelledException' } });
    expect(house.lines.join()).toContain('The temporary file could not be removed.');
  });

  test('leaves no listener behind on a signal that many runs share', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    for (let run = 0; run < 50; run += 1)
      await start({ actions: [['FA_with_timeout', { actions: [['FA_t_touch']], seconds: 5 }]], quota: { max_seconds: 5 } });
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});

describe('closing an instance', () => {
  test('cancels what runs, waits for it, and takes no more', async () => {
    const running = house.run([wait('a'), ['FA_t_touch']]);
    const slow = house.run([stubborn('b')]);
    await waiting.untilBegun(2);
    let isClosed = false;
    const closing = house.factotum.close().then(() => {
      isClosed = true;
    });
    expect((await running).status).toBe('cancelled');
    expect(isClosed).toBe(false);
    waiting.release('b');
    await closing;
    expect((await slow).status).toBe('ok');
    await expect(house.run([['FA_t_touch']])).rejects.toThrow(CancelledException);
    expect(house.touched).toBe(0);
  });
});

describe('cancelling one piece of work by its name', () => {
  test('cancels its command only', async () => {
    house.factotum.registry.register('FA_work', {
      name: 'FA_work',
      summary: 'Works until it is cancelled.',
      args: {},
      returns: { schema: {}, expected: 'nothing', accepts: () => true },
      examples: [],
      async run({ progress }) {
        const work = progress('work', 10, 'items');
        for (;;) {
          await new Promise(setImmediate);
          work.advance(1);
        }
      },
    });
    const running = house.run([['FA_work'], ['FA_t_touch']]);
    while (house.factotum.progress.lookup('work') === undefined) await new Promise(setImmediate);
    expect(house.factotum.progress.lookup('work')).toMatchObject({ status: 'running', action: 'FA_work', unit: 'items' });
    const {
      results: [answer],
    } = await house.run([['FA_progress_cancel', ['work']]]);
    expect(answer?.value).toBe(true);
    const result = await running;
    expect(result.results.map(({ status }) => status)).toEqual(['cancelled', 'ok']);
    expect(house.factotum.progress.lookup('work')).toMatchObject({ status: 'cancelled', run_id: result.run_id });
  });

  test('finishes the entries of a command as the command ended', async () => {
    const action = (fails: boolean) => ({
      name: 'FA_work',
      summary: 'Works.',
      args: {},
      returns: { schema: {}, expected: 'nothing', accepts: () => true },
      examples: [],
      run: ({ progress }: { progress(name: string): unknown }) => {
        progress(fails ? 'bad' : 'good');
        if (fails) throw new Error('broken');
      },
    });
    house.factotum.registry.registerMany({ FA_good: action(false), FA_bad: action(true) });
    await house.run([['FA_good'], ['FA_bad']]);
    expect(house.factotum.progress.list().map(({ name, status }) => [name, status])).toEqual([
      ['good', 'done'],
      ['bad', 'failed'],
    ]);
  });
});
