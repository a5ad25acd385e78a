import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { openFileStore } from '../../app/state/open-file-store.ts';

test('FA_with_retry repeats a command that fails for a passing reason, and says when all attempts are used up', async () => {
  await using house = openHouse();
  let calls = 0;
  house.factotum.registry.register('FA_t_flaky', (until: number) => {
    calls += 1;
    if (calls < until) throw Object.assign(new Error('busy'), { code: 'EBUSY', syscall: 'open' });
    return calls;
  });
  const retrying = (until: number) => ['FA_with_retry', { actions: [['FA_t_flaky', [until]]], max_attempts: 3, backoff_base: 0 }];
  expect((await house.run([retrying(3)])).results[0]?.status).toBe('ok');
  calls = 0;
  expect((await house.run([retrying(9)])).results[0]?.error?.type).toBe('RetryExhaustedException');
  expect(calls).toBe(3);
});

test('FA_with_quota stops a copy that writes too much and leaves no part of it', async () => {
  await using house = openHouse({ files: { big: 'x'.repeat(100_000) } });
  const { results } = await house.run([['FA_with_quota', { actions: [['FA_copy_file', ['big', 'copy']]], max_bytes: 1000 }]]);
  expect(results[0]?.error?.type).toBe('QuotaExceededException');
  expect(house.dir.read('copy')).toBeUndefined();
});

test('FA_with_timeout stops a program and fails with its own error', async () => {
  await using house = openHouse();
  const { results } = await house.run([['FA_with_timeout', { actions: [['FA_run_shell', [['sleep', '30']]]], seconds: 0.2 }]]);
  expect(results[0]?.error?.type).toBe('TimeoutException');
});

test('FA_with_rate_limit runs its list while there are tokens and refuses it when there are none in time', async () => {
  await using house = openHouse();
  const limited = (name: string) => ['FA_with_rate_limit', { name, actions: [['FA_t_touch']], rate: 0.001, timeout: 0 }];
  const { results } = await house.run([limited('a'), limited('a'), limited('b')]);
  expect(results.map(({ status, error }) => error?.type ?? status)).toEqual(['ok', 'RateLimitExceededException', 'ok']);
  expect(house.touched).toBe(2);
});

test('FA_with_circuit_breaker refuses its list after repeated failures until it is reset', async () => {
  await using house = openHouse();
  const through = (actions: unknown) => ['FA_with_circuit_breaker', { name: 'disk', actions, failure_threshold: 2 }];
  const failing = through([['FA_copy_file', ['missing', 'b']]]);
  await house.run([['FA_metrics_render']]); // counting begins
  const { results } = await house.run([
    failing,
    ['FA_circuit_state', ['disk']],
    failing,
    ['FA_circuit_state', ['disk']],
    through([['FA_t_touch']]),
    ['FA_metrics_render'],
    ['FA_circuit_reset', ['disk']],
    ['FA_circuit_state', ['disk']],
    through([['FA_t_touch']]),
  ]);
  expect(results.map(({ value, error, status }) => error?.type ?? (typeof value === 'string' ? value : status))).toEqual([
    'ExecuteActionException',
    'closed',
    'ExecuteActionException',
    'open',
    'CircuitOpenException',
    expect.stringContaining('factotum_breaker_state{name="disk"} 2\n'),
    'ok',
    'closed',
    'ok',
  ]);
  expect(house.touched).toBe(1);
});

test('a breaker that is open stays open for the next process, and is seen there', async () => {
  using dir = tempDir();
  const state = { open: () => openFileStore({ path: dir.at('store.db') }), isServing: false, keepsHistory: false };
  const actions = [['FA_copy_file', ['missing', 'b']]];
  {
    await using first = openHouse({ state });
    await first.run([['FA_with_circuit_breaker', { name: 'disk', actions, failure_threshold: 1 }]]);
  }
  await using second = openHouse({ state });
  const { results } = await second.run([['FA_circuit_state', ['disk']], ['FA_metrics_render']]);
  expect(results.map(({ value }) => value)).toEqual(['open', expect.stringContaining('factotum_breaker_state{name="disk"} 2\n')]);
});

test('FA_limits_list shows the owner what is limited now, those of the configuration too', async () => {
  const guards = {
    FA_create_dir: { rate_limit: { rate: 0.001, burst: 2 } },
    FA_t_list_limits: { bulkhead: { max_concurrent: 1, max_waiting: 0 } },
  };
  await using house = openHouse({ guards });
  house.factotum.registry.register('FA_t_list_limits', async () => (await house.run([['FA_limits_list']])).results[0]?.value);
  const list = [
    ['FA_create_dir', ['d']],
    ['FA_with_circuit_breaker', { name: 'disk', actions: [['FA_copy_file', ['missing', 'b']]], failure_threshold: 2 }],
    ['FA_t_list_limits'],
  ];
  const { results } = await house.run(list);
  expect(results[2]?.value).toEqual([
    { kind: 'rate_limit', name: 'action:FA_create_dir', tokens: expect.closeTo(1, 1) },
    { kind: 'circuit_breaker', name: 'disk', state: 'closed', failures: 1 },
    { kind: 'bulkhead', name: 'action:FA_t_list_limits', running: 1, waiting: 0 },
  ]);
});

test('names of the configuration can be looked at but not used', async () => {
  await using house = openHouse();
  const { results } = await house.run([
    ['FA_with_rate_limit', { name: 'action:FA_copy_file', actions: [] }],
    ['FA_with_circuit_breaker', { name: 'connection:box', actions: [] }],
    ['FA_circuit_state', ['action:FA_copy_file']],
  ]);
  expect(results.map(({ status, error }) => error?.type ?? status)).toEqual(['ArgumentException', 'ArgumentException', 'ok']);
});
