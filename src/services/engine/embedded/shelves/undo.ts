import type { Undo, UndoEntry, UndoState } from '../../port/shelves.ts';
import { fromText, type Sync, type Tools, toText } from '../repository.ts';
import { addToRun } from '../runs/stored-bytes.ts';

interface Row {
  readonly number: number;
  readonly idx: number;
  readonly inverse: string;
  readonly bytes: number;
  readonly state: UndoState;
}

/** Of a tree its record says how many there are. */
const KEPT_FILES = "coalesce(json_extract(inverse, '$.kept.files'), json_type(inverse, '$.kept') IS NOT NULL)";

/** The inverse of every change, in the order the changes were made. */
export const undoRepository = (tools: Tools): Sync<Undo> => {
  const { db, now } = tools;
  return {
    append(runId, entries) {
      addToRun(tools, runId, sizeOf(entries));
      return entries.reduce(
        (_, { index, inverse, bytes }) =>
          db.insert(
            "INSERT INTO undo (run_id, idx, inverse, bytes, state, at) VALUES (?, ?, ?, ?, 'pending', ?)",
            runId,
            index,
            toText(inverse),
            bytes,
            now(),
          ) ?? 0,
        0,
      );
    },
    list: (runId) =>
      db.all<Row>('SELECT number, idx, inverse, bytes, state FROM undo WHERE run_id = ? ORDER BY number DESC', runId).map((row) => ({
        number: row.number,
        index: row.idx,
        inverse: fromText(row.inverse),
        bytes: row.bytes,
        state: row.state,
      })),
    mark(runId, numbers, state) {
      for (const number of numbers) db.run('UPDATE undo SET state = ? WHERE number = ? AND run_id = ?', state, number, runId);
    },
    usage() {
      const runs = db.all<{ runId: string; caller: string | null; bytes: number; files: number; at: number }>(
        `SELECT run_id AS runId, sum(iif(state = 'undone', 0, bytes)) AS bytes, sum(iif(state = 'undone', 0, ${KEPT_FILES})) AS files,
        min(at) AS at, (SELECT caller FROM run WHERE run.run_id = undo.run_id) AS caller FROM undo GROUP BY run_id ORDER BY min(number)`,
      );
      const sum = (of: 'bytes' | 'files') => runs.reduce((all, run) => all + run[of], 0);
      return { bytes: sum('bytes'), files: sum('files'), runs };
    },
    remove(runId) {
      const kept =
        db.get<{ bytes: number }>('SELECT total(bytes + length(inverse)) AS bytes FROM undo WHERE run_id = ?', runId)?.bytes ?? 0;
      addToRun(tools, runId, -kept);
      return db.run('DELETE FROM undo WHERE run_id = ?', runId);
    },
  };
};

const sizeOf = (entries: readonly UndoEntry[]): number =>
  entries.reduce((sum, { bytes, inverse }) => sum + bytes + toText(inverse).length, 0);
