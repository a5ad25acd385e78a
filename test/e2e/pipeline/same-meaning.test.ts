import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outcome, RunResult } from '../../../src/core/result.ts';
import { openHouse } from '../../support/house.ts';

/** Commands of every kind: good, malformed, unknown, wrongly called, referring to others, nested, touching files. */
const names = fc.constantFrom('a.txt', 'b.txt', 'c.txt', 'missing.txt');
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('${results[0].value}', 'x ${results[1].value} y', '${env:HERE}', '${env:GONE}', '$${literal}', '${nope}'),
);
const { command } = fc.letrec<{ command: unknown; list: unknown[] }>((tie) => ({
  list: fc.array(tie('command'), { maxLength: 3 }),
  command: fc.oneof(
    { maxDepth: 2 },
    fc.constant(['FA_t_touch']),
    values.map((value) => ['FA_t_echo', { value }]),
    values.map((value) => ['FA_t_echo', [value]]),
    fc.tuple(values, values).map(([path, count]) => ['FA_t_typed', { path, count }]),
    fc.tuple(names, fc.string({ maxLength: 5 })).map(([file_path, content]) => ['FA_create_file', { file_path, content }]),
    fc.tuple(names, names).map((paths) => ['FA_copy_file', paths]),
    names.map((file_path) => ['FA_remove_file', { file_path }]),
    names.map((file_path) => ['FA_read_file', { file_path }]),
    fc.constantFrom<unknown>([7], 'text', ['FA_no_such', {}], ['FA_t_touch', {}, {}]),
    tie('list').map((action_list) => ['FA_t_run_list', { action_list }]),
  ),
}));
const lists = fc.array(command, { maxLength: 6 });

/** What of a result is meaning: no times, no identities, no words that hold a path of this machine. */
const meaning = (root: string, results: readonly Outcome[]): unknown =>
  JSON.parse(
    JSON.stringify(results, (key, value: unknown) => {
      if (key === 'duration_ms' || key === 'run_id' || key === 'index') return undefined;
      return typeof value === 'string' ? value.replaceAll(root, '<root>') : value;
    }),
  );

/** Runs a list in a fresh house in one way of writing it; gives the outcomes of its commands, the counter and the files it left. */
const outcomesOf = async (
  list: readonly unknown[],
  write: (list: readonly unknown[]) => unknown,
  find: (results: readonly Outcome[]) => readonly Outcome[],
) => {
  await using house = openHouse({ files: { 'a.txt': 'aaa' }, env: { HERE: 'here' }, logLevel: 'error' });
  const { results } = await house.run(write(list));
  return {
    results: meaning(house.dir.path, find(results)),
    touched: house.touched,
    files: ['a.txt', 'b.txt', 'c.txt'].map((name) => house.dir.read(name)),
  };
};

/** The entries of a nested list; the value of one that ran a list itself stands in the value of the command around it. */
const stepsOf = ([first]: readonly Outcome[]): readonly Outcome[] => {
  const value = first?.value as readonly Outcome[] | RunResult | undefined; // what both actions below give
  const told = value === undefined ? [] : 'results' in value ? value.results : value;
  return ([first?.steps ?? []].flat()[0]?.results ?? []).map((outcome, at) => ({ ...told[at], ...outcome }));
};
const same = (results: readonly Outcome[]) => results;
const bare = (list: readonly unknown[]): unknown => list;

describe('a list means the same', () => {
  test.each<[string, (list: readonly unknown[]) => unknown, (results: readonly Outcome[]) => readonly Outcome[]]>([
    ['wrapped', (actions) => ({ actions }), same],
    ['under the older word', (auto_control) => ({ auto_control }), same],
    [
      'with every option at its default',
      (actions) => ({ actions, mode: 'serial', validate_first: false, dry_run: false, max_workers: 4, stop_on_error: false, quota: {} }),
      same,
    ],
    ['inside another', (list) => [['FA_execute_action', { action_list: list }]], stepsOf],
    ['inside another by position', (list) => [['FA_execute_action', [{ actions: list }]]], stepsOf],
    ['inside a graph', (list) => ({ nodes: [{ id: 'only', action: ['FA_execute_action', { action_list: list }] }] }), stepsOf],
    ['under limits that do not bite', (list) => [['FA_with_quota', { actions: list, max_bytes: 1e9, max_seconds: 1e6 }]], stepsOf],
    ['once more from JSON', (list) => JSON.parse(JSON.stringify(list)), same],
  ])('bare and %s', async (_, write, find) => {
    await fc.assert(
      fc.asyncProperty(lists, async (list) => {
        expect(await outcomesOf(list, write, find)).toEqual(await outcomesOf(list, bare, same));
      }),
      { numRuns: 60 },
    );
  });

  test('as a chain of nodes, where no command refers to another', async () => {
    const alone = lists.filter(
      (list) =>
        !JSON.stringify(list).includes('${results') &&
        list.every((each) => Array.isArray(each) && typeof each[0] === 'string' && each.length < 3),
    );
    const chain = (list: readonly unknown[]) => ({
      nodes: list.map((action, at) => ({ id: `n${at}`, action, depends_on: at === 0 ? [] : [`n${at - 1}`] })),
      fail_fast: false,
    });
    await fc.assert(
      fc.asyncProperty(alone, async (list) => {
        const serial = await outcomesOf(list, bare, same);
        const graph = await outcomesOf(list, chain, (results) => results.map(({ id: _, ...rest }) => rest));
        expect(graph).toEqual(serial);
      }),
      { numRuns: 60 },
    );
  });
});
