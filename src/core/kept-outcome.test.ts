import { expect, test } from 'vitest';
import { keepOutcome, reuseOutcome } from './kept-outcome.ts';
import type { Outcome } from './result.ts';

const outcome: Outcome = {
  index: 2,
  id: 'copy',
  action: 'FA_copy_file',
  status: 'ok',
  value: { path: '/a' },
  notes: [{ kind: 'skipped', message: 'One was left out.' }],
  duration_ms: 3,
};
const same = (value: unknown) => value;

test('an outcome that is kept and taken up again is the same, but for its status', () => {
  expect(reuseOutcome(keepOutcome(outcome, same), 'reused')).toEqual({ ...outcome, status: 'reused' });
});

test('a failed outcome keeps its error', () => {
  const error = { type: 'ShellException', message: 'no', retryable: false, context: {} };
  const failed: Outcome = { index: 0, action: 'FA_run_shell', status: 'failed', error, duration_ms: 1 };
  expect(reuseOutcome(keepOutcome(failed, same), 'failed')).toEqual(failed);
});

test('a value that held a secret is kept without it, and is not taken up', () => {
  const kept = keepOutcome(outcome, (value) => (value === outcome.value ? { path: '***' } : value));
  expect(kept).toMatchObject({ value: { path: '***' }, notes: [{ kind: 'skipped' }, { kind: 'masked' }] });
  expect(reuseOutcome(kept, 'reused')).not.toHaveProperty('value');
});

test('a value that was cut is not taken up', () => {
  expect(reuseOutcome({ ...keepOutcome(outcome, same), truncated: true }, 'reused')).not.toHaveProperty('value');
});

test('a value of null is a value', () => {
  expect(reuseOutcome(keepOutcome({ ...outcome, value: null }, same), 'ok')).toHaveProperty('value', null);
});
