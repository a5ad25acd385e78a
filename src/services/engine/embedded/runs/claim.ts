import type { Claim, ClaimRef, ClaimRequest, Engine } from '../../port/engine.ts';
import type { RunId } from '../../port/runs.ts';
import { fromText, type Sync, type Tools } from '../repository.ts';
import { readCommands } from './command-rows.ts';
import { DEFAULT_QUEUE } from './insert-run.ts';
import { releaseLost } from './release-lost.ts';
import type { RunRow } from './run-row.ts';

export const DEFAULT_LEASE_MS = 30_000;

interface DueRow extends Pick<RunRow, 'seq' | 'run_id' | 'attempt' | 'fence' | 'caller' | 'source' | 'name' | 'submitted_at'> {
  readonly body: string;
  readonly options: string;
}

/** Who has which run, and until when. */
export const claimRepository = (tools: Tools): Sync<Pick<Engine, 'claim' | 'abandon' | 'heartbeat'>> => {
  const { db, now, seal } = tools;

  const due = (queues: readonly string[], tags: readonly string[], max: number): readonly DueRow[] =>
    db.all(
      `SELECT seq, run_id, attempt, fence, caller, source, name, submitted_at, body, options
       FROM run INDEXED BY run_queued JOIN request USING (seq)
       WHERE state = 'queued' AND run_at <= ? AND queue IN (SELECT value FROM json_each(?))
         AND (tags IS NULL OR NOT EXISTS (
           SELECT 1 FROM json_each(run.tags) AS wanted WHERE wanted.value NOT IN (SELECT value FROM json_each(?))))
       ORDER BY priority DESC, seq LIMIT ?`,
      now(),
      JSON.stringify(queues),
      JSON.stringify(tags),
      max,
    );

  const take = (row: DueRow, { worker, leaseMs = DEFAULT_LEASE_MS, versions }: ClaimRequest): Claim => {
    const leaseUntil = now() + leaseMs;
    db.run(
      `UPDATE run SET state = 'running', attempt = attempt + 1, fence = fence + 1, owner = ?, lease_until = ?,
         started_at = coalesce(started_at, ?), versions = coalesce(?, versions)
       WHERE seq = ?`,
      worker,
      leaseUntil,
      now(),
      versions === undefined ? null : JSON.stringify(versions),
      row.seq,
    );
    return {
      runId: row.run_id,
      itemId: row.seq,
      attempt: row.attempt + 1,
      fence: row.fence + 1,
      body: fromText(seal.open(row.body)),
      options: fromText(row.options),
      caller: row.caller,
      source: row.source,
      name: row.name,
      submittedAt: row.submitted_at,
      leaseUntil,
      earlier: row.attempt === 0 ? [] : readCommands(tools, row.seq),
    };
  };

  const renew = ({ runId, fence }: ClaimRef, leaseUntil: number): { cancel_requested: number } | undefined =>
    db.get(
      "UPDATE run SET lease_until = ? WHERE run_id = ? AND fence = ? AND state = 'running' RETURNING cancel_requested",
      leaseUntil,
      runId,
      fence,
    );

  return {
    claim(request) {
      const { queues = [DEFAULT_QUEUE], tags = [], max } = request;
      releaseLost(tools, db.all("SELECT * FROM run WHERE state = 'running' AND lease_until < ?", now()));
      return due(queues, tags, max).map((row) => take(row, request));
    },
    abandon(worker) {
      const rows = db.all<RunRow>("SELECT * FROM run WHERE state = 'running' AND owner = ?", worker);
      releaseLost(tools, rows);
      return rows.length;
    },
    heartbeat(claims, leaseMs = DEFAULT_LEASE_MS) {
      const lost: RunId[] = [];
      const cancelled: RunId[] = [];
      for (const claim of claims) {
        const row = renew(claim, now() + leaseMs);
        if (row === undefined) lost.push(claim.runId);
        else if (row.cancel_requested === 1) cancelled.push(claim.runId);
      }
      return { lost, cancelled };
    },
  };
};
