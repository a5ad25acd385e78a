import { statSync } from 'node:fs';
import { StoreException } from '../../../core/errors.ts';
import { type Database, openConnection } from '../driver.ts';
import type { Call } from '../embedded/calls.ts';
import { schemaOf } from '../embedded/migrate.ts';
import { MIGRATIONS } from '../embedded/schema.ts';
import { type Answer, openSession } from '../embedded/session.ts';
import { asStoreFault, faultAt } from '../store-fault.ts';

/** Answers calls from a private copy of a store; afterwards the copy is one file that holds all of it. `shown` is what callers call it. */
export const answerIn = (file: string, calls: readonly Call[], shown: string): readonly Answer[] => {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) demandHarmless(file, shown);
  try {
    const session = openSession({ file, isServing: false, isPrivate: false });
    try {
      return session.answer(calls).map((answer) => ('fault' in answer ? { fault: faultAt(answer.fault, shown) } : answer));
    } finally {
      session.close();
    }
  } catch (fault) {
    throw faultAt(fault, shown);
  }
};

/**
 * Whoever may write the file may write anything into it: a table that is a view without end, or a trigger. So its schema must be ours to
 * the letter. A store that was ever served is a service's, under whatever name and however it was copied.
 */
const demandHarmless = (file: string, shown: string): void => {
  let db: Database | undefined;
  try {
    db = openConnection(file, { isReadOnly: true });
    const version = schemaOf(db);
    if (version < 1 || version > MIGRATIONS.length || describe(db) !== ours(version)) throw notOurs(shown);
    if (db.get("SELECT 1 FROM meta WHERE name = 'holder'") !== undefined) throw served(shown);
  } catch (fault) {
    throw faultAt(asStoreFault(fault, shown), shown);
  } finally {
    db?.close();
  }
};

const known = new Map<number, string>();

/** What the schema of a version says, to the letter. */
const ours = (version: number): string => {
  let text = known.get(version);
  if (text === undefined) {
    const db = openConnection(':memory:');
    try {
      for (const step of MIGRATIONS.slice(0, version)) db.exec(step);
      text = describe(db);
    } finally {
      db.close();
    }
    known.set(version, text);
  }
  return text;
};

const describe = (db: Database): string =>
  JSON.stringify(db.all<object>('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').map((row) => ({ ...row })));

const notOurs = (shown: string) =>
  new StoreException(`The database at ${shown} is not a store of factotum; name another file.`, {
    context: { place: shown, fault: 'unreadable' },
  });

const served = (shown: string) =>
  new StoreException(`The store at ${shown} is one that a service has served, so only its owner may use it; name another file.`, {
    context: { place: shown, rule: 'state' },
  });
