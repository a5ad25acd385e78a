import { StoreException } from '../../../core/errors.ts';
import type { Database } from '../driver.ts';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';
import { transaction } from './transaction.ts';

/** Brings a database up to date. Processes that meet here wait for each other; a newer database is refused untouched. */
export const migrate = (db: Database, place: string, steps: readonly string[] = MIGRATIONS): void => {
  while (schemaOf(db) !== steps.length) {
    transaction(db, () => {
      const version = schemaOf(db); // again, now that nobody else can change it
      const step = steps[version];
      if (step === undefined) return demandKnown(db, place, steps);
      db.exec(step);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version + 1}`);
    });
  }
};

/** The number of steps a database has behind it. */
export const schemaOf = (db: Database): number => db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;

/** Refuses a store that a newer version has made. */
export const demandKnown = (db: Database, place: string, steps: readonly string[] = MIGRATIONS): void => {
  const version = schemaOf(db);
  if (version > steps.length) throw tooNew(place, version, steps.length);
};

/** Refuses a database that somebody else made, before anything is changed in it. */
export const demandOurs = (db: Database, place: string): void => {
  const version = schemaOf(db);
  const id = db.get<{ application_id: number }>('PRAGMA application_id')?.application_id ?? 0;
  const isFresh = version === 0 && id === 0 && db.get('SELECT 1 FROM sqlite_schema LIMIT 1') === undefined;
  if (isFresh || (id === APPLICATION_ID && version > 0)) return;
  throw new StoreException(`The database at ${place} is not a store of factotum; name another file.`, {
    context: { place, fault: 'unreadable' },
  });
};

const tooNew = (place: string, found: number, known: number): StoreException =>
  new StoreException(
    `The store at ${place} has schema ${found} and this version of factotum knows up to ${known}; use the newer factotum that wrote it.`,
    { context: { place, found, known } },
  );
