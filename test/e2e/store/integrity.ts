import { openConnection } from '../../../src/services/engine/driver.ts';

/** What SQLite finds wrong in a database; `ok` when nothing is. */
export const integrityOf = (file: string): string => {
  const db = openConnection(file);
  try {
    return db
      .all<{ integrity_check: string }>('PRAGMA integrity_check')
      .map((row) => row.integrity_check)
      .join('\n');
  } finally {
    db.close();
  }
};
