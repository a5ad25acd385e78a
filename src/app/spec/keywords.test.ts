import { describe, expect, test } from 'vitest';
import { json, number, text } from '../../core/args.ts';
import * as spec from '../../spec.ts';
import { readGiven } from '../library/arguments.ts';

const PARAMETERS = [
  ['size', number('', { default: null })],
  ['name', text('', { default: null })],
  ['extra', json('', { default: null })],
] as const;
const read = (...given: unknown[]) => readGiven('f', PARAMETERS, given);

describe('arguments', () => {
  test('come in order, by name, or both', () => {
    expect([read(1, 'a'), read({ size: 1, name: 'a' }), read(1, { name: 'a' })]).toEqual(Array(3).fill({ size: 1, name: 'a' }));
  });

  test('that are null or left out are left out', () => {
    expect([read(), read(null, undefined), read({ size: null }), read(undefined, 'a')]).toEqual([{}, {}, {}, { name: 'a' }]);
  });

  test('may be objects where the callee wants one', () => {
    expect(read(1, 'a', { size: 2 })).toEqual({ size: 1, name: 'a', extra: { size: 2 } });
  });

  test.each<[string, unknown[], string]>([
    ['that nobody knows', [{ sise: 1 }], 'f has no argument "sise"; did you mean size?'],
    ['given twice', [1, { size: 2 }], 'f was given size twice, in order and by name; leave one out.'],
    ['of another kind', [{ size: '1' }], 'f: size must be a number, or null, not "1".'],
    ['of another kind in order', [new Map()], 'f: size must be a number, or null, not an object.'],
    ['that are too many', [1, 'a', 2, 3], 'f takes at most 3 arguments: size, name, extra.'],
  ])('%s are refused', (_, given, message) => {
    expect(() => read(...given)).toThrow(message);
  });
});

const refusedWith = (argument: string) =>
  expect.objectContaining({ type: 'ArgumentException', context: expect.objectContaining({ argument }) });
const caught = async (work: () => unknown) => {
  try {
    await work();
  } catch (fault) {
    return fault;
  }
  throw new Error('It was not refused.');
};

describe('the names of the specification take keyword arguments', () => {
  test('Quota', () => {
    for (const quota of [new spec.Quota({ max_bytes: 10 }), new spec.Quota(10), new spec.Quota(10, { max_seconds: 0 })]) {
      expect([quota.max_bytes, quota.max_seconds]).toEqual([10, 0]);
      expect(() => quota.check_size(11)).toThrow('10');
    }
  });

  test('retry_on_transient', async () => {
    let calls = 0;
    const flaky = spec.retry_on_transient({ max_attempts: 2, backoff_base: 0, retriable: () => true })(() => {
      calls += 1;
      if (calls === 1) throw new Error('no');
      return calls;
    });
    expect(await flaky()).toBe(2);
  });

  test('progress_registry.create keeps the total, in order and by name', () => {
    const { progress_registry: progress } = spec;
    const entries = [progress.create('a', 7), progress.create('b', { total: 7 }), progress.create('c', 7, 'items')];
    expect(entries.map(({ name }) => progress.lookup(name))).toMatchObject([{ total: 7 }, { total: 7 }, { total: 7, unit: 'items' }]);
    for (const entry of entries) entry.finish('done');
    progress.clear_finished();
  });

  test('execute_action and its kin', async () => {
    const list = [['FA_list_actions']] as const;
    const { results } = await spec.execute_action(list, { dry_run: true });
    expect(results[0]?.status).toBe('planned');
    expect((await spec.execute_action_parallel(list, { max_workers: 1, dry_run: true })).results[0]?.status).toBe('planned');
    expect((await spec.execute_action_dag([], { fail_fast: false })).ok).toBe(true);
  });

  test('the servers', async () => {
    await using door = await spec.start_http_action_server({ port: 0, shared_secret: 'a-secret-that-is-long-enough' });
    expect((await fetch(`${door.url}/actions`)).status).toBe(401);
  });

  test('the scheduler and the watchers, with all arguments of their actions', async () => {
    const job = await spec.scheduler.add('keywords', '0 3 * * *', [['FA_list_actions']], { time_zone: 'Europe/Vienna' });
    expect(job).toMatchObject({ name: 'keywords', time_zone: 'Europe/Vienna' });
    await spec.scheduler.remove('keywords');
    const watcher = await spec.trigger_manager.start('keywords', '.', [['FA_list_actions']], { events: ['created'], recursive: false });
    expect(watcher).toMatchObject({ name: 'keywords', recursive: false });
    await spec.trigger_manager.stop('keywords');
  });

  test.each<[string, () => unknown, string]>([
    ['Quota', () => new spec.Quota({ max_byte: 1 } as object), 'max_byte'],
    ['Quota of texts', () => new spec.Quota({ max_bytes: '10' } as object), 'max_bytes'],
    ['retry_on_transient', () => spec.retry_on_transient({ attempts: 1 } as object), 'attempts'],
    ['progress_registry.create', () => spec.progress_registry.create('x', { totl: 1 } as object), 'totl'],
    ['execute_action', () => spec.execute_action([], { dryRun: true } as object), 'dryRun'],
    ['execute_action_parallel', () => spec.execute_action_parallel([], { workers: 1 } as object), 'workers'],
    ['execute_action_dag', () => spec.execute_action_dag([], { failfast: true } as object), 'failfast'],
    ['start_http_action_server', () => spec.start_http_action_server({ port: 0, secret: 'x' } as object), 'secret'],
    [
      'start_autocontrol_socket_server',
      () => spec.start_autocontrol_socket_server({ port: 0, sharedSecret: 'x' } as object),
      'sharedSecret',
    ],
    ['start_metrics_server', () => spec.start_metrics_server({ prot: 0 } as object), 'prot'],
    ['scheduler.add', () => spec.scheduler.add('x', '0 3 * * *', [], { overlaps: true } as object), 'overlaps'],
    ['trigger_manager.start', () => spec.trigger_manager.start('x', '.', [], { event: ['created'] } as object), 'event'],
    ['notification_manager.notify', () => spec.notification_manager.notify('x', { lvel: 'error' } as object), 'lvel'],
    ['ConfigWatcher', () => new spec.ConfigWatcher('x.toml', () => {}, { intervall: 1 } as object), 'intervall'],
    ['MCPServer', () => new spec.MCPServer(null, { read_onyl: true } as object), 'readOnyl'],
    ['ActionACL', () => new spec.ActionACL({ allowed: ['FA_stat'] } as object), 'allowed'],
    ['file_checksum', () => spec.file_checksum('x', { algo: 'md5' } as object), 'algo'],
    ['verify_checksum', () => spec.verify_checksum('x', '00', { chunk: 1 } as object), 'chunk'],
    ['validate_http_url', () => spec.validate_http_url('http://example.com', { private: true } as object), 'private'],
    ['sync_dir', () => spec.sync_dir('a', 'b', { deletes: true } as object), 'deletes'],
    ['find_duplicates', () => spec.find_duplicates('a', { min: 1 } as object), 'min'],
    ['write_manifest', () => spec.write_manifest('a', 'b', { algo: 'md5' } as object), 'algo'],
  ])('%s refuses what it does not know', async (_, work, argument) => {
    expect(await caught(work)).toEqual(refusedWith(argument));
  });
});
