import { createHash } from 'node:crypto';
import type { Counts, Outcome, RunResult } from '../../core/result.ts';
import type { ListRun } from '../run.ts';

/** Adds the outcomes of a finished list up. */
export const report = (list: ListRun, durationMs: number): RunResult => {
  const counts: Counts = { ok: 0, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };
  const results = list.outcomes as Outcome[]; // the schedule took or left every command
  for (const { status } of results) counts[status] += 1;
  const ok = counts.failed + counts.cancelled + counts.indeterminate === 0;
  return {
    run_id: list.run.id,
    ok,
    status: ok ? 'ok' : counts.cancelled > 0 ? 'cancelled' : 'failed',
    counts,
    duration_ms: roundMs(durationMs),
    ...(list.foresight !== undefined && { plan_hash: planHash(results, list.foresight.fingerprints()) }),
    results,
  };
};

/** Milliseconds with microseconds kept. */
export const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000;

/** Covers arguments as written, effects, and size and time of every file that would be read, replaced or removed. */
const planHash = (results: readonly Outcome[], fingerprints: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([results.map(essence), fingerprints]))
    .digest('hex');

/** What of an entry makes the plan: no times, no identities. */
const essence = ({ action, id, status, error, plan }: Outcome): unknown => {
  const steps = plan?.steps === undefined ? [] : [plan.steps].flat();
  return [
    action,
    id ?? null,
    status,
    error?.type ?? null,
    plan?.arguments ?? null,
    plan?.effects ?? [],
    plan?.complete ?? true,
    steps.map((run) => run.results.map(essence)),
  ];
};
