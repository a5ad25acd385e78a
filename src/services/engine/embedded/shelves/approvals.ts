import type { Approvals, ApprovedPlan } from '../../port/shelves.ts';
import { fromText, optional, type Sync, type Tools, toText } from '../repository.ts';

interface Row {
  readonly plan_hash: string;
  readonly caller: string;
  readonly summary: string;
  readonly proposed_at: number;
  readonly approved_by: string | null;
  readonly approved_at: number | null;
  readonly expires_at: number | null;
}

/** Nobody reads more; a caller who asks without end must not fill the store. */
const MOST_WAITING = 100;

/** Plans that wait for a yes, and those that have it. */
export const approvalsRepository = ({ db, now }: Tools): Sync<Approvals> => ({
  propose({ planHash, caller, summary }) {
    db.run(
      'INSERT OR IGNORE INTO approval (plan_hash, caller, summary, proposed_at) VALUES (?, ?, ?, ?)',
      planHash,
      caller,
      toText(summary),
      now(),
    );
    db.run(
      `DELETE FROM approval WHERE caller = ? AND approved_at IS NULL AND plan_hash NOT IN
        (SELECT plan_hash FROM approval WHERE caller = ? AND approved_at IS NULL ORDER BY proposed_at DESC, plan_hash = ? DESC LIMIT ?)`,
      caller,
      caller,
      planHash,
      MOST_WAITING,
    );
  },
  approve: (planHash, by, ttlMs, caller) =>
    db
      .all<Row>(
        'UPDATE approval SET approved_by = ?, approved_at = ?, expires_at = ? WHERE plan_hash = ? AND caller = coalesce(?, caller) RETURNING *',
        by,
        now(),
        now() + ttlMs,
        planHash,
        optional(caller),
      )
      .map(toPlan),
  consume: (planHash, caller) =>
    db.run('DELETE FROM approval WHERE plan_hash = ? AND caller = ? AND expires_at > ?', planHash, caller, now()) === 1,
  list: () => db.all<Row>('SELECT * FROM approval ORDER BY proposed_at DESC, plan_hash, caller').map(toPlan),
  revoke: (planHash, caller) =>
    db.run('DELETE FROM approval WHERE plan_hash = ? AND caller = coalesce(?, caller)', planHash, optional(caller)),
});

const toPlan = (row: Row): ApprovedPlan => ({
  planHash: row.plan_hash,
  caller: row.caller,
  summary: fromText(row.summary),
  proposedAt: row.proposed_at,
  approvedBy: row.approved_by,
  approvedAt: row.approved_at,
  expiresAt: row.expires_at,
});
