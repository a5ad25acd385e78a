import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { portraitOf } from '../../../test/support/tree-portrait.ts';
import { ActionACL } from '../../access/acl.ts';
import * as errors from '../../core/errors.ts';
import * as spec from '../../spec.ts';

const dir = tempDir();
afterAll(() => dir[Symbol.dispose]());
beforeEach(() => {
  rmSync(dir.at('.'), { recursive: true, force: true });
  for (const name of ['src/deep', 'dst', 'same']) mkdirSync(dir.at(name), { recursive: true });
  for (const name of ['src/a', 'src/deep/b', 'dst/old']) writeFileSync(dir.at(name), name);
  for (const name of ['same/x', 'same/y']) writeFileSync(dir.at(name), 'z'.repeat(50));
  writeFileSync(dir.at('list.json'), '[["FA_list_actions"]]');
  writeFileSync(dir.at('factotum.toml'), '');
});

const LIST = [['FA_list_actions']] as const;
const SINK = { name: 'calls', type: 'webhook', url: 'http://127.0.0.1:8123/', allow_private_hosts: true };

/** A call: the arguments in the order of the specification, how many must be given, and what is left of it in the end. */
interface Entry {
  readonly args: () => Readonly<Record<string, unknown>>;
  /** How many have no default. */
  readonly required: number;
  readonly before?: () => unknown;
  readonly after?: (value: unknown) => unknown;
  /** How many stand before an object that can only be meant as names; by default those without a default. */
  readonly plain?: number;
}

const schedule = () => spec.scheduler.add('calls', '0 3 1 1 *', LIST);
const unschedule = () => spec.scheduler.remove_all();
const watch = () => spec.trigger_manager.start('calls', dir.at('src'), LIST);
const unwatch = () => spec.trigger_manager.stop_all();
const track = () => spec.progress_registry.create('calls');
const untrack = () => {
  spec.progress_registry.cancel('calls');
  spec.progress_registry.forget('calls');
};
const close = (value: unknown) => (value as AsyncDisposable)[Symbol.asyncDispose]();
const place = { host: '127.0.0.1', port: 0, allow_non_loopback: false };
const server = { args: () => ({ ...place, shared_secret: 's'.repeat(32), action_acl: new ActionACL({}) }), required: 0, after: close };
const none = { args: () => ({}), required: 0 };
const callbacks = new spec.CallbackExecutor();
const quota = new spec.Quota(10);

