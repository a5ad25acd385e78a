import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/core/result.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';

const plan = async (house: TestHouse, actions: readonly unknown[], more: object = {}) => house.run({ actions, dry_run: true, ...more });

/** Kind and target of the effects, with targets as they stand below the directory. */
const effectsOf = (house: TestHouse, outcome: Outcome | undefined): string[] =>
  (outcome?.plan?.effects ?? []).map(({ kind, target }) => `${kind} ${target.replace(`${house.dir.path}/`, '')}`);

const create = (file_path: string, content = '') => ['FA_create_file', { file_path, content }];
const copy = (file_path: string, target_path: string) => ['FA_copy_file', { file_path, target_path }];

describe('a dry run', () => {
  test('calls no function and no definition, and changes nothing', async () => {
    await using house = openHouse({ files: { 'a.txt': '1' } });
    let called = 0;
    house.factotum.registry.register('FA_plain', () => {
      called += 1;
    });
    const result = await plan(house, [['FA_plain', [1]], ['FA_t_touch'], copy('a.txt', 'b.txt'), ['FA_remove_file', ['a.txt']]]);
    expect([called, house.touched, house.dir.read('a.txt'), house.dir.read('b.txt')]).toEqual([0, 0, '1', undefined]);
    expect(result).toMatchObject({
      ok: true,
      status: 'ok',
      counts: { planned: 4, ok: 0 },
      plan_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(result.results.map(({ status, value }) => [status, value])).toEqual(Array(4).fill(['planned', undefined]));
  });

  test('tells the effects, each with its size', async () => {
    await using house = openHouse({ files: { 'a.txt': '12345', 'b.txt': 'old' } });
    const { results } = await plan(house, [
      copy('a.txt', 'b.txt'),
      copy('a.txt', 'c.txt'),
      ['FA_remove_file', ['a.txt']],
      ['FA_stat', ['b.txt']],
    ]);
    expect(results.map((outcome) => effectsOf(house, outcome))).toEqual([
      ['read a.txt', 'overwrite b.txt'],
      ['read a.txt', 'create c.txt'],
      ['delete a.txt'],
      expect.anything(),
    ]);
    expect(results[0]?.plan?.effects.map(({ bytes }) => bytes)).toEqual([5, 5]);
    expect(results[0]?.plan).not.toHaveProperty('complete');
  });

  test('lets later commands see what earlier ones would do', async () => {
    await using house = openHouse({ files: { 'a.txt': 'x' } });
    const { results } = await plan(house, [
      create('new.txt', 'hello'),
      copy('new.txt', 'copy.txt'),
      ['FA_remove_file', ['a.txt']],
      copy('a.txt', 'b.txt'),
    ]);
    expect(results.map(({ status, error }) => error?.type ?? status)).toEqual(['planned', 'planned', 'planned', 'FileNotExistsException']);
    expect(results[1]?.plan?.effects).toMatchObject([
      { kind: 'read', bytes: 5 },
      { kind: 'create', bytes: 5 },
    ]);
  });

  test('fails the commands that would fail, and counts as failed with them', async () => {
    await using house = openHouse();
    const result = await plan(house, [
      copy('missing', 'b.txt'),
      ['FA_no_such'],
      ['FA_t_typed', {}],
      [7],
      ['FA_t_echo', ['${env:UNSET_HERE}']],
      ['FA_t_touch'],
    ]);
    expect(result.results.map(({ status, error }) => error?.type ?? status)).toEqual([
      'FileNotExistsException',
      'UnknownActionException',
      'ArgumentException',
      'ExecuteActionException',
      'SubstitutionException',
      'planned',
    ]);
    expect(result).toMatchObject({ ok: false, status: 'failed', counts: { failed: 5, planned: 1 } });
  });

  test('of a plain function is not complete and says that it would run', async () => {
    await using house = openHouse();
    house.factotum.registry.register('FA_plain', () => 1);
    const { results } = await plan(house, [['FA_plain', { x: 1 }]]);
    expect(results[0]?.plan).toEqual({ arguments: { x: 1 }, effects: [{ kind: 'execute', target: 'FA_plain' }], complete: false });
  });

  test('is not complete where a value only a real run gives is needed', async () => {
    await using house = openHouse();
    const { results } = await plan(house, [
      ['FA_t_echo', [{ file: 'x' }]],
      create('${results[0].value.file}'),
      copy('${results[0].value.file}', 'y'),
      ['FA_t_run_list', ['${results[0].value}']],
    ]);
    expect(results.map(({ status, plan: each }) => [status, each?.complete])).toEqual([
      ['planned', undefined],
      ['planned', false],
      ['planned', false],
      ['planned', false],
    ]);
    expect(results[1]?.plan).toEqual({
      arguments: { file_path: '${results[0].value.file}', content: '' },
      effects: [],
      complete: false,
      unknown: ['file_path'],
    });
  });

  test('tells what is known of a command although one of its arguments is not', async () => {
    await using house = openHouse({ files: { 'old.txt': 'old', 'dir/a.txt': 'a', 'bin/b.txt': 'b' } });
    const value = '${results[0].value}';
    const { results } = await plan(house, [
      ['FA_t_echo', ['x']],
      create('new.txt', value),
      create('old.txt', value),
      copy('new.txt', 'copy.txt'),
      ['FA_move_file', { file_path: 'dir/a.txt', target_path: value }],
      copy(value, 'dir'),
      ['FA_rename_dir', { origin_dir_path: 'dir', target_dir: value }],
      ['FA_cas_delete', { root: 'bin', digest: value }],
      ['FA_run_shell', { argv: ['true'], timeout: value }],
    ]);
    expect(results.map((outcome) => [effectsOf(house, outcome), outcome.plan?.complete, outcome.plan?.unknown])).toEqual([
      [[], undefined, undefined],
      [['create new.txt'], false, ['content']],
      [['overwrite old.txt'], false, ['content']],
      [['read new.txt', 'create copy.txt'], undefined, undefined],
      [['delete dir/a.txt'], false, ['target_path']],
      [['overwrite dir'], false, ['file_path']],
      [['delete dir'], false, ['target_dir']],
      [['overwrite bin'], false, ['digest']],
      [['execute true'], false, ['timeout']],
    ]);
    expect(results[1]?.plan?.effects[0]).not.toHaveProperty('bytes');
  });

  test('is not complete behind a command that may have changed anything, and does not fail for what that may have made', async () => {
    await using house = openHouse({ files: { 'a.txt': 'x' } });
    const { results, counts } = await plan(
      house,
      [['FA_run_shell', { argv: ['make'] }], copy('built', 'b.txt'), ['FA_remove_file', ['a.txt']], ['FA_no_such'], ['FA_t_echo', [1]]],
      {},
    );
    expect(results.map((outcome) => [effectsOf(house, outcome), outcome.plan?.complete, outcome.error?.type])).toEqual([
      [['execute make'], false, undefined],
      [['create b.txt'], false, undefined],
      [['delete a.txt'], false, undefined],
      [[], undefined, 'UnknownActionException'],
      [[], undefined, undefined],
    ]);
    expect(counts).toMatchObject({ planned: 4, failed: 1 });
  });

  test('tells both branches where nobody can know which one is taken, and hands on neither', async () => {
    await using house = openHouse({ files: { 'a.txt': 'x' } });
    const branches = { then: [['FA_remove_file', ['a.txt']]], else_: [['FA_remove_file', ['a.txt']], create('b.txt')] };
    const { results } = await plan(house, [
      ['FA_t_echo', ['x']],
      ['FA_if_exists', { path: '${results[0].value}', ...branches }],
      ['FA_for_each', { items: '${results[0].value}', actions: [create('${item}'), create('c.txt', '${item}')] }],
      ['FA_read_file', ['a.txt']],
      ['FA_if_exists', { path: 'a.txt', ...branches }],
    ]);
    const nested = (at: number) =>
      [results[at]?.plan?.steps ?? []].flat().map((run) => run.results.map((outcome) => effectsOf(house, outcome)));
    expect(nested(1)).toEqual([[['delete a.txt']], [['delete a.txt'], ['create b.txt']]]);
    expect(nested(2)).toEqual([[[], ['create c.txt']]]);
    expect([results[2]?.plan?.unknown, results[3]?.status, effectsOf(house, results[3])]).toEqual([['items'], 'planned', ['read a.txt']]);
    expect(nested(4)).toEqual(nested(1));
    expect(results.map(({ plan: each }) => each?.complete)).toEqual([undefined, false, false, false, false]);
  });

  test('tells what a command that would fail does by then', async () => {
    await using house = openHouse({ files: { 'a.txt': 'x', 'list.json': JSON.stringify([create('made.txt'), copy('missing', 'y')]) } });
    const { results } = await plan(house, [['FA_execute_files', [['list.json']]], copy('missing', 'x')]);
    expect(results[0]).toMatchObject({ status: 'failed', plan: { arguments: { execute_files_list: ['list.json'] } } });
    expect(effectsOf(house, results[0])).toEqual(['read list.json']);
    expect(results[1]?.plan).toEqual({ arguments: { file_path: 'missing', target_path: 'x' }, effects: [] });
  });

  test('stops and skips like a real run', async () => {
    await using house = openHouse();
    const stopped = await plan(house, [['FA_no_such'], ['FA_t_touch'], ['FA_t_touch']], { stop_on_error: true });
    expect(stopped.results.map(({ status }) => status)).toEqual(['failed', 'skipped', 'skipped']);
    const nodes = [
      { id: 'a', action: ['FA_no_such'] },
      { id: 'b', action: ['FA_t_touch'], depends_on: ['a'] },
      { id: 'c', action: ['FA_t_touch'] },
    ];
    const graph = await house.run({ nodes, dry_run: true });
    expect(graph.results.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'failed'],
      ['b', 'skipped'],
      ['c', 'planned'],
    ]);
    expect(house.touched).toBe(0);
  });

  test('of a graph sees the changes in the order of its edges', async () => {
    await using house = openHouse();
    const nodes = [
      { id: 'use', action: copy('made', 'used'), depends_on: ['make'] },
      { id: 'make', action: create('made', 'abc') },
    ];
    const { results } = await house.run({ nodes, dry_run: true, max_workers: 8 });
    expect(results.map((outcome) => effectsOf(house, outcome))).toEqual([['read made', 'create used'], ['create made']]);
  });
});

