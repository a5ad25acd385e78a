import type { Notifications, OutboxMessage } from '../../port/shelves.ts';
import { fromText, type Sync, type Tools, toText } from '../repository.ts';

interface Row {
  readonly id: number;
  readonly sink: string;
  readonly payload: string;
  readonly attempts: number;
  readonly created_at: number;
  readonly due_at: number;
  readonly error: string | null;
}

/** Which messages were sent lately, and those that wait for their sink. A message that is given up has no due time. */
export const notificationsRepository = ({ db, now }: Tools): Sync<Notifications> => ({
  admit(digest, windowMs) {
    const last = db.get<{ sent_at: number; held_back: number }>('SELECT sent_at, held_back FROM sent WHERE digest = ?', digest);
    const heldBack = last?.held_back ?? 0;
    if (last !== undefined && now() >= last.sent_at && now() < last.sent_at + windowMs) {
      db.run('UPDATE sent SET held_back = held_back + 1 WHERE digest = ?', digest);
      return { isNew: false, heldBack: heldBack + 1 };
    }
    db.run('INSERT OR REPLACE INTO sent (digest, sent_at, held_back) VALUES (?, ?, 0)', digest, now());
    return { isNew: true, heldBack };
  },
  forgetAll: () => db.run('DELETE FROM sent'),
  post: (messages) =>
    messages.map(
      ({ sink, payload, dueAt = now() }) =>
        db.insert(
          'INSERT INTO outbox (sink, payload, attempts, created_at, due_at) VALUES (?, ?, 0, ?, ?)',
          sink,
          toText(payload),
          now(),
          dueAt,
        ) ?? 0,
    ),
  due: ({ max, leaseMs }) =>
    db.all<Row>('SELECT * FROM outbox WHERE due_at <= ? ORDER BY due_at, id LIMIT ?', now(), max).map((row) => {
      db.run('UPDATE outbox SET due_at = ?, attempts = attempts + 1 WHERE id = ?', now() + leaseMs, row.id);
      return { ...toMessage(row), attempts: row.attempts + 1 };
    }),
  sent: (id) => void db.run('DELETE FROM outbox WHERE id = ?', id),
  failed: (id, { error, retryAt }) => void db.run('UPDATE outbox SET due_at = ?, error = ? WHERE id = ?', retryAt, error, id),
  waiting: () => db.get<{ rows: number }>('SELECT count(*) AS rows FROM outbox WHERE due_at IS NOT NULL')?.rows ?? 0,
});

const toMessage = (row: Row): OutboxMessage => ({
  id: row.id,
  sink: row.sink,
  payload: fromText(row.payload),
  attempts: row.attempts,
  createdAt: row.created_at,
  dueAt: row.due_at,
  error: row.error,
});
