import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { ActionACL } from '../../access/acl.ts';

test('FA_callback reads references once: what a file says stays data', async () => {
  await using house = openHouse({ files: { hostile: '${env:TOK}' }, env: { TOK: 'tok-0123456789abcdef' } });
  const { results } = await house.run([
    ['FA_read_file', ['hostile']],
    [
      'FA_callback',
      {
        trigger_function_name: 'FA_t_echo',
        trigger_kwargs: { value: '${results[0].value}' },
        callback_function: 'FA_create_file',
        callback_function_param: { file_path: 'out', content: '${results[0].value}' },
      },
    ],
  ]);
  expect(results[1]).toMatchObject({ status: 'ok', value: '${env:TOK}' });
  expect(house.dir.read('out')).toBe('${env:TOK}');
});

test('FA_callback is refused as a whole when a list among its arguments is not permitted', async () => {
  await using house = openHouse();
  const hidden = {
    trigger_function_name: 'FA_t_touch',
    callback_function: 'FA_t_run_list',
    callback_function_param: { action_list: [['FA_t_deny']] },
  };
  const refusal = await house.refusal([['FA_callback', hidden]], { acl: { allow: ['FA_callback', 'FA_t_touch', 'FA_t_run_list'] } });
  expect(refusal.type).toBe('ActionNotPermittedException');
  expect(house.touched).toBe(0);
});

test('FA_callback wants the arguments in the form that its method names', async () => {
  await using house = openHouse();
  const { results } = await house.run([
    ['FA_callback', { trigger_function_name: 'FA_t_touch', callback_function: 'FA_t_echo', callback_function_param: [1] }],
  ]);
  expect(results[0]?.error?.type).toBe('CallbackExecutorException');
  expect(house.touched).toBe(0);
});

test('FA_for_each begins no further item after a failure when told so', async () => {
  await using house = openHouse();
  const each = { items: ['a', 'b/c', 'd'], actions: [['FA_create_file', ['${item}', '']]], stop_on_error: true };
  expect((await house.run([['FA_for_each', each]])).results[0]?.status).toBe('failed');
  expect([house.dir.read('a'), house.dir.read('d')]).toEqual(['', undefined]);
});

test('FA_if_exists, FA_if_newer and FA_if_size_gt run nothing for a branch that was left out', async () => {
  await using house = openHouse();
  const { results } = await house.run([
    ['FA_if_exists', { path: 'x', then: [['FA_t_touch']] }],
    ['FA_if_newer', { path: 'x', reference: 'y', then: [['FA_t_touch']] }],
    ['FA_if_size_gt', { path: 'x', bytes_threshold: 0, then: [['FA_t_touch']] }],
  ]);
  expect(results.map(({ value }) => value)).toEqual(Array.from({ length: 3 }, () => ({ matched: false, results: [] })));
  expect(house.touched).toBe(0);
});

test('FA_execute_files runs no list when one of the files is broken', async () => {
  await using house = openHouse({ files: { 'good.json': '[["FA_t_touch"]]', 'bad.json': '[["FA_t_touch",]]' } });
  const { results } = await house.run([['FA_execute_files', [['good.json', 'bad.json']]]]);
  expect(results[0]?.error).toMatchObject({ type: 'JsonActionException', message: expect.stringContaining('bad.json:1:') });
  expect(house.touched).toBe(0);
});

test('FA_execute_action, FA_execute_action_parallel and FA_execute_action_dag give the results of what they ran', async () => {
  await using house = openHouse();
  const list = [
    ['FA_t_echo', { value: 1 }],
    ['FA_t_echo', { value: 2 }],
  ];
  const { results } = await house.run([
    ['FA_execute_action', [list]],
    ['FA_execute_action_parallel', [list, 2]],
    [
      'FA_execute_action_dag',
      [
        [
          { id: 'a', action: ['FA_t_echo', { value: 1 }] },
          { id: 'b', action: ['FA_t_echo', { value: 2 }], depends_on: ['a'] },
        ],
      ],
    ],
  ]);
  expect(results[0]?.value).toMatchObject([{ value: 1 }, { value: 2 }]);
  expect(results[1]?.value).toMatchObject([{ value: 1 }, { value: 2 }]);
  expect(results[2]?.value).toEqual({ a: 1, b: 2 });
});

test('FA_validate, FA_substitute, FA_list_actions and FA_describe_action tell without doing', async () => {
  await using house = openHouse();
  const { results } = await house.run([
    ['FA_validate', [[['FA_t_typed', { path: 1 }]]]],
    ['FA_substitute', ['${cwd}']],
    ['FA_list_actions'],
    ['FA_describe_action', ['FA_t_typed']],
    ['FA_describe_action', ['FA_no_such']],
  ]);
  expect(results[0]?.error?.type).toBe('ValidationException');
  expect(results[1]?.value).toBe(house.dir.path);
  expect(results[2]?.value).toContain('FA_t_typed');
  expect(results[3]?.value).toMatchObject({ name: 'FA_t_typed', order: ['path', 'count', 'flag', 'mode', 'tags'] });
  expect(results[4]?.error?.type).toBe('UnknownActionException');
});

test('FA_validate needs no rights of the commands it checks, and tells nothing of those that the caller may not run', async () => {
  await using house = openHouse();
  const guest = { name: 'guest', remote: true, acl: new ActionACL({ allow: ['effect:none'] }) };
  const check = async (...commands: readonly unknown[]) =>
    (await house.factotum.run([['FA_validate', [commands]]], { caller: guest })).results[0];
  expect((await check(['FA_progress_list'], ['FA_list_actions']))?.value).toEqual(['FA_progress_list', 'FA_list_actions']);
  const refused = await Promise.all(['FA_copy_file', 'FA_no_such'].map((name) => check([name, { no: 'such' }])));
  for (const outcome of refused) expect(outcome?.error).toMatchObject({ type: 'ActionNotPermittedException' });
  expect(refused[0]?.error?.message).toBe(refused[1]?.error?.message.replace('FA_no_such', 'FA_copy_file'));
  const { results } = await house.run({ actions: [['FA_validate', [[['FA_create_file', ['a', 'b']]]]]], dry_run: true });
  expect(results[0]).toMatchObject({ status: 'planned', plan: { effects: [] } });
});
