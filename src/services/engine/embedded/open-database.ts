import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StoreException } from '../../../core/errors.ts';
import { type Database, openConnection } from '../driver.ts';
import { asStoreFault, leavesReading } from '../store-fault.ts';
import { demandOurs, migrate, schemaOf } from './migrate.ts';
import { demandPrivate, makeFile, makePrivateDirectory } from './private-files.ts';

/** Where a store lies. */
export interface Place {
  /** A path, or `:memory:`. */
  readonly file: string;
  /** The directory is the store's own: made for the owner alone, and refused when others can look in. */
  readonly isPrivate: boolean;
  /** Nothing is made there: an empty file counts as an empty store and stays one. */
  readonly isOnlyRead?: boolean;
}

export type OpenDatabase =
  | { readonly db: Database; readonly isReadOnly: false; readonly reason: null }
  | { readonly db: Database; readonly isReadOnly: true; readonly reason: string; readonly fault: unknown };

/** Opens the database, making it where there is none; where that cannot be written, what is there can still be read. */
export const openDatabase = (place: Place): OpenDatabase => {
  try {
    return { db: place.isOnlyRead ? openToLook(place.file) : openForWriting(place), isReadOnly: false, reason: null };
  } catch (caught) {
    const fault = asStoreFault(caught, place.file);
    if (!leavesReading(fault)) throw fault;
    const db = openForReading(place.file);
    if (db === undefined) throw fault;
    return { db, isReadOnly: true, reason: fault.message, fault };
  }
};

const openForWriting = ({ file, isPrivate }: Place): Database => {
  if (file !== ':memory:') {
    if (isPrivate) makePrivateDirectory(dirname(file));
    makeFile(file);
    if (isPrivate) demandPrivate(file);
  }
  const db = openConnection(file);
  try {
    demandOurs(db, file);
    // Readers never wait for the writer, and a commit is one append.
    db.exec('PRAGMA journal_mode = WAL');
    // What is deleted is gone from the file too, so that old secrets do not lie in its gaps.
    db.exec('PRAGMA secure_delete = ON');
    migrate(db, file);
    return db;
  } catch (fault) {
    db.close();
    throw fault;
  }
};

/**
 * Opens what is there, and changes nothing. SQLite could not tidy up behind a connection that only reads, so this one could write: it
 * takes the files beside a store away again. A store of an older version is brought up to date, since it cannot be read otherwise.
 */
const openToLook = (file: string): Database => {
  accessSync(file, constants.R_OK | constants.W_OK); // SQLite would say less
  const db = openConnection(`${pathToFileURL(file).href}?mode=rw`);
  try {
    demandOurs(db, file);
    if (schemaOf(db) > 0) {
      migrate(db, file);
      db.exec('PRAGMA query_only = ON');
      return db;
    }
  } catch (fault) {
    db.close();
    throw fault;
  }
  db.close();
  return openForWriting({ file: ':memory:', isPrivate: false });
};

/** Opens a database that is open for writing elsewhere. */
export const openToRead = (file: string): OpenDatabase => {
  const db = openConnection(file, { isReadOnly: true });
  try {
    demandOurs(db, file);
    return { db, isReadOnly: true, reason: BESIDE, fault: new StoreException(BESIDE, { context: { place: file } }) };
  } catch (fault) {
    db.close();
    throw fault;
  }
};

const BESIDE = 'This connection only reads; the writer of the store takes changes.';

/** On a read-only disk SQLite cannot make the files that readers share; nobody else writes there, so they are not needed. */
const openForReading = (file: string): Database | undefined => {
  for (const location of [file, `${pathToFileURL(file).href}?immutable=1`]) {
    let db: Database | undefined;
    try {
      db = openConnection(location, { isReadOnly: true });
      demandOurs(db, file);
      db.get('SELECT seq FROM run LIMIT 1');
      return db;
    } catch {
      db?.close(); // the fault that writing met is the one to tell
    }
  }
  return undefined;
};
