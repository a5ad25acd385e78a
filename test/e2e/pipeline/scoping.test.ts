import { describe, expect, test } from 'vitest';
import { openHouse } from '../../support/house.ts';

const echo = (value: unknown) => ['FA_t_echo', { value }];

/** The values of a list, with the type of the error where there is none. */
const valuesOf = async (list: unknown, env: Readonly<Record<string, string>> = {}): Promise<unknown[]> => {
  await using house = openHouse({ env });
  return (await house.run(list)).results.map(({ value, error }) => error?.type ?? value);
};

/** The value that the innermost echo of a nested list gave. */
const innerValues = (value: unknown): unknown[] => {
  const { results } = value as { readonly results: readonly { readonly value: unknown }[] };
  return results.map((each) => each.value);
};

describe('a value', () => {
  test('keeps its type where the reference is the whole text, and becomes text inside one', async () => {
    const data = { n: 5, yes: true, none: null, list: [1, 'two'], deep: { 'a key': 'x' } };
    const paths = ['n', 'yes', 'none', 'list', 'deep', 'list[1]', 'deep.a key'];
    const values = await valuesOf([
      echo(data),
      ...paths.map((path) => echo(`\${results[0].value.${path}}`)),
      echo('n=${results[0].value.n}'),
    ]);
    expect(values.slice(1)).toEqual([5, true, null, [1, 'two'], { 'a key': 'x' }, 'two', 'x', 'n=5']);
  });

  test('of an earlier command is checked against the argument like any other', async () => {
    expect(
      await valuesOf([echo(3), echo('3'), ['FA_t_typed', ['a', '${results[0].value}']], ['FA_t_typed', ['a', '${results[1].value}']]]),
    ).toMatchObject([3, '3', { count: 3 }, 'ArgumentException']);
  });

  test('is read once: what it holds is not read again', async () => {
    expect(
      await valuesOf([echo('$${env:SECRET}'), echo('${results[0].value}'), echo(['got ${results[1].value}'])], { SECRET: 'no' }),
    ).toEqual(['${env:SECRET}', '${env:SECRET}', ['got ${env:SECRET}']]);
  });

  test('of a command that failed, comes later or is unknown is a failure of the command that asks', async () => {
    const list = [
      ['FA_no_such'],
      echo('${results[0].value}'),
      echo('${results[2].value}'),
      echo('${results[9].value}'),
      echo('${results[4].value.x}'),
      echo('after'),
    ];
    expect(await valuesOf(list)).toEqual([
      'UnknownActionException',
      'SubstitutionException',
      'SubstitutionException',
      'SubstitutionException',
      'SubstitutionException',
      'after',
    ]);
  });

  test('and every one reads the same date, but a fresh identifier each time', async () => {
    const values = await valuesOf([echo('${date}'), echo('${date}'), echo(['${uuid}', '${uuid}']), ['FA_t_run_list', [[echo('${date}')]]]]);
    const [uuids] = values.slice(2) as [readonly string[]];
    expect(values[0]).toBe(values[1]);
    expect(innerValues(values[3])).toEqual([values[0]]);
    expect(new Set(uuids).size).toBe(2);
    for (const uuid of uuids) expect(uuid).toMatch(/^[0-9a-f]{32}$/);
  });

  test('is never read in a name or in a key', async () => {
    expect(await valuesOf([['${env:NAME}'], echo({ '${env:NAME}': '${env:NAME}' })], { NAME: 'FA_t_touch' })).toEqual([
      'UnknownActionException',
      { '${env:NAME}': 'FA_t_touch' },
    ]);
  });
});

describe('a nested list', () => {
  test('has its own results and does not see those around it', async () => {
    const values = await valuesOf([
      echo('outer'),
      ['FA_t_run_list', { action_list: [echo('inner'), echo('${results[0].value}')] }],
      ['FA_t_run_list', { action_list: [echo('${results[0].value}')] }],
    ]);
    expect(innerValues(values[1])).toEqual(['inner', 'inner']);
    expect(values[2]).toBe('ExecuteActionException');
  });

  test('that comes from an earlier result is read when it runs', async () => {
    const made = [echo('x'), echo('$${results[0].value}')];
    const values = await valuesOf([echo(made), ['FA_t_run_list', { action_list: '${results[0].value}' }]]);
    expect(values[0]).toEqual([echo('x'), echo('${results[0].value}')]);
    expect(innerValues(values[1])).toEqual(['x', 'x']);
  });

  test('that a text or a number stands for is a wrong argument', async () => {
    expect(await valuesOf([echo('no list'), ['FA_t_run_list', ['${results[0].value}']], ['FA_t_run_list', ['text']]])).toEqual([
      'no list',
      'ArgumentException',
      'ArgumentException',
    ]);
  });
});

