import { describe, expect, test, vi } from 'vitest';
import { hashOf, isThere, openRoom, REMOVE } from '../../../test/support/approval-room.ts';
import { DISGUISES, type Disguise, WRITE } from '../../../test/support/disguises.ts';
import { openHouse } from '../../../test/support/house.ts';
import { defineAction } from '../../core/action.ts';
import { PolicyException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';

describe('a branch that the plan did not foresee', () => {
  const SILENT = { name: 'FA_t_flag', summary: 'Writes.', args: {}, returns: shapes.json(), examples: [], plan: () => undefined } as const;
  const branch = ['FA_if_exists', { path: 'flag', then: [REMOVE], else_: [] }];

  test('is not covered by the yes', async () => {
    await using room = openRoom();
    const { registry } = room.house.factotum;
    // Its plan is wrong, as that of any action may be; or somebody else writes there after the last look.
    registry.register(
      'FA_t_flag',
      defineAction({ ...SILENT, run: ({ files, signal }) => files.write('flag', new Uint8Array(), { signal }) }),
    );
    const actions = [['FA_create_file', ['other.txt']], ['FA_t_flag'], branch];
    const { plan_hash: hash } = await room.ask({ actions, dry_run: true });
    await room.approve(hash);
    const { results } = await room.ask({ actions, expect_plan: hash });
    expect(results[2]?.error).toMatchObject({ type: 'PolicyException', context: { rule: 'require_approval', action: 'FA_remove_file' } });
    expect(isThere(room.house)).toBe(true);
  });

  test('is planned too where a program before it may decide', async () => {
    await using house = openHouse({ files: { 'a.txt': 'x' } });
    const { results } = await house.run({ actions: [['FA_run_shell', { argv: ['touch', 'flag'] }], branch], dry_run: true });
    expect(results[1]?.plan).toMatchObject({ complete: false, steps: [{ results: [{ plan: { effects: [{ kind: 'delete' }] } }] }, {}] });
  });
});

describe('every disguise', () => {
  test.each(DISGUISES)('writes nothing without a yes: $name', async ({ list }: Disguise) => {
    await using room = openRoom('destructive', { 'list.json': JSON.stringify([WRITE]) });
    const answer = await room.ask(list).catch((fault: unknown) => fault);
    expect(JSON.stringify(answer instanceof PolicyException ? answer.toJSON() : answer)).toContain('require_approval');
    expect(isThere(room.house, 'made.txt')).toBe(false);
  });

  test.each(DISGUISES.filter(({ isForeseen }) => isForeseen))('runs with one: $name', async ({ list }: Disguise) => {
    await using room = openRoom('destructive', { 'list.json': JSON.stringify([WRITE]) });
    const hash = hashOf(await room.refusal(list));
    await room.approve(hash);
    expect(await room.ask({ ...list, expect_plan: hash })).toMatchObject({ ok: true });
    expect(isThere(room.house, 'made.txt')).toBe(true);
  });

  test('a list that a command only makes when it runs is not covered by the yes to the outer one', async () => {
    await using room = openRoom();
    const list = {
      actions: [
        ['FA_create_file', { file_path: 'list.json', content: 'x' }],
        ['FA_t_echo', { value: [WRITE] }],
        ['FA_execute_action', { action_list: '${results[1].value}', dry_run: true }],
        ['FA_t_run_list', { action_list: '${results[1].value}' }],
      ],
    };
    const hash = hashOf(await room.refusal(list));
    await room.approve(hash);
    const { results } = await room.ask({ ...list, expect_plan: hash });
    expect(results[3]?.error).toMatchObject({ type: 'PolicyException', context: { rule: 'require_approval' } });
    expect(isThere(room.house, 'made.txt')).toBe(false);
  });
});

describe('a stored list', () => {
  test('needs a yes of its own when it runs', async () => {
    await using room = openRoom('destructive', {});
    const { store } = await room.house.factotum.state();
    const storing = [['FA_queue_enqueue', { action: [WRITE] }]];
    const hash = hashOf(await room.refusal(storing));
    await room.approve(hash);
    const { run_id: parent } = await room.ask({ actions: storing, expect_plan: hash });
    const run = await vi.waitUntil(
      async () => (await store.runs({ caller: 'guest' })).items.find((each) => each.parent === parent && each.error),
      { timeout: 30_000 },
    );
    expect(run.error).toMatchObject({ type: 'PolicyException', context: { rule: 'require_approval' } });
    expect(isThere(room.house, 'made.txt')).toBe(false);
  });

  test('runs with the plan that it names once that is approved', async () => {
    await using room = openRoom('destructive', {});
    const inner = hashOf(await room.refusal([WRITE]));
    await room.approve(inner);
    const storing = [['FA_queue_enqueue', { action: { actions: [WRITE], expect_plan: inner } }]];
    const outer = hashOf(await room.refusal(storing));
    await room.approve(outer);
    await room.ask({ actions: storing, expect_plan: outer });
    await expect.poll(() => isThere(room.house, 'made.txt')).toBe(true);
  });
});
