import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { waitingActions } from '../../../test/support/waiting-actions.ts';
import type { GuardRules } from '../../core/guard-rules.ts';
import type { RunResult } from '../../core/result.ts';

/** A house in which one action has a guard, and that action: it fails as often as it is told to. */
const open = (rules: GuardRules, files: Record<string, string> = {}) => {
  const house = openHouse({ files, guards: { FA_t_flaky: rules, FA_t_wait: rules, FA_create_file: rules } });
  const waiting = waitingActions();
  let calls = 0;
  house.factotum.registry.registerMany(waiting.actions);
  house.factotum.registry.register('FA_t_flaky', (failures: number, code = 'EBUSY') => {
    calls += 1;
    if (calls <= failures) throw Object.assign(new Error('busy'), { code, syscall: 'open' });
    return calls;
  });
  return {
    house,
    waiting,
    get calls() {
      return calls;
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
};

const kinds = ({ results }: RunResult) => results.map(({ status, error }) => error?.type ?? status);

test('what fails for a passing reason is repeated', async () => {
  await using room = open({ retry: { attempts: 3, backoff_s: 0, cap_s: 0 } });
  expect((await room.house.run([['FA_t_flaky', [2]]])).results[0]).toMatchObject({ status: 'ok', value: 3 });
});

test('the retries of a node come before those of the guard', async () => {
  await using room = open({ retry: { attempts: 3, backoff_s: 0, cap_s: 0 } });
  await room.house.run({ nodes: [{ id: 'a', action: ['FA_t_flaky', [9]], retry: { attempts: 1, backoff_s: 0, cap_s: 0 } }] });
  expect(room.calls).toBe(1);
});

test('what takes too long is stopped', async () => {
  await using room = open({ timeout_s: 0.02 });
  expect(kinds(await room.house.run([['FA_t_wait', ['ever']]]))).toEqual(['TimeoutException']);
  expect(room.waiting.aborted).toEqual(['ever']);
});

test('calls beyond the rate are refused when they may not wait', async () => {
  await using room = open({ rate_limit: { rate: 0.001, burst: 2, timeout_s: 0 } });
  const call = ['FA_t_flaky', [0]];
  expect(kinds(await room.house.run([call, call, call]))).toEqual(['ok', 'ok', 'RateLimitExceededException']);
});

test('the breaker opens on faults that may pass, and a caller with wrong arguments opens it for nobody', async () => {
  await using room = open({ circuit_breaker: { failure_threshold: 2, recovery_timeout: 60 } });
  const wrong = ['FA_t_flaky', [9, 'EINVAL']];
  const busy = ['FA_t_flaky', [9]];
  expect(kinds(await room.house.run([wrong, wrong, wrong, busy, busy, busy]))).toEqual([
    ...Array(5).fill('ExecuteActionException'),
    'CircuitOpenException',
  ]);
  expect((await room.house.run([['FA_circuit_state', ['action:FA_t_flaky']]])).results[0]?.value).toBe('open');
});

test('so many run at once; those that find no room are refused', async () => {
  await using room = open({ bulkhead: { max_concurrent: 1, max_waiting: 0 } });
  const first = room.house.run([['FA_t_wait', ['first']]]);
  await room.waiting.untilBegun(1);
  expect(kinds(await room.house.run([['FA_t_wait', ['second']]]))).toEqual(['RateLimitExceededException']);
  room.waiting.release('first');
  expect((await first).ok).toBe(true);
});

test('a file is locked around each call', async () => {
  await using other = openHouse();
  await using room = open({ file_lock: other.dir.at('a.lock') });
  const first = room.house.run([['FA_t_wait', ['first']]]);
  await room.waiting.untilBegun(1);
  expect(kinds(await other.run([['FA_with_file_lock', { path: 'a.lock', actions: [], timeout: 0 }]]))).toEqual(['LockTimeoutException']);
  room.waiting.release('first');
  expect((await first).ok).toBe(true);
});

test('each call may write so many bytes', async () => {
  await using room = open({ quota: { max_bytes: 10, max_seconds: 0 } });
  const write = (content: string) => ['FA_create_file', { file_path: `${content.length}.txt`, content }];
  expect(kinds(await room.house.run([write('x'.repeat(11)), write('x'.repeat(9)), write('x'.repeat(8))]))).toEqual([
    'QuotaExceededException',
    'ok',
    'ok',
  ]);
  expect(room.house.dir.read('11.txt')).toBeUndefined();
});

test('a lock needs a store', async () => {
  await using room = open({ lock: 'nightly' });
  expect(kinds(await room.house.run([['FA_t_flaky', [0]]]))).toEqual(['StoreException']);
});

test('a dry run passes every guard by', async () => {
  await using room = open({ rate_limit: { rate: 0.001, burst: 1, timeout_s: 0 } });
  const list = [
    ['FA_create_file', ['a.txt', '1']],
    ['FA_create_file', ['b.txt', '1']],
  ];
  expect(kinds(await room.house.run({ actions: list, dry_run: true }))).toEqual(['planned', 'planned']);
});
