import { utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHouse, type TestHouse } from '../../support/house.ts';

const copy = (file_path: string, target_path: string) => ['FA_copy_file', { file_path, target_path }];
const create = (file_path: string, content = '') => ['FA_create_file', { file_path, content }];
const nested = (...list: readonly unknown[]) => ['FA_execute_action', { action_list: list }];

const hashOf = async (house: TestHouse, actions: readonly unknown[]): Promise<string> =>
  (await house.run({ actions, dry_run: true })).plan_hash ?? '';

const files = { 'a.txt': 'aaa', 'b.txt': 'bbb', 'dir/c.txt': 'ccc' };
const list = [copy('a.txt', 'b.txt'), ['FA_remove_file', ['dir/c.txt']], create('${env:NAME:-made}.txt', '${cwd}')];

describe('the hash of a plan', () => {
  test('is the same for the same list over the same files', async () => {
    await using house = openHouse({ files });
    const first = await hashOf(house, list);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf(house, list)).toBe(first);
    expect(await hashOf(house, JSON.parse(JSON.stringify(list)))).toBe(first);
  });

  test.each<[string, readonly unknown[]]>([
    ['another argument', [copy('a.txt', 'b.txt'), ['FA_remove_file', ['dir/c.txt']], create('${env:NAME:-made}.txt', '${cwd}/')]],
    ['another target', [copy('a.txt', 'x.txt'), ...list.slice(1)]],
    ['an extra command', [...list, create('more')]],
    ['a command less', list.slice(1)],
    ['another order', [list[1], list[0], list[2]]],
  ])('is another one for %s', async (_, other) => {
    await using house = openHouse({ files });
    expect(await hashOf(house, other)).not.toBe(await hashOf(house, list));
  });

  test.each<[string, (house: TestHouse) => void]>([
    ['a file that would be read was touched', ({ dir }) => utimesSync(dir.at('a.txt'), 1, 1)],
    ['a file that would be read has grown', ({ dir }) => dir.write('a.txt', 'aaaa')],
    ['a file that would be replaced was touched', ({ dir }) => utimesSync(dir.at('b.txt'), 1, 1)],
    ['a file that would be removed was touched', ({ dir }) => utimesSync(dir.at('dir/c.txt'), 1, 1)],
  ])('is another one once %s', async (_, change) => {
    await using house = openHouse({ files });
    const before = await hashOf(house, list);
    change(house);
    expect(await hashOf(house, list)).not.toBe(before);
  });

  test('is another one when there is one more thing to do', async () => {
    await using house = openHouse({ files });
    const tree = [['FA_remove_dir_tree', ['dir']]];
    const before = await hashOf(house, tree);
    house.dir.write('dir/new.txt', '');
    expect(await hashOf(house, tree)).not.toBe(before);
  });

  test('is another one when a nested command would go elsewhere', async () => {
    const env: Record<string, string> = { WHERE: 'here' };
    await using house = openHouse({ env });
    const before = await hashOf(house, [nested(create('${env:WHERE}.txt'))]);
    env.WHERE = 'there';
    expect(await hashOf(house, [nested(create('${env:WHERE}.txt'))])).not.toBe(before);
  });

  test('stays the same when something else changes', async () => {
    await using house = openHouse({ files });
    const before = await hashOf(house, list);
    house.dir.write('other.txt', 'x');
    expect(await hashOf(house, list)).toBe(before);
  });

  test('covers nested lists, also of a command that would fail', async () => {
    await using house = openHouse({ files });
    const missing = copy('missing', 'x');
    expect(await hashOf(house, [nested(create('x'))])).not.toBe(await hashOf(house, [nested(create('y'))]));
    expect(await hashOf(house, [nested(create('x'), missing)])).not.toBe(
      await hashOf(house, [nested(['FA_remove_file', ['a.txt']], missing)]),
    );
    expect(await hashOf(house, [copy('missing', 'x')])).not.toBe(await hashOf(house, [copy('other', 'x')]));
  });

  test('covers a file list as it stood when it was planned', async () => {
    await using house = openHouse({ files: { ...files, 'list.json': JSON.stringify([copy('missing', 'x')]) } });
    const run = [['FA_execute_files', { execute_files_list: ['list.json'] }]];
    const before = await hashOf(house, run);
    house.dir.write('list.json', JSON.stringify([['FA_remove_file', ['a.txt']], copy('missing', 'x')]));
    expect(await hashOf(house, run)).not.toBe(before);
  });
});

