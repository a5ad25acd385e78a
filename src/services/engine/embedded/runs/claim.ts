import { OWNER_NAME } from '../../../../core/reach.ts';
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

/** Everybody who has queued runs; each step looks for the next one, whatever number of runs there are between. */
const CALLERS = `
  WITH RECURSIVE who (caller) AS (
    SELECT min(caller) FROM run INDEXED BY run_queued WHERE state = 'queued'
    UNION ALL
    SELECT (SELECT min(caller) FROM run INDEXED BY run_queued WHERE state = 'queued' AND caller > who.caller) FROM who
    WHERE who.caller IS NOT NULL)
  SELECT caller FROM who WHERE caller IS NOT NULL`;

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** Who has which run, and until when. */
export const claimRepository = (tools: Tools): Sync<Pick<Engine, 'claim' | 'abandon' | 'heartbeat'>> => {
  const { db, now, seal } = tools;

  /** The caller whose run was taken last: the next one comes first the next time. */
  let last = '';

  /** Those who have queued runs, in order, beginning after the last one. */
  const callersInTurn = (): readonly string[] => {
    const callers = db.all<{ caller: string }>(CALLERS).map(({ caller }) => caller);
    return [...callers.filter((caller) => caller > last), ...callers.filter((caller) => caller <= last)];
  };

  const dueOf = (caller: string, { queues = [DEFAULT_QUEUE], tags = [] }: ClaimRequest, max: number): readonly number[] =>
    db
      .all<{ seq: number }>(
        `SELECT seq FROM run INDEXED BY run_queued
         WHERE state = 'queued' AND caller = ? AND run_at <= ? AND queue IN (SELECT value FROM json_each(?))
           AND (tags IS NULL OR NOT EXISTS (
             SELECT 1 FROM json_each(run.tags) AS wanted WHERE wanted.value NOT IN (SELECT value FROM json_each(?))))
         ORDER BY priority DESC, seq LIMIT ?`,
        caller,
        now(),
        JSON.stringify(queues),
        JSON.stringify(tags),
        max,
      )
      .map(({ seq }) => seq);

  /** The runs to be taken: one of each caller, then the next one of each, as far as there are places for them. */
  const due = (request: ClaimRequest): readonly number[] => {
    const { max, places } = request;
    let left = places === undefined ? max : places.mostOfLimited - sum(Object.values(places.held));
    const mostOf = (caller: string) =>
      places === undefined || caller === OWNER_NAME ? max : places.mostOfOne - (places.held[caller] ?? 0);
    let lines = callersInTurn().map((caller) => ({
      caller,
      waiting: [...dueOf(caller, request, Math.min(max, Math.max(0, mostOf(caller))))],
    }));
    const taken: number[] = [];
    while (taken.length < max && lines.length > 0) {
      for (const { caller, waiting } of lines) {
        const isLimited = caller !== OWNER_NAME;
        if (taken.length >= max || (isLimited && left <= 0)) continue;
        const seq = waiting.shift();
        if (seq === undefined) continue;
        taken.push(seq);
        last = caller;
        if (isLimited) left -= 1;
      }
      lines = lines.filter(({ caller, waiting }) => waiting.length > 0 && (caller === OWNER_NAME || left > 0));
    }
    return taken;
  };

  const read = (seq: number): DueRow | undefined =>
    db.get(
      `SELECT seq, run_id, attempt, fence, caller, source, name, submitted_at, body, options
       FROM run JOIN request USING (seq) WHERE seq = ?`,
      seq,
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
      releaseLost(tools, db.all("SELECT * FROM run WHERE state = 'running' AND lease_until < ?", now()));
      return due(request).flatMap((seq) => {
        const row = read(seq);
        return row === undefined ? [] : [take(row, request)];
      });
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