describe('a loop', () => {
  const loop = (items: unknown, actions: unknown[], more: object = {}) => ['FA_for_each', { items, actions, ...more }];
  const loopValues = (value: unknown) => (value as readonly unknown[]).map(innerValues);

  test('gives its item and index to the list inside, with their types', async () => {
    const [value] = await valuesOf([
      loop([{ n: 1 }, { n: 2 }], [echo('${item}'), echo('${item.n}'), echo('${index}'), echo('${index}: ${item.n}')]),
    ]);
    expect(loopValues(value)).toEqual([
      [{ n: 1 }, 1, 0, '0: 1'],
      [{ n: 2 }, 2, 1, '1: 2'],
    ]);
  });

  test('reaches the lists nested in it', async () => {
    const [value] = await valuesOf([loop(['a', 'b'], [['FA_t_run_list', [[echo('${item}${index}')]]]])]);
    expect(loopValues(value).map(([inner]) => innerValues(inner))).toEqual([['a0'], ['b1']]);
  });

  test('inside a loop has its own item, and leaves that of the other alone', async () => {
    const [value] = await valuesOf([loop([['x', 'y'], ['z']], [loop('${item}', [echo('${item}${index}')]), echo('${item}')])]);
    const rounds = loopValues(value);
    expect(rounds.map(([inner]) => loopValues(inner))).toEqual([[['x0'], ['y1']], [['z0']]]);
    expect(rounds.map(([, outer]) => outer)).toEqual([['x', 'y'], ['z']]);
  });

  test('has no item outside', async () => {
    expect(await valuesOf([loop([1], [echo('${item}')]), echo('${item}')])).toMatchObject([expect.anything(), 'SubstitutionException']);
  });

  test('of several at once gives every one its own', async () => {
    const items = Array.from({ length: 40 }, (_, at) => `i${at}`);
    const [value] = await valuesOf([loop(items, [echo('${item}'), echo('${results[0].value}/${index}')], { max_workers: 7 })]);
    expect(loopValues(value)).toEqual(items.map((item, at) => [item, `${item}/${at}`]));
  });
});

describe('a parallel list', () => {
  test('has no earlier results', async () => {
    expect(await valuesOf({ actions: [echo(1), echo('${results[0].value}')], mode: 'parallel' })).toEqual([1, 'SubstitutionException']);
  });
});

describe('a graph', () => {
  const node = (id: string, value: unknown, depends_on: readonly string[] = []) => ({ id, action: echo(value), depends_on });

  test('gives nodes the values of those before them, directly or not', async () => {
    const nodes = [
      node('c', ['${nodes.a.value.x}', '${nodes.b.value}'], ['b']),
      node('b', 'b', ['a.b']),
      { ...node('a.b', 1, ['a']) },
      node('a', { x: 5 }),
    ];
    expect(await valuesOf({ nodes })).toEqual([[5, 'b'], 'b', 1, { x: 5 }]);
  });

  test('has nodes and no numbered results; a list has none of the nodes', async () => {
    expect(await valuesOf({ nodes: [node('a', 1), node('b', '${results[0].value}', ['a'])] })).toEqual([1, 'SubstitutionException']);
    expect(await valuesOf([echo('${nodes.a.value}')])).toEqual(['SubstitutionException']);
  });

  test('refuses the value of a node that failed, where it runs all the same', async () => {
    const nodes = [
      { id: 'a', action: ['FA_no_such'] },
      { ...node('b', '${nodes.a.value}', ['a']), run: 'always' },
    ];
    expect(await valuesOf({ nodes })).toEqual(['UnknownActionException', 'SubstitutionException']);
  });

  test('inside a graph has its own nodes', async () => {
    const inner = [node('a', 'inner'), node('b', '${nodes.a.value}', ['a'])];
    const nodes = [node('a', 'outer'), { id: 'x', action: ['FA_execute_action_dag', { nodes: inner }], depends_on: ['a'] }];
    expect(await valuesOf({ nodes })).toEqual(['outer', { a: 'inner', b: 'inner' }]);
  });
});

describe('variables', () => {
  test('are read once for the whole run', async () => {
    const env: Record<string, string> = { X: 'first' };
    await using house = openHouse({ env });
    house.factotum.registry.register('FA_change', () => {
      env.X = 'second';
    });
    const { results } = await house.run([echo('${env:X}'), ['FA_change'], echo('${env:X}')]);
    expect(results.map(({ value }) => value)).toEqual(['first', null, 'first']);
  });

  test('that are unset fail their command, unless there is a fallback', async () => {
    expect(await valuesOf([echo('${env:NONE}'), echo('${env:NONE:-some}'), echo('${env:NONE:-}')])).toEqual([
      'SubstitutionException',
      'some',
      '',
    ]);
  });
});
