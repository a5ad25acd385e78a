import { describe, expect, test } from 'vitest';
import type { ListDefaults } from '../../../src/core/list-defaults.ts';
import type { Outcome, RunResult } from '../../../src/core/result.ts';
import { openHouse } from '../../support/house.ts';

const defaults: ListDefaults = { maxCommands: 100_000, maxWorkers: 4, validateFirst: false };
const one = ['FA_substitute', { payload: 1 }];
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const forEach = (count: number, actions: readonly unknown[], more: object = {}) => [
  'FA_for_each',
  { items: numbers(count), actions, ...more },
];
const nested = (depth: number, inner: readonly unknown[]): readonly unknown[] =>
  depth === 0 ? inner : [['FA_execute_action', { action_list: nested(depth - 1, inner) }]];
const overCommands = { type: 'QuotaExceededException', context: { limit: 'executed_commands' } };
const overBytes = { type: 'QuotaExceededException', context: { limit: 'run_bytes' } };

describe('the number of commands that a run may execute', () => {
  test.each<[string, readonly unknown[] | object]>([
    ['one behind the other', numbers(30).map(() => one)],
    ['at once', { actions: numbers(30).map(() => one), mode: 'parallel' }],
    ['as nodes', { nodes: numbers(30).map((at) => ({ id: `n${at}`, action: one })) }],
    ['for each item', [forEach(30, [one])]],
    ['for each item at once', [forEach(30, [one], { max_workers: 8 })]],
    ['for each of each', [forEach(5, [forEach(5, [forEach(5, [one])])])]],
    ['inside each other', nested(25, [one])],
    ['only planned', { actions: numbers(30).map(() => one), dry_run: true }],
  ])('is one for all lists of the run: %s', async (_, request) => {
    await using house = openHouse({ defaults: { ...defaults, executedCommands: 20 }, logLevel: 'error' });
    const result = await house.run(request);
    expect(result).toMatchObject({ ok: false, status: 'failed' });
    expect(result.results.find(({ status }) => status === 'failed')?.error).toMatchObject(overCommands);
  });

  test('is told once, with the remedy; what follows is skipped and touches nothing', async () => {
    await using house = openHouse({ defaults: { ...defaults, executedCommands: 3 } });
    const { results, counts } = await house.run(numbers(6).map(() => ['FA_t_touch']));
    expect(house.touched).toBe(3);
    expect(counts).toMatchObject({ ok: 3, failed: 1, skipped: 2 });
    expect(results[3]?.error?.message).toMatch(/executed 3 commands.*raise executed_commands in \[limits\]/);
    expect(results[5]).toMatchObject({ status: 'skipped', reason: expect.stringContaining('over one of its limits') });
  });

  test('is not raised by trying again', async () => {
    await using house = openHouse({ defaults: { ...defaults, executedCommands: 5 } });
    house.factotum.registry.register('flaky', () => {
      throw Object.assign(new Error('again'), { code: 'ECONNRESET' });
    });
    const { results } = await house.run([['FA_with_retry', { actions: [['flaky']], max_attempts: 1_000, backoff_base: 0 }]]);
    expect(results[0]?.error).toMatchObject(overCommands);
  });

  test('stops a file that runs itself twice', async () => {
    const self = JSON.stringify([['FA_execute_files', [['self.json', 'self.json']]]]);
    await using house = openHouse({ files: { 'self.json': self }, defaults: { ...defaults, executedCommands: 500 }, logLevel: 'error' });
    const { results } = await house.run([['FA_execute_files', [['self.json']]]]);
    expect(results[0]?.error).toMatchObject(overCommands);
  });

  test('lets the next run begin anew', async () => {
    await using house = openHouse({ defaults: { ...defaults, executedCommands: 3 } });
    for (let round = 0; round < 3; round += 1) expect((await house.run([one, one, one])).ok).toBe(true);
  });
});

describe('the bytes that a run may keep', () => {
  const growing = (count: number, width: number) => [
    ['FA_substitute', { payload: 'x'.repeat(100) }],
    ...numbers(count).map((at) => ['FA_substitute', { payload: numbers(width).map(() => `\${results[${at}].value}`) }]),
  ];

  test('count values as they would be written out, before anybody does', async () => {
    await using house = openHouse();
    const { results } = await house.run(growing(30, 10));
    expect(results.find(({ status }) => status === 'failed')?.error).toMatchObject(overBytes);
    expect(results.filter(({ status }) => status === 'ok').length).toBeGreaterThan(4);
  });

  test('count texts before they are put together', async () => {
    await using house = openHouse({ defaults: { ...defaults, runBytes: 100_000 } });
    const long = ['FA_substitute', { payload: 'x'.repeat(20_000) }];
    const { results } = await house.run([long, ['FA_substitute', { payload: numbers(10).map(() => 'y${results[0].value}') }], one]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'failed', 'ok']);
    expect(results[1]?.error).toMatchObject(overBytes);
    expect(results[1]?.error?.message).toContain('raise run_bytes in [limits]');
  });

  test('are given back when a command has done with what was filled in', async () => {
    await using house = openHouse({ defaults: { ...defaults, runBytes: 100_000 } });
    const long = ['FA_substitute', { payload: 'x'.repeat(20_000) }];
    const use = ['FA_if', { value: 'y${results[0].value}', is: 'not_empty', then: [] }];
    expect((await house.run([long, ...numbers(50).map(() => use)])).ok).toBe(true);
  });

  test('let a value go that does not fit, and nothing else', async () => {
    await using house = openHouse({ defaults: { ...defaults, runBytes: 50_000 }, files: { long: 'x'.repeat(60_000) } });
    const { results } = await house.run([['FA_read_file', ['long']], one]);
    expect(results[0]?.error).toMatchObject(overBytes);
    expect(results[1]).toMatchObject({ status: 'ok', value: 1 });
  });

  test('hold entries too, also of what is never begun', async () => {
    await using house = openHouse({ defaults: { ...defaults, runBytes: 200_000 }, logLevel: 'error' });
    const skipping = { actions: [['FA_fail', { message: 'no' }], ...numbers(100).map(() => one)], stop_on_error: true };
    const { results } = await house.run([forEach(1_000, skipping as never)]);
    expect(results[0]?.error).toMatchObject(overBytes);
  });

  test('hold lists that are under way at once', async () => {
    await using house = openHouse({ defaults: { ...defaults, runBytes: 1_000_000 }, logLevel: 'error' });
    const wide = { max_workers: 1_000 };
    const { results } = await house.run([forEach(100, [forEach(100, [one], wide)], wide)]);
    expect(results[0]?.error).toMatchObject({ type: 'QuotaExceededException' });
  });

  test('hold the lists that files hold', async () => {
    const list = JSON.stringify(numbers(100).map(() => one));
    await using house = openHouse({ files: { 'list.json': list }, defaults: { ...defaults, runBytes: 1_000_000 } });
    const { results } = await house.run([['FA_execute_files', [numbers(1_000).map(() => 'list.json')]]]);
    expect(results[0]?.error).toMatchObject(overBytes);
  });
});