const ENTRIES: Readonly<Record<string, Entry>> = {
  'AutomationConfig.load': { args: () => ({ path: dir.at('factotum.toml') }), required: 0 },
  ConfigWatcher: { args: () => ({ path: dir.at('factotum.toml'), on_change: () => {}, interval: 5 }), required: 2 },
  MCPServer: { ...none, after: (value) => (value as spec.MCPServer).close() },
  Quota: { args: () => ({ max_bytes: 10, max_seconds: 2 }), required: 0 },
  'Quota#check_size': { args: () => ({ nbytes: 4 }), required: 1 },
  'CallbackExecutor#callback_function': {
    args: () => ({
      trigger_function_name: 'FA_list_actions',
      callback_function: () => {},
      callback_function_param: 1,
      callback_param_method: 'args',
      trigger_kwargs: {},
    }),
    required: 2,
    plain: 1,
  },
  add_command_to_executor: { args: () => ({ mapping: { FA_of_calls: () => 1 } }), required: 1 },
  add_package_to_executor: { args: () => ({ package_name: 'no-such-package', project: dir.at('.') }), required: 1 },
  build_default_registry: none,
  execute_action: { args: () => ({ actions: LIST, validate_first: true, dry_run: true }), required: 1 },
  execute_action_dag: {
    args: () => ({ nodes: [{ id: 'a', action: LIST[0] }], max_workers: 1, fail_fast: true }),
    required: 1,
  },
  execute_action_parallel: { args: () => ({ actions: LIST, max_workers: 1, dry_run: true }), required: 1 },
  execute_files: { args: () => ({ execute_files_list: [dir.at('list.json')] }), required: 1 },
  file_checksum: { args: () => ({ path: dir.at('src/a'), algorithm: 'md5', chunk_size: 2 }), required: 1 },
  find_duplicates: { args: () => ({ root: dir.at('same'), min_size: 10, sample_bytes: 5, algorithm: 'md5' }), required: 1 },
  is_within: { args: () => ({ root: dir.at('src'), user_path: 'a' }), required: 2 },
  load_entry_point_plugins: { args: () => ({ register: () => {} }), required: 0 },
  'notification_manager.list': none,
  'notification_manager.notify': { args: () => ({ subject: 's', body: 'b', level: 'error', context: { a: 1 } }), required: 1 },
  'notification_manager.register': {
    args: () => ({ sink: SINK }),
    required: 1,
    after: () => spec.notification_manager.unregister_all(),
  },
  'notification_manager.unregister': { args: () => ({ name: 'calls' }), required: 1 },
  'notification_manager.unregister_all': none,
  notify_on_failure: { args: () => ({ context: 'calls', error: 'x' }), required: 1, plain: 0 },
  'progress_registry.cancel': { args: () => ({ name: 'calls' }), required: 1, before: track, after: untrack },
  'progress_registry.clear_finished': none,
  'progress_registry.create': { args: () => ({ name: 'calls', total: 7, unit: 'items' }), required: 1, after: untrack },
  'progress_registry.forget': { args: () => ({ name: 'calls' }), required: 1 },
  'progress_registry.list': none,
  'progress_registry.lookup': { args: () => ({ name: 'calls' }), required: 1, before: track, after: untrack },
  retry_on_transient: { args: () => ({ max_attempts: 2, backoff_base: 0, backoff_cap: 1, retriable: () => true }), required: 0 },
  safe_join: { args: () => ({ root: dir.at('src'), user_path: 'a' }), required: 2 },
  'scheduler.add': {
    args: () => ({ name: 'calls', cron_expression: '0 3 1 1 *', action_list: LIST, allow_overlap: true }),
    required: 3,
    after: unschedule,
  },
  'scheduler.list': none,
  'scheduler.next': { args: () => ({ name: 'calls', count: 2 }), required: 1, before: schedule, after: unschedule },
  'scheduler.pause': { args: () => ({ name: 'calls', drain: false }), required: 1, before: schedule, after: unschedule },
  'scheduler.remove': { args: () => ({ name: 'calls' }), required: 1, before: schedule },
  'scheduler.remove_all': none,
  'scheduler.resume': { args: () => ({ name: 'calls' }), required: 1, before: schedule, after: unschedule },
  start_autocontrol_socket_server: server,
  start_http_action_server: server,
  start_metrics_server: { args: () => place, required: 0, after: close },
  sync_dir: {
    args: () => ({ src: dir.at('src'), dst: dir.at('dst'), compare: 'checksum', delete: true, dry_run: true }),
    required: 2,
  },
  'trigger_manager.list': none,
  'trigger_manager.start': {
    args: () => ({ name: 'calls', path: dir.at('src'), action_list: LIST, events: ['created'], recursive: false }),
    required: 3,
    after: unwatch,
  },
  'trigger_manager.stop': { args: () => ({ name: 'calls' }), required: 1, before: watch },
  'trigger_manager.stop_all': none,
  validate_action: { args: () => ({ actions: LIST }), required: 1 },
  validate_http_url: { args: () => ({ url: 'http://127.0.0.1/', allow_private: true }), required: 1 },
  verify_checksum: { args: () => ({ path: dir.at('src/a'), expected: '00', algorithm: 'md5', chunk_size: 2 }), required: 2 },
  verify_manifest: { args: () => ({ root: dir.at('src'), manifest_path: dir.at('m.json') }), required: 2, before: () => manifest() },
  write_manifest: { args: () => ({ root: dir.at('src'), manifest_path: dir.at('m.json'), algorithm: 'md5' }), required: 2 },
};
const manifest = () => spec.write_manifest(dir.at('src'), dir.at('m.json'));
const groups = Object.keys(spec).filter((name) => name.startsWith('register_'));
const registering: Entry = { args: () => ({ registry: spec.build_default_registry() }), required: 1 };
const ALL = Object.entries({ ...ENTRIES, ...Object.fromEntries(groups.map((name) => [name, registering])) });

type Callee = (...args: readonly unknown[]) => unknown;

/** The function behind a path such as `scheduler.add`; a class is called by making one. */
const calleeOf = (path: string): Callee => {
  if (path === 'Quota#check_size') return (...call) => Reflect.apply(quota.check_size, quota, call);
  if (path === 'CallbackExecutor#callback_function') return (...call) => Reflect.apply(callbacks.callback_function, callbacks, call);
  const owner = Reflect.get(spec, path.split('.')[0] ?? '');
  const callee = path.includes('.') ? Reflect.get(owner, path.split('.')[1] ?? '') : owner;
  if (/^[A-Z]/.test(path) && !path.includes('.')) return (...call) => Reflect.construct(callee, call);
  return (...call) => Reflect.apply(callee, owner, call);
};

/** What a call came to, without what differs from one time to the next. */
const shownOf = async (path: string, call: readonly unknown[], { before, after }: Entry): Promise<string> => {
  await before?.();
  const value = await calleeOf(path)(...call);
  const text = JSON.stringify(value, (key, each) => (/(?:_id|_ms|_at|url|port|rate)$/.test(key) ? undefined : each));
  await after?.(value);
  return `${typeof value} ${text}`;
};

