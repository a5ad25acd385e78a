import type { Pruned, Retention } from '../../port/engine.ts';
import type { Tools } from '../repository.ts';
import { removeParts } from './kept.ts';

/** Deleted at once, so that nobody waits long for the store. */
export const SLICE = 1_000;

/** Deletes one slice of what is older than it may be. Whoever calls goes on until nothing more goes. */
export const pruneSlice = ({ db, now }: Tools, retention: Retention): Pruned => {
  const removeRuns = (states: readonly string[], keepMs: number | undefined): number => {
    if (keepMs === undefined) return 0;
    const before = now() - keepMs;
    const rows = db.all<{ seq: number }>(
      // No run ends before it comes in, and only that time has an index.
      'SELECT seq FROM run WHERE submitted_at < ? AND ended_at < ? AND state IN (SELECT value FROM json_each(?)) LIMIT ?',
      before,
      before,
      JSON.stringify(states),
      SLICE,
    );
    for (const { seq } of rows) {
      removeParts(db, seq);
      db.run('DELETE FROM run WHERE seq = ?', seq);
    }
    return rows.length;
  };
  const remove = (table: string, columns: string, condition: string, keepMs: number | undefined): number =>
    keepMs === undefined
      ? 0
      : db.run(
          `DELETE FROM ${table} WHERE (${columns}) IN (SELECT ${columns} FROM ${table} WHERE ${condition} LIMIT ${SLICE})`,
          now() - keepMs,
        );
  db.run('DELETE FROM lock WHERE until <= ?', now());
  return {
    runs: removeRuns(['ok', 'failed', 'cancelled'], retention.runsMs) + removeRuns(['dead'], retention.deadMs),
    fires: remove('fire', 'name, slot', 'at < ?', retention.firesMs),
    audit: remove('audit', 'id', 'at < ?', retention.auditMs),
    transfers: remove('transfer', 'key', 'updated_at < ?', retention.transfersMs),
    notifications:
      remove('sent', 'digest', 'sent_at < ?', retention.notificationsMs) +
      remove('outbox', 'id', 'due_at IS NULL AND created_at < ?', retention.notificationsMs),
    approvals: remove('approval', 'plan_hash, caller', 'proposed_at < ?', retention.approvalsMs),
  };
};
