import type { States } from '../../port/shelves.ts';
import { fromText, type Sync, type Tools, toText } from '../repository.ts';

/** What services keep under a kind of their own and a name. */
export const statesRepository = ({ db }: Tools): Sync<States> => ({
  put: (kind, name, state) => void db.run('INSERT OR REPLACE INTO state (kind, name, state) VALUES (?, ?, ?)', kind, name, toText(state)),
  get(kind, name) {
    const row = db.get<{ state: string }>('SELECT state FROM state WHERE kind = ? AND name = ?', kind, name);
    return row === undefined ? null : fromText(row.state);
  },
  swap(kind, name, before, after) {
    if (before === null && after === null) return true;
    if (before === null)
      return (
        db.run(
          `INSERT INTO state (kind, name, state) VALUES (?, ?, ?)
            ON CONFLICT (kind, name) DO UPDATE SET state = excluded.state WHERE state.state = 'null'`,
          kind,
          name,
          toText(after),
        ) === 1
      );
    if (after === null) return db.run('DELETE FROM state WHERE kind = ? AND name = ? AND state = ?', kind, name, toText(before)) === 1;
    return db.run('UPDATE state SET state = ? WHERE kind = ? AND name = ? AND state = ?', toText(after), kind, name, toText(before)) === 1;
  },
  list: (kind) =>
    db
      .all<{ name: string; state: string }>('SELECT name, state FROM state WHERE kind = ? ORDER BY name', kind)
      .map(({ name, state }) => ({ name, state: fromText(state) })),
  remove: (kind, name) => db.run('DELETE FROM state WHERE kind = ? AND name = ?', kind, name) === 1,
});