const refusalOf = async (path: string, call: readonly unknown[]): Promise<{ readonly message: string; readonly context: object }> => {
  try {
    await calleeOf(path)(...call);
  } catch (fault) {
    expect(fault).toMatchObject({ type: 'ArgumentException' });
    return fault as { readonly message: string; readonly context: object }; // as the line above has seen
  }
  throw new Error(`${path} was not refused.`);
};

test('every function of the door is in the table', () => {
  const callables = Object.entries(spec).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : Object.keys(value).map((method) => `${name}.${method}`),
  );
  // A download needs a server; it has tests of its own.
  const notCalled = [
    'ActionACL',
    'AutomationConfig',
    'CallbackExecutor',
    'HTTPActionClient',
    'unchecked',
    'download_file',
    ...Object.keys(errors),
  ];
  expect(callables.filter((name) => !notCalled.includes(name)).sort()).toEqual(
    ALL.map(([name]) => name)
      .filter((name) => !/^AutomationConfig|#/.test(name))
      .sort(),
  );
});

describe.each(ALL)('%s', (path, entry) => {
  const { args, required, plain = required } = entry;

  test('takes arguments in order, by name, and both', async () => {
    const values = Object.values(args());
    const inOrder = await shownOf(path, values, entry);
    expect(await shownOf(path, values.length === 0 ? [] : [args()], entry)).toBe(inOrder);
    for (let split = 1; split < values.length; split += 1) {
      const byName = Object.fromEntries(Object.entries(args()).slice(split));
      expect(await shownOf(path, [...values.slice(0, split), byName], entry), `${split} in order`).toBe(inOrder);
    }
  });

  test('refuses too many, unknown, missing and wrong ones before anything happens', async () => {
    const values = Object.values(args());
    const before = portraitOf(dir.at('.'));
    const filler = Array<unknown>(20).fill(0);
    expect((await refusalOf(path, [...values, ...filler])).message).toMatch(/takes (?:at most|no)/);
    const known = values.slice(0, plain);
    expect(await refusalOf(path, [...known, { no_such_name: 1 }])).toMatchObject({
      context: { argument: expect.stringMatching(/^no_?such_?name$/i) },
    });
    if (required > 0) expect((await refusalOf(path, values.slice(0, required - 1))).message).toContain('needs');
    for (const [at, name] of Object.keys(args()).entries()) {
      if (/^(?:actions|nodes|callback_function_param|error|user_path)$/.test(name)) continue; // whatever it is, the callee judges it
      const wrong = values.with(at, Symbol('wrong'));
      expect(await refusalOf(path, wrong)).toMatchObject({ context: { argument: name } });
    }
    expect(portraitOf(dir.at('.'))).toEqual(before);
  });
});

describe('dry_run', () => {
  const at = (name: string) => dir.at(name);
  const create = () => [['FA_create_file', [at('made'), 'x']]] as const;
  test.each<[string, () => Promise<unknown>]>([
    ['sync_dir in order', () => spec.sync_dir(at('src'), at('dst'), undefined, true, true)],
    ['sync_dir with null', () => spec.sync_dir(at('src'), at('dst'), null, null, true)],
    ['sync_dir by name', () => spec.sync_dir({ src: at('src'), dst: at('dst'), delete: true, dry_run: true })],
    ['sync_dir both ways', () => spec.sync_dir(at('src'), at('dst'), 'size_mtime', { delete: true, dry_run: true })],
    ['execute_action in order', () => spec.execute_action(create(), undefined, true)],
    ['execute_action by name', () => spec.execute_action(create(), { dry_run: true })],
    ['execute_action both ways', () => spec.execute_action(create(), false, { dry_run: true })],
    ['execute_action_parallel in order', () => spec.execute_action_parallel(create(), null, true)],
    ['execute_action_parallel by name', () => spec.execute_action_parallel(create(), { dry_run: true })],
  ])('%s changes nothing', async (_, work) => {
    const before = portraitOf(dir.at('.'));
    await work();
    expect(portraitOf(dir.at('.'))).toEqual(before);
  });
});

test('arguments in order have their effect', async () => {
  expect(await spec.find_duplicates(dir.at('same'), 100)).toEqual([]);
  await spec.write_manifest(dir.at('src'), dir.at('m.json'), 'md5');
  expect(readFileSync(dir.at('m.json'), 'utf8')).toContain('md5');
});

test.each([0, -1, 1.5])('retry_on_transient refuses %d attempts', (attempts) => {
  expect(() => spec.retry_on_transient(attempts)).toThrow('max_attempts must be a whole number of at least 1');
});
