import type { TransferState, Transfers } from '../../port/shelves.ts';
import { fromText, type Sync, type Tools, toText } from '../repository.ts';

interface Row {
  readonly key: string;
  readonly state: string;
  readonly updated_at: number;
}

/** How far interrupted transfers got. */
export const transfersRepository = ({ db, now }: Tools): Sync<Transfers> => ({
  put: (key, state) => void db.run('INSERT OR REPLACE INTO transfer (key, state, updated_at) VALUES (?, ?, ?)', key, toText(state), now()),
  get(key) {
    const row = db.get<Row>('SELECT * FROM transfer WHERE key = ?', key);
    return row === undefined ? null : toState(row);
  },
  list: () => db.all<Row>('SELECT * FROM transfer ORDER BY key').map(toState),
  remove: (key) => db.run('DELETE FROM transfer WHERE key = ?', key) === 1,
});

const toState = ({ key, state, updated_at }: Row): TransferState => ({ key, state: fromText(state), updatedAt: updated_at });
