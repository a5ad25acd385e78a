import type { Database } from '../driver.ts';

/** Does work as one change: all of it is kept, or nothing. */
export const transaction = <T>(db: Database, work: () => T): T => {
  db.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    db.exec('COMMIT');
    return value;
  } catch (fault) {
    rollBack(db);
    throw fault;
  }
};

/** SQLite has rolled back by itself after some faults, such as a full disk; then there is nothing left to end. */
const rollBack = (db: Database): void => {
  try {
    db.exec('ROLLBACK');
  } catch {
    // The fault that led here is the one to tell.
  }
};
