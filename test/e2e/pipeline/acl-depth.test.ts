import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AclRules } from '../../../src/access/acl.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';

/** A tree of lists: leaves are single commands, the rest are commands that run lists. */
type Tree = { readonly leaf: LeafForm } | { readonly form: Form; readonly children: readonly Tree[] };

/** The ways to write a single command; each holds one name that can be the refused one. */
const leafForms = {
  bare: (name: string) => [name],
  named: (name: string) => [name, {}],
  positional: (name: string) => [name, []],
  malformed: (name: string) => [name, {}, {}],
  trigger: (name: string) => ['FA_callback', { trigger_function_name: name, callback_function: 'FA_t_touch' }],
  callback: (name: string) => ['FA_callback', ['FA_t_touch', name]],
} as const;
type LeafForm = keyof typeof leafForms;

const graphOf = (commands: readonly unknown[]) => commands.map((action, at) => ({ id: `n${at}`, action }));

/** The ways to write a command that runs a list. */
const forms = {
  named: (list: readonly unknown[]) => ['FA_t_run_list', { action_list: list }],
  positional: (list: readonly unknown[]) => ['FA_t_run_list', [list]],
  wrapped: (list: readonly unknown[]) => ['FA_execute_action', { action_list: { actions: list } }],
  wrappedByPosition: (list: readonly unknown[]) => ['FA_execute_action', [{ actions: list, mode: 'parallel' }]],
  olderWord: (list: readonly unknown[]) => ['FA_execute_action', { action_list: { auto_control: list } }],
  graphAsList: (list: readonly unknown[]) => ['FA_execute_action', { action_list: { nodes: graphOf(list) } }],
  graph: (list: readonly unknown[]) => ['FA_execute_action_dag', { nodes: graphOf(list) }],
  graphByPosition: (list: readonly unknown[]) => ['FA_execute_action_dag', [graphOf(list)]],
  parallel: (list: readonly unknown[]) => ['FA_execute_action_parallel', { action_list: list }],
  branch: (list: readonly unknown[]) => ['FA_if_exists', { path: 'x', then: list }],
  otherwise: (list: readonly unknown[]) => ['FA_if_newer', { path: 'x', reference: 'y', else_: list }],
  thenByPosition: (list: readonly unknown[]) => ['FA_if_size_gt', ['x', 1, list]],
  otherwiseByPosition: (list: readonly unknown[]) => ['FA_if_exists', ['x', [['FA_t_touch']], list]],
  loop: (list: readonly unknown[]) => ['FA_for_each', { items: [], actions: list }],
  loopByPosition: (list: readonly unknown[]) => ['FA_for_each', [[], list]],
  retry: (list: readonly unknown[]) => ['FA_with_retry', { actions: list }],
  quota: (list: readonly unknown[]) => ['FA_with_quota', { actions: { actions: list } }],
  timeout: (list: readonly unknown[]) => ['FA_with_timeout', [list, 5]],
  malformed: (list: readonly unknown[]) => ['FA_t_run_list', { action_list: list, unknown: 1 }],
} as const;
type Form = keyof typeof forms;

/** The ways to write the whole request. */
const requests = {
  bare: (list: readonly unknown[]) => list,
  wrapped: (list: readonly unknown[]) => ({ actions: list }),
  parallel: (list: readonly unknown[]) => ({ actions: list, mode: 'parallel' }),
  checked: (list: readonly unknown[]) => ({ actions: list, validate_first: true }),
  dry: (list: readonly unknown[]) => ({ auto_control: list, dry_run: true }),
  planned: (list: readonly unknown[]) => ({ actions: list, expect_plan: 'x' }),
  graph: (list: readonly unknown[]) => ({ nodes: graphOf(list) }),
} as const;

const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] => Object.keys(table) as K[]; // the keys of a literal

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, depthSize: 'large' },
    fc.record({ leaf: fc.constantFrom(...keysOf(leafForms)) }),
    fc.record({ form: fc.constantFrom(...keysOf(forms)), children: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
  ),
}));

const countLeaves = (each: Tree): number => ('leaf' in each ? 1 : each.children.reduce((sum, child) => sum + countLeaves(child), 0));

/** Writes a tree down with the refused name at one leaf. */
const write = (trees: readonly Tree[], refusedLeaf: number): unknown[] => {
  let met = -1;
  const command = (each: Tree): unknown => {
    if ('form' in each) return forms[each.form](each.children.map(command));
    met += 1;
    return leafForms[each.leaf](met === refusedLeaf ? 'FA_t_deny' : 'FA_t_touch');
  };
  return trees.map(command);
};

/** Access lists that refuse one action of all that are used, in different words. */
const rules: readonly AclRules[] = [
  { deny: ['FA_t_deny'] },
  { allow: ['*'], deny: ['FA_t_d*'] },
  { allow: ['FA_t_touch', 'FA_t_run_list', 'group:flow', 'group:reliability'] },
];

let house: TestHouse;
beforeAll(() => {
  house = openHouse({ logLevel: 'error' });
});
afterAll(() => house[Symbol.asyncDispose]());

const worlds = fc.record({
  trees: fc.array(tree, { minLength: 1, maxLength: 4 }),
  place: fc.nat(),
  request: fc.constantFrom(...keysOf(requests)),
  acl: fc.constantFrom(...rules),
});

describe('one refused name anywhere in a tree of lists', () => {
  test('refuses the whole request, and nothing runs', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ trees, place, request, acl }) => {
        const leaves = trees.reduce((sum, each) => sum + countLeaves(each), 0);
        const before = house.touched;
        // A malformed node refuses its graph before anybody asks for rights; both refuse everything.
        const { type } = await house.refusal(requests[request](write(trees, place % leaves)), { acl });
        expect(request === 'graph' ? ['ActionNotPermittedException', 'DagException'] : ['ActionNotPermittedException']).toContain(type);
        expect(house.touched).toBe(before);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is what refuses it: the same request without that name is not refused for rights', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ trees, request, acl }) => {
        const answer = await house.run(requests[request](write(trees, -1)), { acl }).catch((fault: unknown) => fault);
        expect(answer).not.toMatchObject({ type: 'ActionNotPermittedException' });
      }),
      { numRuns: 300 },
    );
  });
});

describe('a name that only shows while the list runs', () => {
  const acl = { deny: ['FA_t_deny'] };
  test.each<[string, unknown[]]>([
    [
      'from an earlier result',
      [
        ['FA_t_echo', [[['FA_t_touch'], ['FA_t_deny']]]],
        ['FA_t_run_list', ['${results[0].value}']],
      ],
    ],
    ['from a variable', [['FA_callback', { trigger_function_name: '${env:CALLED}', callback_function: 'FA_t_touch' }]]],
    ['from a file', [['FA_execute_files', { execute_files_list: ['deny.json'] }]]],
    [
      'from an object of the earlier result',
      [
        ['FA_t_echo', [{ nodes: [{ id: 'a', action: ['FA_t_deny'] }] }]],
        ['FA_t_run_list', ['${results[0].value}']],
      ],
    ],
  ])('%s fails its command, and nothing of its list runs', async (_, list) => {
    await using late = openHouse({ env: { CALLED: 'FA_t_deny' }, files: { 'deny.json': '[["FA_t_touch"],["FA_t_deny"]]' } });
    const { results } = await late.run(list, { acl });
    expect(results.at(-1)).toMatchObject({
      status: 'failed',
      error: { type: 'ActionNotPermittedException', context: { action: 'FA_t_deny' } },
    });
    expect(late.touched).toBe(0);
  });
});