describe('nested lists of a dry run', () => {
  test('have their plans inside the plan', async () => {
    await using house = openHouse({ files: { 'a.txt': '1' } });
    const { results } = await plan(house, [
      ['FA_execute_action', { action_list: [create('x'), ['FA_t_touch']] }],
      ['FA_if_exists', ['a.txt', [create('y')], [create('z')]]],
      ['FA_for_each', { items: ['p', 'q'], actions: [create('${item}')] }],
      ['FA_execute_action_parallel', { action_list: [create('r')] }],
      ['FA_with_retry', { actions: [create('s')] }],
    ]);
    expect(results.map(({ status }) => status)).toEqual(Array(5).fill('planned'));
    const planned = results.map((outcome) =>
      [outcome.plan?.steps ?? []].flat().map((run) => run.results.map((each) => effectsOf(house, each))),
    );
    expect(planned).toEqual([[[['create x'], []]], [[['create y']]], [[['create p']], [['create q']]], [[['create r']]], [[['create s']]]]);
    expect(house.touched).toBe(0);
  });

  test('that would fail make their command fail', async () => {
    await using house = openHouse();
    const { results } = await plan(house, [['FA_t_run_list', { action_list: [['FA_t_touch'], copy('missing', 'x')] }]]);
    expect(results[0]).toMatchObject({
      status: 'failed',
      error: { type: 'ExecuteActionException', context: { counts: { planned: 1, failed: 1 } } },
    });
    expect(results[0]?.steps).toMatchObject({ results: [{ status: 'planned' }, { status: 'failed' }] });
  });

  test('of a real run that ask for a plan are planned, and the rest is run', async () => {
    await using house = openHouse();
    const { results } = await house.run([
      ['FA_execute_action', { action_list: [create('planned')], dry_run: true }],
      create('made'),
      ['FA_execute_action', { action_list: { actions: [['FA_t_touch']], dry_run: true } }],
    ]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect(results[0]?.value).toMatchObject([{ status: 'planned', plan: { effects: [{ kind: 'create' }] } }]);
    expect(results[0]?.steps).toMatchObject({ plan_hash: expect.any(String) });
    expect([house.dir.read('planned'), house.dir.read('made'), house.touched]).toEqual([undefined, '', 0]);
  });

  test('that are planned spend nothing of the quota around them', async () => {
    await using house = openHouse();
    const result = await house.run({
      actions: [['FA_execute_action', { action_list: [create('planned', '12345678')], dry_run: true }], create('made', '12345678')],
      quota: { max_bytes: 10 },
    });
    expect(result.results.map(({ status, error }) => error?.type ?? status)).toEqual(['ok', 'ok']);
  });

  test('carry no hash of their own: the run has one for all of it', async () => {
    await using house = openHouse();
    const result = await plan(house, [['FA_for_each', { items: ['a', 'b'], actions: [create('${item}')] }]]);
    expect(result.plan_hash).toBeDefined();
    expect([result.results[0]?.plan?.steps ?? []].flat().map((run) => run.plan_hash)).toEqual([undefined, undefined]);
  });
});
