import { QuotaExceededException } from '../../../../core/errors.ts';
import { OWNER_NAME } from '../../../../core/reach.ts';
import type { RunFacts } from '../../port/runs.ts';
import type { Tools } from '../repository.ts';
import { removeParts } from './kept.ts';

// What the store keeps for callers with a share of it. For all others, such as the owner, nothing is counted: they have no row.

/** Runs that are deleted before it is asked again whether there is room. */
const SLICE = 100;
/** About what a run takes beside its texts: its row, and what finds it. */
const RUN_BYTES = 500;
/** Room is made for some more than is needed, so that it is not made at every run. */
const FILLED = 0.9;

type Db = Tools['db'];

/** Says how much a caller may have; nothing is counted for one of whom that was never said. */
export const tellShare = ({ db }: Tools, { caller, share }: Pick<RunFacts, 'caller' | 'share'>): void => {
  if (share === undefined) return;
  db.run(
    'INSERT INTO caller_bytes (caller, bytes, most) VALUES (?, 0, ?) ON CONFLICT DO UPDATE SET most = excluded.most WHERE most <> excluded.most',
    caller,
    share.storedBytes,
  );
};

/** Refuses a run that would wait behind too many others of its caller. */
export const demandPlace = ({ db }: Tools, { caller, share }: Pick<RunFacts, 'caller' | 'share'>): void => {
  if (share === undefined) return;
  const waiting = db.get<{ rows: number }>("SELECT count(*) AS rows FROM run WHERE state = 'queued' AND caller = ?", caller)?.rows ?? 0;
  if (waiting >= share.queued) throw overShare('max_queued');
};

/** Counts what is kept of a run now; of one that is larger than all its caller may have, values and what came with them go. */
export const countRun = ({ db }: Tools, { seq, caller }: { readonly seq: number; readonly caller: string }): void => {
  if (caller === OWNER_NAME) return;
  const most = db.get<{ most: number }>('SELECT most FROM caller_bytes WHERE caller = ?', caller)?.most;
  if (most === undefined) return;
  let bytes = bytesOf(db, seq);
  if (bytes > most) {
    db.run('UPDATE node SET result = NULL, detail = NULL, truncated = 1 WHERE run_seq = ?', seq);
    bytes = bytesOf(db, seq);
  }
  db.run(
    'INSERT INTO run_bytes (seq, caller, bytes) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes',
    seq,
    caller,
    bytes,
  );
};

/** Adds to what is counted of a run, or takes from it; one that is not recorded yet is counted when it is. */
export const addToRun = ({ db }: Tools, runId: string, bytes: number): void => {
  db.run('UPDATE run_bytes SET bytes = max(0, bytes + ?) WHERE seq = (SELECT seq FROM run WHERE run_id = ?)', bytes, runId);
};

/** Deletes the oldest finished runs of a caller that has too much, with their lines of the audit log; what goes on or is to be undone stays. */
export const makeRoom = ({ db }: Tools, caller: string, { but = 0 }: { readonly but?: number } = {}): void => {
  if (caller === OWNER_NAME || overOf(db, caller) <= 0) return;
  const isEnough = () => overOf(db, caller, FILLED) <= 0;
  while (!isEnough()) {
    const runs = db.all<{ seq: number; run_id: string; submitted_at: number }>(
      `SELECT seq, run_id, submitted_at FROM run
       WHERE caller = ? AND state IN ('ok', 'failed', 'cancelled') AND seq <> ?
         AND NOT EXISTS (SELECT 1 FROM undo WHERE undo.run_id = run.run_id AND undo.state = 'pending' AND undo.bytes > 0)
       ORDER BY submitted_at, seq LIMIT ?`,
      caller,
      but,
      SLICE,
    );
    for (const { seq, run_id, submitted_at } of runs) {
      removeParts(db, seq);
      db.run('DELETE FROM undo WHERE run_id = ?', run_id);
      db.run('DELETE FROM run WHERE seq = ?', seq);
      db.run(`DELETE FROM audit WHERE ${OF_LIMITED} AND caller = ? AND at <= ?`, caller, submitted_at);
      if (isEnough()) return;
    }
    if (runs.length < SLICE && !removeLines(db, caller)) return;
  }
};

/** The same for one that still has too much then: nothing more is taken from it. */
export const demandRoom = (tools: Tools, caller: string): void => {
  makeRoom(tools, caller);
  if (overOf(tools.db, caller) > 0) throw overShare('max_stored_mb');
};

/** Which lines of the audit log are counted, in the words of their index. */
const OF_LIMITED = "caller <> 'owner'";

const removeLines = (db: Db, caller: string): boolean =>
  db.run(`DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE ${OF_LIMITED} AND caller = ? ORDER BY at LIMIT ?)`, caller, SLICE) > 0;

const overOf = (db: Db, caller: string, part = 1): number =>
  db.get<{ over: number }>('SELECT bytes - most * ? AS over FROM caller_bytes WHERE caller = ?', part, caller)?.over ?? 0;

const bytesOf = (db: Db, seq: number): number => {
  const sum = (query: string) => db.get<{ bytes: number }>(query, seq)?.bytes ?? 0;
  return (
    RUN_BYTES +
    sum('SELECT length(CAST(body AS BLOB)) + length(CAST(options AS BLOB)) AS bytes FROM request WHERE seq = ?') +
    sum(`SELECT total(100 + coalesce(length(CAST(result AS BLOB)), 0) + coalesce(length(CAST(error AS BLOB)), 0)
           + coalesce(length(CAST(detail AS BLOB)), 0)) AS bytes FROM node WHERE run_seq = ?`) +
    sum('SELECT total(bytes + length(inverse)) AS bytes FROM undo WHERE run_id = (SELECT run_id FROM run WHERE seq = ?)')
  );
};

/** Named by what the configuration calls it; whoever knows the caller says the rest. */
const overShare = (limit: string): QuotaExceededException =>
  new QuotaExceededException(`The caller has as much in the store as it may; raise ${limit}.`, { context: { limit }, retryable: true });
