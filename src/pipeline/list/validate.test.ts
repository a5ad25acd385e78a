import { describe, expect, test } from 'vitest';
import { openHouse, type TestHouse, type TestHouseOptions } from '../../../test/support/house.ts';
import { OWNER } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';
import { ValidationException } from '../../core/errors.ts';

interface Problem {
  readonly at: readonly (string | number)[];
  readonly type: string;
  readonly message: string;
}

/** What is found wrong with a list; nothing of it may have run. */
const problemsOf = async (house: TestHouse, actions: readonly unknown[], options: object = {}): Promise<readonly Problem[]> => {
  const refusal = await house.refusal({ actions, validate_first: true, ...options });
  expect(refusal).toBeInstanceOf(ValidationException);
  expect(house.touched).toBe(0);
  return refusal.context.problems as unknown as readonly Problem[]; // the shape this file is about
};

const placesOf = async (actions: readonly unknown[], options?: TestHouseOptions) => {
  await using house = openHouse(options);
  return (await problemsOf(house, actions)).map(({ at, type }) => [at, type]);
};

const bad = ['FA_no_such'];
const touch = ['FA_t_touch'];

describe('problems are told all at once, with their places', () => {
  test('of every kind', async () => {
    const list = [
      touch,
      bad,
      [7],
      ['FA_t_typed', {}],
      ['FA_t_echo', { value: '${nope:1}' }],
      ['FA_t_echo', { value: '${env:UNSET_HERE}' }],
    ];
    expect(await placesOf(list)).toEqual([
      [[1], 'UnknownActionException'],
      [[2], 'ExecuteActionException'],
      [[3], 'ArgumentException'],
      [[4], 'SubstitutionException'],
      [[5], 'SubstitutionException'],
    ]);
  });

  test('of every argument of one command', async () => {
    await using house = openHouse();
    const problems = await problemsOf(house, [['FA_t_typed', { count: 11, mode: 'c', other: 1, tags: ['x', 1] }]]);
    expect(problems.map(({ message }) => message)).toEqual([
      'Command 0 (FA_t_typed) count must be a whole number from 1 to 10, not the number 11.',
      'Command 0 (FA_t_typed) mode must be one of "a", "b", not "c".',
      'Command 0 (FA_t_typed) has no argument "other"; it takes path, count, flag, mode, tags.',
      'Command 0 (FA_t_typed) tags[1] must be a text, not the number 1.',
      'Command 0 (FA_t_typed) needs path (a text).',
    ]);
    expect(problems).toMatchObject(['count', 'mode', 'other', 'tags', 'path'].map((argument) => ({ argument })));
    const byPosition = await problemsOf(house, [['FA_t_typed', [1, 0, null, 'a', [], 9]]]);
    expect(byPosition.map(({ message }) => message)).toEqual([
      'Command 0 (FA_t_typed) takes at most 5 arguments, not 6.',
      'Command 0 (FA_t_typed) path must be a text, not the number 1.',
      'Command 0 (FA_t_typed) count must be a whole number from 1 to 10, not the number 0.',
      'Command 0 (FA_t_typed) flag must be true or false, not null.',
    ]);
  });

  test('and the message counts them', async () => {
    await using house = openHouse();
    expect((await house.refusal({ actions: [bad], validate_first: true })).message).toMatch(
      /^The list was not run: Command 0: no action is called "FA_no_such"/,
    );
    expect((await house.refusal({ actions: [bad, touch, bad, bad], validate_first: true })).message).toMatch(/\(and 2 more\)$/);
  });

  test.each<[string, unknown, (string | number)[]]>([
    ['a nested list by name', ['FA_t_run_list', { action_list: [touch, bad] }], [0, 'action_list', 1]],
    ['a nested list by position', ['FA_t_run_list', [[touch, bad]]], [0, 'action_list', 1]],
    ['a wrapped nested list', ['FA_execute_action', { action_list: { actions: [bad] } }], [0, 'action_list', 0]],
    ['a branch', ['FA_if_exists', { path: 'x', else_: [touch, bad] }], [0, 'else_', 1]],
    ['a loop', ['FA_for_each', { items: [], actions: [bad] }], [0, 'actions', 0]],
    [
      'a nested graph',
      [
        'FA_execute_action_dag',
        {
          nodes: [
            { id: 'a', action: touch },
            { id: 'b', action: bad },
          ],
        },
      ],
      [0, 'nodes', 1],
    ],
    [
      'three levels',
      ['FA_t_run_list', [[['FA_t_run_list', [[['FA_t_run_list', { action_list: [touch, touch, bad] }]]]]]]],
      [0, 'action_list', 0, 'action_list', 0, 'action_list', 2],
    ],
    ['a callback', ['FA_callback', { trigger_function_name: 'FA_t_touch', callback_function: 'FA_no_such' }], [0, 'callback_function']],
  ])('inside %s', async (_, command, at) => {
    expect(await placesOf([command])).toEqual([[at, 'UnknownActionException']]);
  });

  test('where a nested list itself is malformed', async () => {
    expect(
      await placesOf([
        ['FA_t_run_list', { action_list: { action: [] } }],
        ['FA_execute_action_dag', { nodes: [{ id: 'a', action: touch, depends_on: ['a'] }] }],
      ]),
    ).toEqual([
      [[0, 'action_list'], 'JsonActionException'],
      [[1, 'nodes'], 'DagException'],
    ]);
  });

  test('where lists nest too deep, without overflow', async () => {
    let list: readonly unknown[] = [touch];
    for (let depth = 0; depth < 20_000; depth += 1) list = [['FA_t_run_list', { action_list: list }]];
    const [problem, ...others] = await placesOf(list);
    expect([problem?.[0]?.length, problem?.[1], others]).toEqual([2 * 64, 'ExecuteActionException', []]);
  });

  test('in the nodes of a graph', async () => {
    await using house = openHouse();
    const refusal = await house.refusal({
      nodes: [
        { id: 'a', action: touch },
        { id: 'b', action: ['FA_t_typed', { path: 1 }] },
      ],
      validate_first: true,
    });
    expect(refusal.context.problems).toMatchObject([{ at: [1], type: 'ArgumentException' }]);
    expect(house.touched).toBe(0);
  });
});

