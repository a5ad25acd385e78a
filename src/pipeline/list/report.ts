import type { Counts, Outcome, RunResult } from '../../core/result.ts';
import type { ListRun } from '../run.ts';
import { addEntry, RESULT_BYTES } from '../usage.ts';

/** Adds the outcomes of a finished list up; `hash` is that of a dry run's plan. */
export const report = (list: ListRun, durationMs: number, hash: string | undefined): RunResult => {
  const counts: Counts = { ok: 0, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };
  const results = list.outcomes as Outcome[]; // the schedule took or left every command
  for (const { status } of results) counts[status] += 1;
  if (list.depth > 1) addEntry(list, RESULT_BYTES);
  const ok = counts.failed + counts.cancelled + counts.indeterminate === 0;
  return {
    run_id: list.run.id,
    ok,
    status: ok ? 'ok' : counts.cancelled > 0 ? 'cancelled' : 'failed',
    counts,
    duration_ms: roundMs(durationMs),
    ...(hash !== undefined && { plan_hash: hash }),
    results,
  };
};

/** Milliseconds with microseconds kept. */
export const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000;
