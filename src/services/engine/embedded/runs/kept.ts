import type { Json } from '../../../../core/errors.ts';
import { fromText, type Tools, toText } from '../repository.ts';
import { isSealed } from '../seal.ts';

type Db = Tools['db'];

/** Says what stays of a list when its run is over; the schema sees to the rest. */
export const keepOnly = (db: Db, seq: number, body: Json): void => {
  db.run('INSERT OR REPLACE INTO kept (seq, body) VALUES (?, ?)', seq, toText(body));
};

/** Says so when secrets of the list became known while it ran: until then it stood there as it is. */
export const keepLate = (tools: Tools, seq: number, body: Json): void => {
  const { db, seal } = tools;
  const stored = db.get<{ body: string }>('SELECT body FROM request WHERE seq = ?', seq)?.body ?? 'null';
  if (!isSealed(stored)) {
    db.run('UPDATE request SET body = ? WHERE seq = ?', seal.seal(stored), seq);
    tools.scrub();
  }
  keepOnly(db, seq, body);
};

/** What may be shown of a list that holds secrets; undefined where it holds none, or none any longer. */
export const keptOf = (db: Db, seq: number): Json | undefined => {
  const row = db.get<{ body: string }>('SELECT body FROM kept WHERE seq = ?', seq);
  return row === undefined ? undefined : fromText(row.body);
};

/** Deletes everything about a run but the row itself. */
export const removeParts = (db: Db, seq: number): void => {
  db.run('DELETE FROM node WHERE run_seq = ?', seq);
  db.run('DELETE FROM request WHERE seq = ?', seq);
  db.run('DELETE FROM kept WHERE seq = ?', seq);
};