describe('an answer', () => {
  const textsOf = (result: RunResult, text: string) => JSON.stringify(result).split(text).length - 1;
  const leaf = 'leaf '.repeat(100);

  test.each([
    ['lists', (inner: readonly unknown[]) => ['FA_execute_action', { action_list: inner }]],
    ['lists at once', (inner: readonly unknown[]) => ['FA_execute_action_parallel', { action_list: inner }]],
    ['items', (inner: readonly unknown[]) => ['FA_for_each', { items: [1], actions: inner }]],
    ['branches', (inner: readonly unknown[]) => ['FA_if', { value: 'x', is: 'not_empty', then: inner }]],
    ['graphs', (inner: readonly unknown[]) => ['FA_execute_action_dag', { nodes: [{ id: 'n', action: inner[0] }] }]],
    ['limits', (inner: readonly unknown[]) => ['FA_with_timeout', { actions: inner, seconds: 60 }]],
  ])('holds a value that stands deep inside %s once', async (_, around) => {
    await using house = openHouse();
    let list: readonly unknown[] = [['FA_substitute', { payload: leaf }]];
    for (let depth = 0; depth < 20; depth += 1) list = [around(list)];
    const result = await house.run(list);
    expect(result.ok).toBe(true);
    expect(textsOf(result, leaf)).toBe(1);
  });

  test('carries the whole result of a nested list, and references reach what is deeper', async () => {
    await using house = openHouse();
    const { results } = await house.run([
      ...nested(1, [['FA_substitute', { payload: leaf }]]),
      ...nested(2, [['FA_substitute', { payload: 'deep' }]]),
      ['FA_substitute', { payload: ['${results[0].value[0].value}', '${results[1].value[0].value[0].value}'] }],
    ]);
    expect(results[0]?.steps).toMatchObject({ ok: true, results: [{ status: 'ok', value: leaf }] });
    expect(results[1]?.steps).toMatchObject({ results: [{ status: 'ok', steps: { results: [{ status: 'ok' }] } }] });
    expect(results[2]?.value).toEqual([leaf, 'deep']);
  });

  test('keeps the values inside a list that failed', async () => {
    await using house = openHouse({ logLevel: 'error' });
    const result = await house.run(
      nested(5, [
        ['FA_substitute', { payload: leaf }],
        ['FA_fail', { message: 'no' }],
      ]),
    );
    expect(result.ok).toBe(false);
    expect(textsOf(result, leaf)).toBe(1);
  });

  test('adds the results of very many items up beyond the first ones', async () => {
    await using house = openHouse();
    const { results } = await house.run([forEach(10_500, [one, one])]);
    const [{ value, steps, notes } = {} as Outcome] = results;
    expect(value).toHaveLength(10_001);
    expect(steps).toHaveLength(10_001);
    const rest = { ok: true, status: 'ok', counts: { ok: 1_000, failed: 0 }, results: [] };
    expect((value as readonly unknown[]).at(-1)).toMatchObject(rest);
    expect((steps as readonly unknown[]).at(-1)).toMatchObject(rest);
    expect(notes).toMatchObject([{ kind: 'truncated', shown: 10_000, added_up: 500 }]);
  });

  test('shows the first of very many items that failed', async () => {
    await using house = openHouse({ logLevel: 'error' });
    const { results } = await house.run([forEach(10_500, [['FA_assert', { value: '${index}', is: 'less_than', other: 10_200 }]])]);
    expect(results[0]).toMatchObject({ status: 'failed', error: { type: 'ExecuteActionException' } });
    const steps = [results[0]?.steps ?? []].flat();
    expect(steps).toHaveLength(10_002);
    expect(steps.filter(({ ok }) => !ok)).toMatchObject([
      { results: [{ error: { type: 'AssertionException' } }] },
      { counts: { failed: 299 } },
    ]);
  });
});

test('a run that fails very often does not fill the log', async () => {
  await using house = openHouse({ logLevel: 'warn' });
  await house.run([forEach(3_000, [['FA_fail', { message: 'no' }]])]);
  expect(house.lines.length).toBeLessThan(1_100);
  expect(house.lines.some((line) => line.includes('further failures of this run are not logged'))).toBe(true);
});
