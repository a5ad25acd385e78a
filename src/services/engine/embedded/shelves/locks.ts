import type { Locks, StoredLock } from '../../port/shelves.ts';
import { advance, type Sync, type Tools } from '../repository.ts';

interface Row {
  readonly name: string;
  readonly owner: string;
  readonly fence: number;
  readonly until: number | null;
}

/** Locks with an end and a fence. One counter gives the fences of all names, so that a released lock leaves nothing behind. */
export const locksRepository = (tools: Tools): Sync<Locks> => {
  const { db, now } = tools;
  const held = (name: string): Row | undefined =>
    db.get<Row>('SELECT * FROM lock WHERE name = ? AND (until IS NULL OR until > ?)', name, now());
  const endOf = (ttlMs: number | null) => (ttlMs === null ? null : now() + ttlMs);
  const write = (row: Row): StoredLock => {
    db.run('INSERT OR REPLACE INTO lock (name, owner, fence, until) VALUES (?, ?, ?, ?)', row.name, row.owner, row.fence, row.until);
    return toLock(row);
  };
  return {
    acquire({ name, owner, ttlMs }) {
      const current = held(name);
      if (current !== undefined && current.owner !== owner) return null;
      return write({ name, owner, fence: current?.fence ?? advance(tools, 'fence'), until: endOf(ttlMs) });
    },
    refresh({ name, owner, ttlMs }) {
      const current = held(name);
      return current?.owner === owner ? write({ ...current, until: endOf(ttlMs) }) : null;
    },
    release({ name, owner }) {
      if (held(name)?.owner !== owner) return false;
      return db.run('DELETE FROM lock WHERE name = ?', name) === 1;
    },
    get(name) {
      const row = held(name);
      return row === undefined ? null : toLock(row);
    },
    list: () => db.all<Row>('SELECT * FROM lock WHERE until IS NULL OR until > ? ORDER BY name', now()).map(toLock),
  };
};

const toLock = ({ name, owner, fence, until }: Row): StoredLock => ({ name, owner, fence, expiresAt: until });