describe('an approved plan', () => {
  test('runs when nothing has changed', async () => {
    await using house = openHouse({ files });
    const result = await house.run({ actions: list, expect_plan: await hashOf(house, list) });
    expect(result).toMatchObject({ status: 'ok', counts: { ok: 3, planned: 0 } });
    expect(result).not.toHaveProperty('plan_hash');
    expect([house.dir.read('b.txt'), house.dir.read('dir/c.txt')]).toEqual(['aaa', undefined]);
  });

  test('is refused, and nothing runs, when something has changed', async () => {
    await using house = openHouse({ files });
    const approved = await hashOf(house, [...list, ['FA_t_touch']]);
    house.dir.write('a.txt', 'changed');
    const refusal = await house.refusal({ actions: [...list, ['FA_t_touch']], expect_plan: approved });
    expect(refusal).toMatchObject({
      type: 'PlanChangedException',
      context: { expected: approved, found: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect([house.touched, house.dir.read('b.txt'), house.dir.read('dir/c.txt')]).toEqual([0, 'bbb', 'ccc']);
  });

  test('holds for graphs', async () => {
    await using house = openHouse({ files });
    const graph = { nodes: [{ id: 'a', action: copy('a.txt', 'x.txt') }] };
    const { plan_hash: approved } = await house.run({ ...graph, dry_run: true });
    expect((await house.refusal({ ...graph, expect_plan: 'another' })).type).toBe('PlanChangedException');
    expect(house.dir.read('x.txt')).toBeUndefined();
    expect((await house.run({ ...graph, expect_plan: approved })).status).toBe('ok');
  });

  test('holds for a nested list that asks for it', async () => {
    await using house = openHouse({ files });
    const actions = [create('made', 'x')];
    const inner = (expect_plan: string) => [['FA_execute_action', { action_list: { actions, expect_plan } }]];
    const { results } = await house.run(inner('another'));
    expect([results[0]?.error?.type, house.dir.read('made')]).toEqual(['PlanChangedException', undefined]);
    expect((await house.run(inner(await hashOf(house, actions)))).status).toBe('ok');
    expect(house.dir.read('made')).toBe('x');
  });

  test('is planned again and no more where both are asked for, and refused where that gives another one', async () => {
    await using house = openHouse({ files });
    const { plan_hash } = await house.run({ actions: list, dry_run: true });
    const again = await house.run({ actions: list, dry_run: true, expect_plan: plan_hash });
    expect([again.plan_hash, again.counts.planned]).toEqual([plan_hash, 3]);
    const fault = await house.refusal({ actions: list, dry_run: true, expect_plan: 'another' });
    expect(fault).toMatchObject({ type: 'PlanChangedException', context: { expected: 'another', found: plan_hash } });
  });

  test('that is cancelled before it starts is cancelled, not changed', async () => {
    await using house = openHouse({ files });
    const result = await house.run({ actions: list, expect_plan: await hashOf(house, list) }, { signal: AbortSignal.abort() });
    expect([result.status, result.counts.cancelled]).toEqual(['cancelled', 3]);
  });

  test('has its quota to itself: planning does not spend it', async () => {
    await using house = openHouse({ files });
    const request = { actions: [create('x', '12345678')], quota: { max_bytes: 10 } };
    const { plan_hash: approved } = await house.run({ ...request, dry_run: true });
    expect((await house.run({ ...request, expect_plan: approved })).status).toBe('ok');
  });
});
