import { describe, expect, test } from 'vitest';
import { fixtureActions } from '../../../test/support/fixture-actions.ts';
import { actionName, json, nodes, steps } from '../../core/args.ts';
import { createRegistry } from '../../core/registry.ts';
import * as shapes from '../../core/shapes.ts';
import { parse } from './parse.ts';
import { visitNames, withoutNested } from './tree.ts';

const registry = createRegistry();
registry.registerMany(fixtureActions().actions);
registry.register('FA_t_holder', {
  name: 'FA_t_holder',
  summary: 'Holds commands in every form beside data.',
  args: {
    data: json('Data.'),
    list: steps('A list.', { default: null }),
    graph: nodes('Nodes.', { default: [] }),
    callback: actionName('A name.', { default: null }),
  },
  returns: shapes.json(),
  examples: [],
  run: () => null,
});

const namesOf = (request: unknown): string[] => {
  const met = new Set<string>();
  visitNames(parse(request).commands, registry, (name) => met.add(name));
  return [...met].sort();
};

const inner = [['FA_inner']];

describe('the names of a tree', () => {
  test.each<[string, unknown, string[]]>([
    ['a list', [['FA_a'], ['FA_b', {}], ['FA_c', []]], ['FA_a', 'FA_b', 'FA_c']],
    ['a graph', { nodes: [{ id: 'x', action: ['FA_a'] }] }, ['FA_a']],
    ['malformed commands with a name', [['FA_a', 1], ['FA_b', {}, {}], [5], 'FA_c'], ['FA_a', 'FA_b']],
    ['a nested list by name', [['FA_t_holder', { data: 1, list: inner }]], ['FA_inner', 'FA_t_holder']],
    ['a nested list by position', [['FA_t_holder', [1, inner]]], ['FA_inner', 'FA_t_holder']],
    ['a wrapped nested list', [['FA_t_holder', [1, { actions: inner }]]], ['FA_inner', 'FA_t_holder']],
    ['a nested list under the older word', [['FA_t_holder', [1, { auto_control: inner }]]], ['FA_inner', 'FA_t_holder']],
    ['a nested graph', [['FA_t_holder', [1, { nodes: [{ id: 'x', action: ['FA_inner'] }] }]]], ['FA_inner', 'FA_t_holder']],
    ['nested nodes', [['FA_t_holder', { data: 1, graph: [{ id: 'x', action: ['FA_inner'] }] }]], ['FA_inner', 'FA_t_holder']],
    ['a name as argument', [['FA_t_holder', { data: 1, callback: 'FA_inner' }]], ['FA_inner', 'FA_t_holder']],
    ['a malformed command inside', [['FA_t_holder', [1, [['FA_inner', 'x', 'y']]]]], ['FA_inner', 'FA_t_holder']],
    ['data that looks like commands', [['FA_t_holder', { data: inner }]], ['FA_t_holder']],
    ['arguments of an unknown action', [['FA_unknown', { list: inner }]], ['FA_unknown']],
    ['a list that is still a reference', [['FA_t_holder', { data: 1, list: '${results[0].value}' }]], ['FA_t_holder']],
  ])('%s', (_, request, names) => {
    expect(namesOf(request)).toEqual(names);
  });

  test('are found behind a hole', () => {
    const sparse: unknown[] = [['FA_a']];
    sparse[2] = ['FA_inner'];
    expect(namesOf([['FA_t_run_list', [sparse]]])).toEqual(['FA_a', 'FA_inner', 'FA_t_run_list']);
    expect(namesOf([['FA_t_run_list', [{ actions: sparse }]]])).toEqual(['FA_a', 'FA_inner', 'FA_t_run_list']);
  });

  test('are found at any depth without overflow', () => {
    let list: unknown = inner;
    for (let depth = 0; depth < 20_000; depth += 1) list = [['FA_t_run_list', { action_list: list }]];
    expect(namesOf(list)).toEqual(['FA_inner', 'FA_t_run_list']);
  });

  test('are found in a nested list of any length', () => {
    const long = [...new Array(300_000).fill(['FA_a']), ['FA_inner']];
    expect(namesOf([['FA_t_run_list', { action_list: long }]])).toEqual(['FA_a', 'FA_inner', 'FA_t_run_list']);
  });
});

describe('the arguments of a command without its nested lists', () => {
  const own = (command: readonly unknown[]) => parse([command]).commands.map((each) => withoutNested(each, registry))[0];

  test.each<[string, readonly unknown[], unknown]>([
    ['are all where nothing nests', ['FA_t_echo', { value: 1 }], { value: 1 }],
    ['are none where none were given', ['FA_t_echo'], undefined],
    ['leave out lists by name', ['FA_t_holder', { data: 1, list: inner, graph: [], callback: 'FA_a' }], [1, 'FA_a']],
    ['leave out lists by position', ['FA_t_holder', [1, inner, [], 'FA_a']], [1, 'FA_a']],
    ['keep a reference to a list', ['FA_t_holder', { data: 1, list: '${results[0].value}' }], { data: 1, list: '${results[0].value}' }],
  ])('%s', (_, command, expected) => {
    expect(own(command)).toEqual(expected);
  });
});
