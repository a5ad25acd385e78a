import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Database, openConnection } from '../driver.ts';
import { asStoreFault } from '../store-fault.ts';
import { demandKnown, demandOurs } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { demandPrivate } from './private-files.ts';

/**
 * Looks whether this version of factotum can work with a store, or make one: throws what stands in the way. Unlike opening it, this
 * brings nothing up to date.
 */
export const examineStore = (file: string): void => {
  if (!existsSync(file)) {
    openDatabase({ file: ':memory:', isPrivate: false }).db.close(); // whether there is a SQLite that can do all that a store needs
    return;
  }
  let db: Database | undefined;
  try {
    demandPrivate(dirname(file));
    accessSync(file, constants.R_OK | constants.W_OK); // SQLite would say less
    // It could write, so that SQLite takes the files beside the store away again.
    db = openConnection(`${pathToFileURL(file).href}?mode=rw`);
    demandOurs(db, file);
    demandKnown(db, file);
  } catch (fault) {
    throw asStoreFault(fault, file);
  } finally {
    db?.close();
  }
};
