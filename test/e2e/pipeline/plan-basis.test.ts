import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Effect, Outcome, RunResult } from '../../../src/core/result.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';

const DAY_MS = 86_400_000;
const create = (file_path: string, content = '') => ['FA_create_file', { file_path, content }];

/** A house whose clock is moved by hand. */
const openDated = (files: Readonly<Record<string, string>> = {}) => {
  let now = Date.parse('2026-03-04T12:00:00Z');
  const house = openHouse({ files, clock: { now: () => now, monotonic: () => performance.now() } });
  return {
    house,
    pass: (ms: number) => {
      now += ms;
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
};

const plan = async (house: TestHouse, list: object): Promise<RunResult & { readonly plan_hash: string }> => {
  const result = await house.run({ ...list, dry_run: true });
  return { ...result, plan_hash: result.plan_hash ?? '' };
};

const effectsOf = ({ results }: RunResult): readonly Effect[] => results.flatMap(allEffects);
const allEffects = ({ plan: own }: Outcome): readonly Effect[] => [
  ...(own?.effects ?? []),
  ...[own?.steps ?? []].flat().flatMap(({ results }) => results.flatMap(allEffects)),
];

/** Names that a plan would make, below the directory. */
const madeBy = (house: TestHouse, result: RunResult): string[] =>
  effectsOf(result).map(({ kind, target }) => `${kind} ${target.replace(`${house.dir.path}/`, '')}`);

const names = (house: TestHouse): string[] => readdirSync(house.dir.path).sort();

describe('a plan with dates and identifiers', () => {
  test('names what it would remove', async () => {
    await using room = openDated({ 'precious/a.txt': 'x' });
    const dry = await plan(room.house, { actions: [['FA_remove_dir_tree', { dir_path: '${date:precious}' }]] });
    expect(madeBy(room.house, dry)).toContain('delete precious');
    expect(dry.results[0]?.plan).toMatchObject({ arguments: { dir_path: '${date:precious}' } });
  });

  test('sees what stands where it would write', async () => {
    await using room = openDated({ 'note-2026-03-04.txt': 'x' });
    const list = { actions: [create('note-${date:%F}.txt', '12')] };
    expect(madeBy(room.house, await plan(room.house, list))).toEqual(['overwrite note-2026-03-04.txt']);
    room.pass(DAY_MS);
    expect(madeBy(room.house, await plan(room.house, list))).toEqual(['create note-2026-03-05.txt']);
  });

  test('is carried out with the very same values, on another day too', async () => {
    await using room = openDated();
    const list = { actions: [create('${date:%F}-${uuid}.txt', '${date} ${uuid}'), ['FA_t_echo', ['${uuid}']]] };
    const { plan_hash: name, ...dry } = await plan(room.house, list);
    const [planned = ''] = madeBy(room.house, dry);
    expect(planned).toMatch(/^create 2026-03-04-[0-9a-f]{32}\.txt$/);
    room.pass(3 * DAY_MS);
    const result = await room.house.run({ ...list, expect_plan: name });
    expect(result.ok).toBe(true);
    expect(names(room.house)).toEqual([planned.slice('create '.length)]);
    const [file = ''] = names(room.house);
    expect(room.house.dir.read(file)).toMatch(/^2026-03-04T.* [0-9a-f]{32}$/);
    expect(new Set([file.slice(11, 43), room.house.dir.read(file)?.slice(-32), result.results[1]?.value]).size).toBe(3);
    expect(result.run_id).not.toBe(dry.run_id);
  });

  test('is another one each time, and runs that name none have identifiers of their own', async () => {
    await using room = openDated();
    const list = { actions: [create('${uuid}.txt')] };
    const [one, other] = [await plan(room.house, list), await plan(room.house, list)];
    expect(one.plan_hash).not.toBe(other.plan_hash);
    for (let turn = 0; turn < 3; turn += 1) await room.house.run(list);
    expect(names(room.house)).toHaveLength(3);
    expect(names(room.house)).not.toContain(effectsOf(one)[0]?.target.slice(room.house.dir.path.length + 1));
  });

  test('cannot be carried out twice where that would do something else', async () => {
    await using room = openDated();
    const list = { actions: [create('${uuid}.txt')] };
    const request = { ...list, expect_plan: (await plan(room.house, list)).plan_hash };
    expect((await room.house.run(request)).ok).toBe(true);
    expect((await room.house.refusal(request)).type).toBe('PlanChangedException');
  });

  test('has the same name as long as neither is read', async () => {
    await using room = openDated({ 'a.txt': 'x' });
    const list = { actions: [create('made.txt', '$${date} $${uuid}'), ['FA_copy_file', ['made.txt', 'b.txt']]] };
    const { plan_hash: name } = await plan(room.house, list);
    expect(name).toMatch(/^[0-9a-f]{64}$/);
    room.pass(DAY_MS);
    expect((await plan(room.house, list)).plan_hash).toBe(name);
    expect((await room.house.run({ ...list, expect_plan: name })).ok).toBe(true);
  });

  test('is planned at its own moment where it is only to be looked at again', async () => {
    await using room = openDated();
    const list = { actions: [create('${date:%F}')] };
    const { plan_hash: name } = await plan(room.house, list);
    room.pass(DAY_MS);
    expect((await plan(room.house, { ...list, expect_plan: name })).plan_hash).toBe(name);
  });

  test('holds for actions that look at the clock themselves', async () => {
    await using room = openDated({ 'a.txt': '1' });
    const list = { actions: [['FA_version_save', { root: 'kept', path: 'a.txt' }]] };
    const { plan_hash: name, ...dry } = await plan(room.house, list);
    room.pass(DAY_MS);
    const { results } = await room.house.run({ ...list, expect_plan: name });
    expect(results[0]?.value).toMatchObject({ timestamp: '2026-03-04T12:00:00.000Z' });
    expect(effectsOf(dry).map(({ target }) => target)).toContainEqual(expect.stringMatching(/v000001__1772625600000000000$/));
    expect(results[0]?.value).toMatchObject({ path: expect.stringMatching(/v000001__1772625600000000000$/) });
  });
});

describe('the name of a plan', () => {
  const list = { actions: [create('${date:%F}-${uuid}')] };
  const hash = 'a'.repeat(64);

  test.each([
    ['of another moment', ([head, , seed]: readonly string[]) => `${head}.mmacxa80.${seed}`],
    ['of another seed', ([head, moment]: readonly string[]) => `${head}.${moment}.${'0'.repeat(32)}`],
    ['without its moment and seed', ([head]: readonly string[]) => `${head}`],
    ['with another hash', ([, moment, seed]: readonly string[]) => `${hash}.${moment}.${seed}`],
    ['with a moment that no clock shows', ([head, , seed]: readonly string[]) => `${head}.zzzzzzzzzzz.${seed}`],
    ['with more behind it', (parts: readonly string[]) => `${parts.join('.')}.x`],
    ['with a moment written in another way', ([head, moment, seed]: readonly string[]) => `${head}.0${moment}.${seed}`],
    ['in capitals', (parts: readonly string[]) => parts.join('.').toUpperCase()],
    ['that is empty', () => ''],
  ])('%s runs nothing', async (_, forge) => {
    await using room = openDated();
    const { plan_hash: name } = await plan(room.house, list);
    const refusal = await room.house.refusal({ ...list, expect_plan: forge(name.split('.')) });
    expect(refusal).toMatchObject({ type: 'PlanChangedException', message: expect.stringContaining('look at a new plan') });
    expect(names(room.house)).toEqual([]);
  });

  test('can stand in an address', async () => {
    await using room = openDated();
    const { plan_hash: name } = await plan(room.house, list);
    expect(encodeURIComponent(name)).toBe(name);
  });
});

describe('identifiers follow from where they stand', () => {
  const item = [create('${item}-${index}-${uuid}'), create('${uuid}')];
  const lists: readonly (readonly [string, object])[] = [
    ['parallel list', { mode: 'parallel', max_workers: 4, actions: Array.from({ length: 12 }, () => create('${uuid}')) }],
    [
      'graph',
      {
        max_workers: 4,
        nodes: Array.from({ length: 12 }, (_, at) => ({
          id: `n${at}`,
          action: create('${uuid}'),
          ...(at % 3 === 2 && { depends_on: [`n${at - 1}`, `n${at - 2}`] }),
        })),
      },
    ],
    ['loop', { actions: [['FA_for_each', { items: ['a', 'b', 'c', 'd', 'e'], actions: item, max_workers: 3 }]] }],
    [
      'nested loops',
      {
        mode: 'parallel',
        actions: [1, 2].map(() => [
          'FA_for_each',
          {
            items: ['x', 'y'],
            max_workers: 2,
            actions: {
              mode: 'parallel',
              actions: [...item, ['FA_for_each', { items: [1, 2, 3], actions: [create('${uuid}')], max_workers: 3 }]],
            },
          },
        ]),
      },
    ],
    [
      'lists around lists',
      {
        actions: [
          ['FA_with_retry', { actions: [create('${uuid}')] }],
          ['FA_if_exists', { path: 'missing', then: [], else_: [create('${uuid}')] }],
          ['FA_execute_action', [[create('${uuid}'), ['FA_execute_action_dag', { nodes: [{ id: 'a', action: create('${uuid}') }] }]]]],
          [
            'FA_callback',
            {
              trigger_function_name: 'FA_create_file',
              trigger_kwargs: { file_path: '${uuid}' },
              callback_function: 'FA_create_file',
              callback_function_param: { file_path: '${uuid}' },
            },
          ],
        ],
      },
    ],
    [
      'several in one command',
      { actions: [create('${uuid}${uuid}', '${uuid}'), ['FA_copy_file', ['${uuid}', '${uuid}']], create('${uuid}')] },
    ],
  ];

  test.each(lists)('in a %s', async (_, list) => {
    await using room = openDated();
    const { plan_hash: name, ...dry } = await plan(room.house, list);
    const foretold = effectsOf(dry).flatMap(({ kind, target }) =>
      kind === 'create' ? [target.slice(room.house.dir.path.length + 1)] : [],
    );
    expect(new Set(foretold).size).toBe(foretold.length);
    await room.house.run({ ...list, expect_plan: name });
    expect(names(room.house)).toEqual(foretold.sort());
  });

  test('beside an argument that is not known yet', async () => {
    await using room = openDated();
    const list = {
      actions: [
        ['FA_t_echo', ['x']],
        ['FA_create_file', { content: '${results[0].value} ${uuid}', file_path: '${uuid}' }],
      ],
    };
    const { plan_hash: name, ...dry } = await plan(room.house, list);
    await room.house.run({ ...list, expect_plan: name });
    expect(names(room.house)).toEqual(effectsOf(dry).map(({ target }) => target.slice(room.house.dir.path.length + 1)));
  });

  test('a nested list that names a plan goes by that, alone and inside a plan', async () => {
    await using room = openDated();
    const actions = [create('${date:%F}-${uuid}')];
    const inner = await plan(room.house, { actions });
    const [made = ''] = madeBy(room.house, inner);
    room.pass(DAY_MS);
    const outer = {
      actions: [
        create('own-${date:%F}-${uuid}'),
        ['FA_execute_action', { action_list: { actions, expect_plan: inner.plan_hash } }],
        ['FA_for_each', { items: [1], actions: [create('after-${uuid}')] }],
      ],
    };
    const dry = await plan(room.house, outer);
    expect(madeBy(room.house, dry)).toContain(made);
    expect((await room.house.run({ ...outer, expect_plan: dry.plan_hash })).ok).toBe(true);
    expect(names(room.house).map((name) => `create ${name}`)).toEqual(madeBy(room.house, dry).sort());
  });
});
