import type { Claim, ClaimRequest } from '../../port/engine.ts';
import type { RunState } from '../../port/runs.ts';
import type { Queue, QueueItem, QueueStatus } from '../../port/shelves.ts';
import { advance, fromText, optional, type Sync, type Tools } from '../repository.ts';
import { DEFAULT_QUEUE } from '../runs/insert-run.ts';
import { removeParts } from '../runs/kept.ts';

const STATES: Readonly<Record<QueueStatus, RunState>> = { ready: 'queued', inflight: 'running', dead: 'dead' };

interface Row {
  readonly seq: number;
  readonly body: string;
  readonly kept: string | null;
  readonly attempt: number;
  readonly submitted_at: number;
}

/** Runs as numbered items, for callers that do the work themselves. */
export const queueRepository = (tools: Tools, claim: (request: ClaimRequest) => readonly Claim[]): Sync<Queue> => {
  const { db, now, seal } = tools;
  return {
    dequeue({ worker, leaseMs, queue = DEFAULT_QUEUE }) {
      const [taken] = claim({ worker, leaseMs, queues: [queue], max: 1 });
      return taken === undefined ? null : { id: taken.itemId, action: taken.body, attempts: taken.attempt, enqueuedAt: taken.submittedAt };
    },
    ack: (id, worker) =>
      db.run(
        `UPDATE run SET state = 'ok', owner = NULL, lease_until = NULL, ended_at = ?, ended_event = ?, duration_ms = ? - started_at
         WHERE seq = ? AND state = 'running' AND owner = coalesce(?, owner)`,
        now(),
        advance(tools, 'event'),
        now(),
        id,
        optional(worker),
      ) === 1,
    nack(id, { requeue, reason, delayMs, worker }) {
      const error = JSON.stringify({ type: 'QueueException', message: reason, retryable: requeue, context: {} });
      return requeue
        ? db.run(
            `UPDATE run SET state = 'queued', owner = NULL, lease_until = NULL, run_at = ?, error = ?
             WHERE seq = ? AND state = 'running' AND owner = coalesce(?, owner)`,
            now() + delayMs,
            error,
            id,
            optional(worker),
          ) === 1
        : db.run(
            `UPDATE run SET state = 'dead', owner = NULL, lease_until = NULL, ended_at = ?, ended_event = ?, error = ?
             WHERE seq = ? AND state = 'running' AND owner = coalesce(?, owner)`,
            now(),
            advance(tools, 'event'),
            error,
            id,
            optional(worker),
          ) === 1;
    },
    size: (status, queue = DEFAULT_QUEUE, caller) =>
      // The state stands in the text, because an index over some states is used only then.
      db.get<{ rows: number }>(
        `SELECT count(*) AS rows FROM run WHERE state = '${STATES[status]}' AND queue = ? AND caller = coalesce(?, caller)`,
        queue,
        optional(caller),
      )?.rows ?? 0,
    purge(queue = DEFAULT_QUEUE, worker) {
      const rows = db.all<{ seq: number }>(
        `DELETE FROM run
         WHERE (state IN ('queued', 'dead') OR (state = 'running' AND owner = coalesce(?, owner))) AND queue = ? RETURNING seq`,
        optional(worker),
        queue,
      );
      for (const { seq } of rows) removeParts(db, seq);
      return rows.length;
    },
    dead: (queue = DEFAULT_QUEUE) =>
      db
        .all<Row>(
          `SELECT run.seq, request.body, kept.body AS kept, attempt, submitted_at
           FROM run JOIN request USING (seq) LEFT JOIN kept USING (seq)
           WHERE state = 'dead' AND queue = ? ORDER BY run.seq`,
          queue,
        )
        .map((row) => toItem({ ...row, body: seal.open(row.body) })),
  };
};

const toItem = ({ seq, body, kept, attempt, submitted_at }: Row): QueueItem => ({
  id: seq,
  action: fromText(body),
  ...(kept !== null && { kept: fromText(kept) }),
  attempts: attempt,
  enqueuedAt: submitted_at,
});
