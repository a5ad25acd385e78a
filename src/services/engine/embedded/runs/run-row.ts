import type { Run, RunSource, RunState } from '../../port/runs.ts';
import { fromText } from '../repository.ts';

/** A row of `run`. */
export interface RunRow {
  readonly seq: number;
  readonly run_id: string;
  readonly key: string | null;
  readonly queue: string;
  readonly priority: number;
  readonly source: RunSource;
  readonly caller: string;
  readonly name: string | null;
  readonly mode: string;
  readonly dry_run: number;
  readonly plan_hash: string | null;
  readonly parent: string | null;
  readonly versions: string;
  readonly tags: string | null;
  readonly state: RunState;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly fence: number;
  readonly owner: string | null;
  readonly lease_until: number | null;
  readonly cancel_requested: number;
  readonly run_at: number;
  readonly submitted_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly duration_ms: number | null;
  readonly counts: string | null;
  readonly error: string | null;
  readonly ended_event: number | null;
}

export const toRun = (row: RunRow): Run => ({
  runId: row.run_id,
  itemId: row.seq,
  key: row.key,
  queue: row.queue,
  priority: row.priority,
  source: row.source,
  caller: row.caller,
  name: row.name,
  mode: row.mode,
  isDryRun: row.dry_run === 1,
  planHash: row.plan_hash,
  parent: row.parent,
  versions: fromText(row.versions),
  state: row.state,
  attempt: row.attempt,
  maxAttempts: row.max_attempts,
  owner: row.owner,
  leaseUntil: row.lease_until,
  isCancelRequested: row.cancel_requested === 1,
  runAt: row.run_at,
  submittedAt: row.submitted_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  durationMs: row.duration_ms,
  counts: row.counts === null ? null : fromText(row.counts),
  error: row.error === null ? null : fromText(row.error),
});
