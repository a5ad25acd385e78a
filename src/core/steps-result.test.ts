import { describe, expect, test } from 'vitest';
import { ExecuteActionException } from './errors.ts';
import type { Counts, Outcome, RunResult } from './result.ts';
import { demandOk } from './steps-result.ts';

const none: Counts = { ok: 0, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };

const resultOf = (status: RunResult['status'], results: readonly Outcome[]): RunResult => ({
  run_id: 'r',
  ok: status === 'ok',
  status,
  counts: { ...none, failed: results.length },
  duration_ms: 1,
  results,
});

const failed: Outcome = {
  index: 1,
  action: 'FA_x',
  status: 'failed',
  duration_ms: 1,
  error: { type: 'FileNotExistsException', message: 'No file at a.', retryable: false, context: {} },
};

describe('a nested list', () => {
  test('that ended ok is handed on', () => {
    const result = resultOf('ok', []);
    expect(demandOk(result)).toBe(result);
  });

  test('that failed fails its command with the first trouble and the counts', () => {
    const work = () => demandOk(resultOf('failed', [{ ...failed, index: 0, status: 'skipped' }, failed, { ...failed, index: 2 }]));
    expect(work).toThrow(ExecuteActionException);
    expect(work).toThrow('The nested list did not succeed; command 1 (FA_x) said: No file at a.');
    expect(work).toThrow(expect.objectContaining({ context: { counts: { ...none, failed: 3 } } }));
  });

  test('that was cancelled inside fails its command too', () => {
    expect(() => demandOk(resultOf('cancelled', [{ index: 0, action: 'FA_x', status: 'cancelled', duration_ms: 0 }]))).toThrow(
      'The nested list did not succeed; it ended as cancelled',
    );
  });
});
