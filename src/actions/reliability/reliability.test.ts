import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

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
