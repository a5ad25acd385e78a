import { describe, expect, test } from 'vitest';
import { hashOf, isThere, openRoom, REMOVE } from '../../../test/support/approval-room.ts';
import { createPolicy } from '../../access/policy.ts';
import { PlanChangedException, PolicyException } from '../../core/errors.ts';

describe('a caller who needs a yes', () => {
  test('is told which plan to have approved; then the list runs, once', async () => {
    await using room = openRoom();
    const refused = await room.refusal([REMOVE]);
    expect(refused.message).toContain(`factotum approve ${hashOf(refused)}`);
    expect(refused.context).toMatchObject({ rule: 'require_approval', command: `factotum approve ${hashOf(refused)}` });
    expect(isThere(room.house)).toBe(true);
    expect(await room.approve(hashOf(refused))).toMatchObject([
      { caller: 'guest', summary: { effects: [`delete ${room.house.dir.at('a.txt')}`], complete: true } },
    ]);
    const approved = { actions: [REMOVE], expect_plan: hashOf(refused) };
    expect(await room.ask(approved)).toMatchObject({ ok: true });
    expect(isThere(room.house)).toBe(false);
    room.house.dir.write('a.txt', 'again');
    await expect(room.ask(approved)).rejects.toThrow(PlanChangedException);
    expect(isThere(room.house)).toBe(true);
  });

  test.each([
    ['FA_circuit_reset', { name: 'x' }],
    ['FA_lock_release', { name: 'x', owner: 'me' }],
    ['FA_progress_cancel', { name: 'x' }],
    ['FA_schedule_remove', { name: 'x' }],
    ['FA_schedule_remove_all', {}],
    ['FA_schedule_pause', { name: 'x' }],
    ['FA_schedule_resume', { name: 'x' }],
    ['FA_watch_stop', { name: 'x' }],
    ['FA_watch_stop_all', {}],
    ['FA_integrity_stop', { name: 'x' }],
  ])('needs one for %s, which changes what other runs do, and may not where nothing may be written', async (action, args) => {
    await using room = openRoom();
    expect((await room.refusal([[action, args]])).context).toMatchObject({ rule: 'require_approval' });
    const acl = { allow: ['effect:none', 'effect:reads'] };
    expect((await room.house.refusal([[action, args]], { acl })).type).toBe('ActionNotPermittedException');
  });

  test('may read and plan as before, and a plan is put up for approval', async () => {
    await using room = openRoom();
    expect(await room.ask([['FA_read_file', ['a.txt']]])).toMatchObject({ ok: true });
    expect(await room.plans()).toEqual([]);
    const { plan_hash: hash } = await room.ask({ actions: [REMOVE], dry_run: true });
    expect(await room.plans()).toMatchObject([{ planHash: hash, caller: 'guest' }]);
    await room.approve(hash);
    expect(await room.ask({ actions: [REMOVE], expect_plan: hash })).toMatchObject({ ok: true });
  });

  test('needs one for a list that only reads where its plan is incomplete, and for no other', async () => {
    await using room = openRoom('destructive', { 'a.txt': 'b.txt', 'b.txt': 'deep' });
    const follow = [
      ['FA_read_file', ['a.txt']],
      ['FA_read_file', ['${results[0].value}']],
    ];
    const refused = await room.refusal(follow);
    expect(refused.context).toMatchObject({ rule: 'require_approval' });
    expect(await room.approve(hashOf(refused))).toMatchObject([{ caller: 'guest', summary: { complete: false } }]);
    const { results } = await room.ask({ actions: follow, expect_plan: hashOf(refused) });
    expect(results.map(({ value }) => value)).toEqual(['b.txt', 'deep']);
    expect(await room.ask([follow[0], ['FA_read_file', ['b.txt']]])).toMatchObject({ ok: true });
    const { plan_hash } = await room.ask({ actions: follow, dry_run: true });
    expect((await room.plans()).map(({ planHash }) => planHash)).toContain(plan_hash);
  });

  test('shows no secret to whoever is asked', async () => {
    await using room = openRoom();
    await room.refusal([
      ['FA_execute_action', { action_list: [['FA_set_zip_password', { zip_file_path: 'a.zip', password: 'correct horse' }]] }],
    ]);
    expect(await room.plans()).toHaveLength(1);
    expect(JSON.stringify(await room.plans())).not.toContain('correct horse');
  });

  test('gains nothing by naming a plan that nobody approved, or one that has changed', async () => {
    await using room = openRoom();
    const hash = hashOf(await room.refusal([REMOVE]));
    expect(hashOf(await room.refusal({ actions: [REMOVE], expect_plan: hash }))).toBe(hash);
    await room.approve(hash);
    room.house.dir.write('a.txt', 'something else');
    await expect(room.ask({ actions: [REMOVE], expect_plan: hash })).rejects.toThrow(PlanChangedException);
    await expect(room.ask({ actions: [REMOVE], expect_plan: 'made up' })).rejects.toThrow(PlanChangedException);
    expect(isThere(room.house)).toBe(true);
  });

  test('cannot use an approval that is over, or that of somebody else', async () => {
    await using room = openRoom();
    const list = { actions: [REMOVE], expect_plan: hashOf(await room.refusal([REMOVE])) };
    await room.approve(list.expect_plan, -1);
    await room.refusal(list);
    const other = { ...room.guest, name: 'other' };
    await room.approve(list.expect_plan);
    await expect(room.house.factotum.gateway.run(list, { caller: other })).rejects.toThrow(PolicyException);
    expect(isThere(room.house)).toBe(true);
  });

  test('uses an approval up once, however many ask at the same time', async () => {
    await using room = openRoom('destructive', {});
    const write = ['FA_create_file', { file_path: 'log.txt', content: 'x' }];
    const list = { actions: [write], expect_plan: hashOf(await room.refusal([write])) };
    await room.approve(list.expect_plan);
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => room.ask(list)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('cannot have one order approved and run another', async () => {
    await using room = openRoom();
    const actions = [['FA_read_file', ['missing.txt']], REMOVE];
    const { plan_hash: hash } = await room.ask({ actions, stop_on_error: true, dry_run: true });
    await room.approve(hash);
    await expect(room.ask({ actions, expect_plan: hash })).rejects.toThrow(PlanChangedException);
    expect(isThere(room.house)).toBe(true);
  });

  test('needs one for every list where that is wanted', async () => {
    await using room = openRoom('all');
    const hash = hashOf(await room.refusal([['FA_t_touch']]));
    expect(room.house.touched).toBe(0);
    await room.approve(hash);
    await room.ask({ actions: [['FA_t_touch']], expect_plan: hash });
    expect(room.house.touched).toBe(1);
  });

  test('needs none where that is not wanted, and the owner never does', async () => {
    await using room = openRoom('none');
    expect(await room.ask([REMOVE])).toMatchObject({ ok: true });
    expect(await room.house.run([['FA_create_file', ['a.txt']]])).toMatchObject({ ok: true });
  });
});

describe('what nobody can approve', () => {
  const FIRST = ['FA_t_echo', { value: 'a.txt' }];
  const value = '${results[0].value}';
  const DIFF = ['FA_substitute', { payload: { added: [], removed: ['precious'], changed: [] } }];

  test.each<[string, readonly unknown[], string]>([
    ['a path to remove', [FIRST, ['FA_remove_file', { file_path: value }]], 'file_path'],
    ['a path to write, by position', [FIRST, ['FA_copy_file', ['a.txt', value]]], 'target_path'],
    ['a tree to remove', [FIRST, ['FA_remove_dir_tree', [`./${value}`]]], 'dir_path'],
    [
      'a path in a loop over earlier values',
      [FIRST, ['FA_for_each', { items: value, actions: [['FA_remove_file', ['${item}']]] }]],
      'file_path',
    ],
    [
      'a path in a branch that may be taken',
      [FIRST, ['FA_if_exists', { path: value, else_: [FIRST, ['FA_remove_file', [value]]] }]],
      'file_path',
    ],
    [
      'what an action is given',
      [
        FIRST,
        [
          'FA_callback',
          {
            trigger_function_name: 'FA_list_dir',
            trigger_kwargs: { dir_path: '.' },
            callback_function: 'FA_remove_file',
            callback_function_param: { file_path: value },
          },
        ],
      ],
      'callback_function_param',
    ],
  ])('is %s that is not known yet', async (_, actions, argument) => {
    await using room = openRoom();
    const refused = await room.refusal(actions);
    expect(refused.context).toMatchObject({ rule: 'require_approval', argument });
    expect(refused.message).toContain(`${argument} of command`);
    expect(refused.message).toContain('with the value written out');
    expect(await room.ask({ actions, dry_run: true })).toMatchObject({ plan_hash: expect.any(String) });
    expect(await room.plans()).toEqual([]);
    expect(isThere(room.house)).toBe(true);
  });

  test.each<[string, readonly unknown[], string]>([
    ['which files to remove', [DIFF, ['FA_apply_dir_diff', { diff: value, target: 't', source: 's' }]], 'diff'],
    ['a pattern of what goes', [FIRST, ['FA_rotate_backups', { directory: 't', pattern: value, keep_daily: 0 }]], 'pattern'],
    ['whether more goes', [FIRST, ['FA_sync_dir', { src: 's', dst: 't', delete: value }]], 'delete'],
    ['the environment of a program', [FIRST, ['FA_run_shell', { argv: ['true'], env: { A: value } }]], 'env'],
    ['where a program runs', [FIRST, ['FA_run_shell', { argv: ['true'], cwd: value }]], 'cwd'],
    ['a name below a path', [FIRST, ['FA_rename_file', { origin_file_path: 't', target_name: value }]], 'target_name'],
    ['another name below a path', [FIRST, ['FA_create_project_dir', { project_path: 'p', parent_name: value }]], 'parent_name'],
    ['what comes back', [FIRST, ['FA_restore_from_trash', { trash_id: value, trash_dir: 't' }]], 'trash_id'],
    ['what a function is given', [FIRST, ['plain', [value]]], 'arguments'],
    [
      'a path, of a command that would fail or be skipped',
      [FIRST, ['FA_read_file', ['missing']], ['FA_copy_file', ['missing', value]], ['FA_remove_file', [value]]],
      'target_path',
    ],
  ])('is, of an action that changes something, %s that is not known yet', async (_, actions, argument) => {
    await using room = openRoom('destructive', { 't/precious': 'x', 's/a': 'x' });
    room.house.factotum.registry.register('plain', () => null);
    const able = {
      ...room.guest,
      policy: createPolicy({ readWrite: [room.house.dir.path], requireApproval: 'destructive', executes: true }),
    };
    const ask = (request: unknown) => room.house.factotum.gateway.run(request, { caller: able });
    const refused = await ask(actions).catch((fault: unknown) => fault);
    expect(refused).toMatchObject({ type: 'PolicyException', context: { rule: 'require_approval', argument } });
    await ask({ actions, dry_run: true });
    expect(await room.plans()).toEqual([]);
    expect(isThere(room.house, 't/precious')).toBe(true);
  });

  test('is a command that would be skipped, should it work on what is not known yet', async () => {
    await using room = openRoom();
    const actions = [FIRST, ['FA_read_file', ['missing']], ['FA_remove_file', [value]]];
    const refused = await room.refusal({ actions, stop_on_error: true });
    expect(refused.context).toMatchObject({ rule: 'require_approval', index: 2 });
  });

  test('is a command that goes by a file of which the plan does not know what it will hold', async () => {
    await using room = openRoom('destructive', { 't/precious': 'x' });
    const actions = [
      FIRST,
      ['FA_create_file', { file_path: 'made', content: value }],
      ['FA_move_file', { file_path: 'made', target_path: 'moved.tar' }],
      ['FA_extract_tar', { source: 'moved.tar', target_dir: 't' }],
    ];
    const refused = await room.refusal(actions);
    expect(refused.context).toMatchObject({ rule: 'require_approval', index: 3, path: room.house.dir.at('moved.tar') });
    expect(await room.refusal(actions.slice(0, 3))).toMatchObject({ context: { plan_hash: expect.any(String) } });
  });

  test('is not a content that is not known yet: the plan says that more may happen', async () => {
    await using room = openRoom();
    const actions = [FIRST, ['FA_create_file', { file_path: 'made.txt', content: value }]];
    const hash = hashOf(await room.refusal(actions));
    expect(await room.approve(hash)).toMatchObject([
      { summary: { effects: [`create ${room.house.dir.at('made.txt')}`], complete: false, effect_counts: { create: 1 } } },
    ]);
    expect(await room.ask({ actions, expect_plan: hash })).toMatchObject({ ok: true });
    expect(room.house.dir.read('made.txt')).toBe('a.txt');
  });

  test.each<[string, readonly unknown[]]>([
    ['outside the roots', [['FA_remove_file', { file_path: '/etc/hostname' }]]],
    ['outside the roots, behind what is allowed', [REMOVE, ['FA_create_file', ['../outside.txt']]]],
    ['outside the roots, inside another list', [['FA_execute_action', [[['FA_remove_dir_tree', ['/usr']]]]]]],
    ['to run a program', [['FA_run_shell', { argv: ['true'] }]]],
    ['to read a variable', [['FA_create_file', ['a.txt', '${env:HOME}']]]],
  ])('is what the policy refuses anyhow: %s', async (_, actions) => {
    await using room = openRoom();
    const refused = await room.refusal(actions);
    expect(refused.context.rule).not.toBe('require_approval');
    expect(refused.context).toMatchObject({ action: expect.any(String), index: expect.any(Number) });
    await room.ask({ actions, dry_run: true });
    expect(await room.plans()).toEqual([]);
    expect(isThere(room.house)).toBe(true);
  });
});

describe('whoever is asked', () => {
  test('sees the arguments of every command, also of one that would fail or be skipped', async () => {
    await using room = openRoom();
    await room.refusal({
      actions: [['FA_copy_file', { file_path: 'missing', target_path: 'b' }], ['FA_no_such', { x: 1 }], 'malformed', REMOVE],
      stop_on_error: true,
    });
    const [plan] = await room.plans();
    expect(plan?.summary).toMatchObject({
      commands: [
        expect.stringMatching(/^\["FA_copy_file",\{"file_path":"missing","target_path":"b"\}\] would fail: No file is at /),
        '["FA_no_such",{"x":1}] would be skipped',
        '["malformed",{}] would be skipped',
        '["FA_remove_file",{"file_path":"a.txt"}] would be skipped',
      ],
    });
    expect(JSON.stringify(plan?.summary)).not.toContain('null');
  });

  test('sees the worst first, however much harmless comes before it', async () => {
    await using room = openRoom();
    await room.refusal([...Array.from({ length: 150 }, (_, at) => ['FA_create_file', [`new-${at}`]]), REMOVE]);
    const [plan] = await room.plans();
    expect(plan?.summary).toMatchObject({
      effects: expect.arrayContaining([`delete ${room.house.dir.at('a.txt')}`]),
      effect_counts: { delete: 1, create: 150 },
    });
  });

  test('sees the file that a date stands for, and that one goes', async () => {
    await using room = openRoom('destructive', { 'precious/a.txt': 'x' });
    const actions = [['FA_remove_dir_tree', { dir_path: '${date:precious}' }]];
    const hash = hashOf(await room.refusal(actions));
    expect(await room.approve(hash)).toMatchObject([
      { summary: { effects: expect.arrayContaining([`delete ${room.house.dir.at('precious')}`]) } },
    ]);
    expect(await room.ask({ actions, expect_plan: hash })).toMatchObject({ ok: true });
    expect(isThere(room.house, 'precious/a.txt')).toBe(false);
  });
});
