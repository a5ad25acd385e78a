import type { Audit, AuditEntry } from '../../port/shelves.ts';
import { fromText, optional, type Sync, type Tools, toText } from '../repository.ts';

interface Row {
  readonly id: number;
  readonly at: number;
  readonly action: string;
  readonly caller: string | null;
  readonly run_id: string | null;
  readonly payload: string;
  readonly result: string | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
}

/** The log of what was done on whose behalf. */
export const auditRepository = ({ db, now }: Tools): Sync<Audit> => ({
  record(entries) {
    for (const { at, action, caller, runId, payload, result, error, durationMs } of entries) {
      db.run(
        'INSERT INTO audit (at, action, caller, run_id, payload, result, error, duration_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        at,
        action,
        optional(caller),
        optional(runId),
        toText(payload),
        result === undefined ? null : toText(result),
        optional(error),
        optional(durationMs),
      );
    }
  },
  recent: (limit) => db.all<Row>('SELECT * FROM audit ORDER BY id DESC LIMIT ?', limit).map(toEntry),
  count: () => db.get<{ rows: number }>('SELECT count(*) AS rows FROM audit')?.rows ?? 0,
  purge: (olderThanMs) => db.run('DELETE FROM audit WHERE at < ?', now() - olderThanMs),
});

const toEntry = (row: Row): Required<AuditEntry> & { readonly id: number } => ({
  id: row.id,
  at: row.at,
  action: row.action,
  caller: row.caller,
  runId: row.run_id,
  payload: fromText(row.payload),
  result: row.result === null ? null : fromText(row.result),
  error: row.error,
  durationMs: row.duration_ms,
});