describe('what depends on an earlier result', () => {
  test('is passed over, and what stands beside it is checked', async () => {
    const late = '${results[0].value}';
    expect(
      await placesOf([touch, ['FA_t_typed', { path: late, count: late, tags: [late] }], ['FA_t_typed', { path: late, count: 99 }]]),
    ).toEqual([[[2], 'ArgumentException']]);
  });

  test('may stand for a whole nested list', async () => {
    await using house = openHouse();
    const result = await house.run({
      actions: [
        ['FA_t_echo', { value: [touch] }],
        ['FA_t_run_list', { action_list: '${results[0].value}' }],
      ],
      validate_first: true,
    });
    expect([result.status, house.touched]).toEqual(['ok', 1]);
  });

  test('must name an earlier command', async () => {
    expect(await placesOf([['FA_t_echo', { value: '${results[1].value}' }], touch])).toEqual([[[0], 'SubstitutionException']]);
  });

  test('is a problem in a parallel list, and in a nested list that has no earlier command', async () => {
    await using house = openHouse();
    const list = [touch, ['FA_t_echo', { value: '${results[0].value}' }]];
    expect(await problemsOf(house, list, { mode: 'parallel' })).toMatchObject([{ at: [1], type: 'SubstitutionException' }]);
    expect(await problemsOf(house, [touch, ['FA_t_run_list', [[['FA_t_echo', ['${results[0].value}']]]]]])).toMatchObject([
      { at: [1, 'action_list', 0] },
    ]);
  });

  test('may be the item of a loop, inside it only', async () => {
    const item = ['FA_t_echo', { value: '${item.name} ${index}' }];
    expect(await placesOf([['FA_for_each', { items: [1], actions: [item, ['FA_t_run_list', [[item]]]] }], item])).toEqual([
      [[1], 'SubstitutionException'],
    ]);
  });
});

describe('variables', () => {
  test('that are set, or have a fallback, are read and checked with the rest', async () => {
    const options = { env: { COUNT: '5', MODE: 'b' } };
    expect(
      await placesOf(
        [
          ['FA_t_typed', { path: 'a', mode: '${env:MODE}' }],
          ['FA_t_typed', { path: '${env:NONE:-x}', count: '${env:COUNT}' }],
        ],
        options,
      ),
    ).toEqual([[[1], 'ArgumentException']]);
  });

  test('that every object inherits are not set', async () => {
    expect(await placesOf([['FA_t_echo', { value: '${env:constructor}' }]])).toEqual([[[0], 'SubstitutionException']]);
  });

  test('in the arguments of a plain function are checked too', async () => {
    await using house = openHouse({ env: {} });
    house.factotum.registry.register('FA_plain', () => 1);
    expect(
      await problemsOf(house, [
        ['FA_plain', { deep: ['${env:UNSET_HERE}'] }],
        ['FA_plain', ['${results[0].value}', '${nope}']],
      ]),
    ).toMatchObject([
      { at: [0], type: 'SubstitutionException' },
      { at: [1], type: 'SubstitutionException' },
    ]);
  });

  test('that hold secrets are learnt before a message can show them', async () => {
    await using house = openHouse({ env: { API_KEY: 'hunter2-hunter2' } });
    const [problem] = await problemsOf(house, [['FA_t_typed', { path: 'a', mode: '${env:API_KEY}' }]]);
    expect(problem?.message).toContain('hunter2-hunter2');
    expect(house.factotum.masker.knownText(problem?.message ?? '')).toContain('not "***"');
  });

  test('that the caller may not read are refused', async () => {
    await using house = openHouse({ env: { SEEN: '1', HIDDEN: '1' } });
    const caller = { ...OWNER, policy: createPolicy({ readWrite: [house.dir.path], env: ['SEEN'] }) };
    const request = {
      actions: [
        ['FA_t_echo', ['${env:SEEN}']],
        ['FA_t_echo', ['${env:HIDDEN}']],
      ],
      validate_first: true,
    };
    const refusal = await house.factotum.run(request, { caller }).catch((fault: unknown) => fault);
    expect(refusal).toMatchObject({ type: 'ValidationException', context: { problems: [{ at: [1], type: 'PolicyException' }] } });
  });
});

describe('a list without problems', () => {
  test('runs', async () => {
    await using house = openHouse({ env: { X: '1' } });
    const result = await house.run({
      actions: [touch, ['FA_t_typed', ['${env:X}', 2]], ['FA_t_run_list', [[touch]]]],
      validate_first: true,
    });
    expect([result.status, house.touched]).toEqual(['ok', 2]);
  });

  test('gives its names where it is only checked', async () => {
    await using house = openHouse();
    expect(await house.factotum.validate([touch, ['FA_t_echo', ['x']]])).toEqual(['FA_t_touch', 'FA_t_echo']);
    expect(house.touched).toBe(0);
    await expect(house.factotum.validate([bad])).rejects.toThrow(ValidationException);
  });
});
