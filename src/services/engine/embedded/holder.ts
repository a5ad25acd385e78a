import { hostname } from 'node:os';
import { StoreException } from '../../../core/errors.ts';
import { type Database, openConnection } from '../driver.ts';
import { storeFaultKind } from '../store-fault.ts';
import { makeFile } from './private-files.ts';
import { fromText } from './repository.ts';

/** The right to serve a store. */
export interface ServingLock {
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/**
 * Takes the right to serve a store, or refuses and names who has it. The lock is one of the system's on a file beside the store: it
 * goes with the process however that ends, so a holder that was killed is never in the way, even if its number is in use again.
 */
export const takeServingLock = (store: Database, file: string): ServingLock => {
  const lockFile = `${file}-serving`;
  makeFile(lockFile);
  const lock = openConnection(lockFile, { busyTimeoutMs: 0 });
  try {
    exclude(lock, () => alreadyServed(file, holderOf(store)));
    introduce(store);
  } catch (fault) {
    lock.close();
    throw fault;
  }
  return { release: () => lock.close() };
};

const exclude = (lock: Database, refusal: () => StoreException): void => {
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (fault) {
    throw storeFaultKind(fault) === 'busy' ? refusal() : fault;
  }
};

/** Writes down who serves, for those that are refused. A full disk prevents that, and not serving what is there. */
const introduce = (db: Database): void => {
  const holder: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  try {
    db.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('holder', ?)", JSON.stringify(holder));
  } catch (fault) {
    if (storeFaultKind(fault) !== 'full') throw fault;
  }
};

const holderOf = (db: Database): Holder | undefined => {
  const row = db.get<{ value: string }>("SELECT value FROM meta WHERE name = 'holder'");
  return row === undefined ? undefined : fromText<Holder>(row.value);
};

const alreadyServed = (file: string, holder: Holder | undefined): StoreException => {
  const who = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host} since ${holder.since}`;
  return new StoreException(`The store at ${file} is served by ${who}; stop that one, or name another store.`, {
    context: { place: file, ...(holder !== undefined && { pid: holder.pid, host: holder.host, since: holder.since }) },
  });
};
