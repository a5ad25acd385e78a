import { afterEach, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import * as door from '../../index.ts';
import * as spec from '../../spec.ts';

const touched: unknown[] = [];
afterEach(() => {
  touched.length = 0;
});
const touch = (...args: unknown[]) => touched.push(args);

test('a command added to the executor is seen at once by both doors', async () => {
  door.addCommandToExecutor({ FA_lib_touch: touch });
  expect((await door.executeAction(door.unchecked([['FA_lib_touch', [1, 2]]]))).ok).toBe(true);
  expect((await spec.execute_action(door.unchecked([['FA_lib_touch', { a: 1 }]]))).ok).toBe(true);
  expect(touched).toEqual([[1, 2], [{ a: 1 }]]);
});

test('the arguments of executeAction stand in the order of the specification', async () => {
  door.addCommandToExecutor({ FA_lib_touch: touch });
  await expect(door.executeAction(door.unchecked([['FA_lib_touch'], ['FA_no_such']]), true)).rejects.toBeInstanceOf(
    door.errors.ValidationException,
  );
  const dry = await door.executeAction(door.unchecked([['FA_lib_touch']]), false, true);
  expect(dry.results[0]?.status).toBe('planned');
  await expect(spec.execute_action(door.unchecked([['FA_no_such']]), { validate_first: true, substitute: true })).rejects.toMatchObject({
    type: 'ValidationException',
  });
  expect(touched).toEqual([]);
});

test('parallel lists and graphs run through the shared instance', async () => {
  door.addCommandToExecutor({ FA_lib_echo: (value: unknown) => value });
  expect(
    (
      await spec.execute_action_parallel(
        door.unchecked([
          ['FA_lib_echo', [1]],
          ['FA_lib_echo', [2]],
        ]),
        2,
      )
    ).results.map(({ value }) => value),
  ).toEqual([1, 2]);
  const graph = await spec.execute_action_dag(
    door.unchecked([
      { id: 'b', action: ['FA_lib_echo', ['${nodes.a.value}']], depends_on: ['a'] },
      { id: 'a', action: ['FA_lib_echo', [7]], depends_on: [] },
    ]),
  );
  expect(graph.results.map(({ id, value }) => [id, value])).toEqual([
    ['b', 7],
    ['a', 7],
  ]);
  await expect(door.executeActionDag([{ id: 'a', action: ['FA_list_trash'], depends_on: ['a'] }])).rejects.toBeInstanceOf(
    door.errors.DagException,
  );
});

test('lists of files run in order, and a broken one runs nothing', async () => {
  using dir = tempDir();
  dir.write('one.json', JSON.stringify([['FA_create_file', { file_path: dir.at('a.txt'), content: '1' }]]));
  dir.write('broken.json', '[');
  expect((await door.executeFiles([dir.at('one.json')])).map(({ ok }) => ok)).toEqual([true]);
  expect(dir.read('a.txt')).toBe('1');
  dir.write('two.json', JSON.stringify([['FA_remove_file', [dir.at('a.txt')]]]));
  await expect(door.executeFiles([dir.at('two.json'), dir.at('broken.json')])).rejects.toBeInstanceOf(door.errors.JsonActionException);
  await expect(door.executeFiles([dir.at('missing.json')])).rejects.toBeInstanceOf(door.errors.JsonActionException);
  expect(dir.read('a.txt')).toBe('1');
});

test('validateAction answers the names', async () => {
  expect(await spec.validate_action([['FA_stat', ['x']], ['FA_progress_list']])).toEqual(['FA_stat', 'FA_progress_list']);
});

test('a callback is called after its action, and not after a failure', async () => {
  const callbacks = new spec.CallbackExecutor();
  door.addCommandToExecutor({ FA_lib_echo: (value: unknown) => value });
  expect(await callbacks.callback_function('FA_safe_join', touch, ['x', 'y'], 'args', { root: '/', user_path: 'tmp' })).toBe('/tmp');
  expect(touched).toEqual([['x', 'y']]);
  await expect(
    callbacks.callback_function('FA_safe_join', touch, undefined, 'kwargs', { root: '/', user_path: '..' }),
  ).rejects.toMatchObject({ type: 'PathTraversalException' });
  await expect(callbacks.callback_function('FA_no_such', touch)).rejects.toBeInstanceOf(door.errors.CallbackExecutorException);
  expect(touched).toHaveLength(1);
});

test('instances are isolated from the shared one and from each other', async () => {
  await using own = door.createFactotum({ log: { level: 'silent' } });
  own.registry.register('FA_lib_own', () => 'mine');
  expect((await own.run(door.unchecked([['FA_lib_own']]))).results[0]?.value).toBe('mine');
  const shared = await door.executeAction(door.unchecked([['FA_lib_own']]));
  expect(shared.results[0]?.error?.type).toBe('UnknownActionException');
});

test('a closed instance refuses lists and has stopped what ran', async () => {
  const own = door.createFactotum({ log: { level: 'silent' } });
  let stopped = false;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  own.registry.register(
    'FA_lib_wait',
    door.defineAction({
      name: 'FA_lib_wait',
      summary: 'Waits until it is stopped.',
      args: {},
      returns: door.shapes.nothing(),
      examples: [],
      run: ({ signal }) =>
        new Promise((_, reject) => {
          begin();
          signal.addEventListener('abort', () => {
            stopped = true;
            reject(signal.reason);
          });
        }),
    }),
  );
  const running = own.run(door.unchecked([['FA_lib_wait']]));
  await begun;
  await own.close();
  expect(stopped).toBe(true);
  expect((await running).status).toBe('cancelled');
  await expect(own.run([])).rejects.toMatchObject({ type: 'CancelledException' });
});

test('every group helper fills an empty registry with its actions', () => {
  for (const register of [
    spec.register_files_ops,
    spec.register_flow_ops,
    spec.register_shell_ops,
    spec.register_state_ops,
    spec.register_reliability_ops,
  ]) {
    const registry = spec.build_default_registry();
    for (const name of registry.names()) registry.unregister(name);
    register(registry);
    expect(registry.size).toBeGreaterThan(0);
  }
});

test('quota, retry and progress answer under the exact names', async () => {
  const quota = new spec.Quota(10, 0);
  expect(() => quota.check_size(11)).toThrow(door.errors.QuotaExceededException);
  await expect(new spec.Quota(0, 0.01).time_budget(() => new Promise(() => {}))).rejects.toBeInstanceOf(door.errors.QuotaExceededException);
  let calls = 0;
  const flaky = spec.retry_on_transient(
    3,
    0,
    0,
  )(() => {
    calls += 1;
    if (calls < 3) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    return 'done';
  });
  expect(await flaky()).toBe('done');
  const entry = spec.progress_registry.create('lib-test', { total: 4 });
  entry.advance(4);
  entry.finish('done');
  expect(spec.progress_registry.lookup('lib-test')).toMatchObject({ status: 'done', transferred: 4, total: 4 });
  expect(spec.progress_registry.clear_finished()).toBeGreaterThan(0);
});
