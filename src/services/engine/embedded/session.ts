import { statSync } from 'node:fs';
import type { Database } from '../driver.ts';
import { asStoreFault, leavesReading, movedFault, storeFaultKind } from '../store-fault.ts';
import { type Call, type CallKind, kindOf } from './calls.ts';
import { type ServingLock, takeServingLock } from './holder.ts';
import { type OpenDatabase, openDatabase, openToRead, type Place } from './open-database.ts';
import { createRepositories, type Repositories } from './repositories.ts';
import type { Tools } from './repository.ts';
import { sweepDrafts } from './runs/drafts.ts';
import { keyFileOf, sealBy, UNSEALED } from './seal.ts';
import { sealOld } from './seal-old.ts';
import { transaction } from './transaction.ts';

export type Answer = { readonly value: unknown } | { readonly fault: unknown };

/** An open store on the thread that asks. */
export interface Session {
  /** Answers calls in their order. All that change something are one commit: when this returns they are as durable as their kind. */
  answer(calls: readonly Call[]): Answer[];
  close(): void;
}

export interface SessionOptions extends Place {
  /** Keeps every other serving instance away. */
  readonly isServing: boolean;
  /** Reads beside a writer that has opened the store before. */
  readonly isReader?: boolean;
}

/** Faults of the whole store rather than of one call: nothing of the commit can stay. */
const OF_THE_STORE: ReadonlySet<string | undefined> = new Set(['full', 'read_only', 'busy', 'damaged', 'device', 'no_access']);

/** Opens the store; where its disk is full or read-only, for reading. */
export const openSession = (options: SessionOptions): Session => {
  const { file } = options;
  let opened: OpenDatabase;
  let repositories: Repositories;
  let serving: ServingLock | undefined;
  let now = 0;
  let writeFault: string | null = null;
  let synchronous: 'FULL' | 'NORMAL' | undefined;
  let openedFile: string | undefined;
  const isSealing = options.isPrivate && file !== ':memory:';
  const seal = isSealing ? sealBy(keyFileOf(file)) : UNSEALED;
  let needsScrub = false;

  /** Where nothing can be written nobody is in anybody's way, so only a writable store needs the lock. */
  const settleIn = (found: OpenDatabase) => {
    try {
      if (options.isServing && !found.isReadOnly && file !== ':memory:') serving ??= takeServingLock(found.db, file);
    } catch (fault) {
      found.db.close();
      throw fault;
    }
    opened = found;
    openedFile = identityOf(file);
    synchronous = undefined;
    const tools = {
      db: found.db,
      seal,
      scrub: () => {
        needsScrub = true;
      },
      now: () => now,
      condition: () => ({ isWritable: !found.isReadOnly, reason: found.reason ?? writeFault, place: file }),
    };
    repositories = createRepositories(tools);
    if (!found.isReadOnly) tidyUp(tools);
  };

  /** Where that fails, as on a full disk, the next opener tries again. */
  const tidyUp = (tools: Pick<Tools, 'db' | 'seal'>) => {
    try {
      if (isSealing && sealOld(tools)) needsScrub = true;
      if (options.isServing) transaction(tools.db, () => sweepDrafts(tools));
    } catch (fault) {
      if (!leavesReading(fault) && storeFaultKind(fault) !== 'busy') throw fault;
    }
  };

  settleIn(options.isReader ? openToRead(file) : openDatabase(options));

  const perform = (call: Call): unknown => {
    ({ now } = call);
    // The types of names and arguments end where calls travel as messages; `KINDS` lists exactly the methods there are.
    const shelf = repositories[call.shelf] as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
    return shelf[call.method]?.(...call.args);
  };

  const attempt = (call: Call): Answer => {
    try {
      return { value: perform(call) };
    } catch (fault) {
      return { fault: asStoreFault(fault, file) };
    }
  };

  /** A store that was opened for reading is tried again: there may be room by now. */
  const demandWritable = () => {
    const before = opened;
    if (!before.isReadOnly) return;
    const again = openDatabase(options);
    if (again.isReadOnly) {
      again.db.close();
      throw asStoreFault(again.fault, file);
    }
    settleIn(again);
    before.db.close();
  };

  /** SQLite goes on writing to a file that nobody can find any more. */
  const demandInPlace = () => {
    if (identityOf(file) !== openedFile) throw movedFault(file);
  };

  const demandSync = (kinds: readonly CallKind[]) => {
    const wanted = kinds.includes('promise') ? 'FULL' : 'NORMAL';
    if (wanted !== synchronous) opened.db.exec(`PRAGMA synchronous = ${wanted}`);
    synchronous = wanted;
  };

  const commit = (calls: readonly Call[]): Answer[] => {
    try {
      demandWritable();
      demandInPlace();
      demandSync(calls.map(kindOf));
      const answers = transaction(opened.db, () => calls.map((call) => inSavepoint(opened.db, () => attempt(call))));
      writeFault = null;
      if (needsScrub) needsScrub = !emptyLog(opened.db);
      return answers;
    } catch (caught) {
      const fault = asStoreFault(caught, file);
      writeFault = fault.message;
      return calls.map(() => ({ fault }));
    }
  };

  return {
    answer(calls) {
      const writes = calls.filter((call) => kindOf(call) !== 'read');
      const written = writes.length === 0 ? [] : commit(writes);
      const answers = new Map(writes.map((call, at) => [call, written[at]]));
      return calls.map((call) => answers.get(call) ?? attempt(call));
    },
    close() {
      if (!opened.isReadOnly) emptyLog(opened.db);
      opened.db.close();
      serving?.release();
    },
  };
};

/** Which file a path leads to; undefined where there is none, as for a database in memory. */
const identityOf = (file: string): string | undefined => {
  const found = file === ':memory:' ? undefined : statSync(file, { throwIfNoEntry: false });
  return found && `${found.dev}-${found.ino}`;
};

/** Moves everything into the database itself, so that the file can be copied and read on its own; false where others are in the way. */
const emptyLog = (db: Database): boolean => {
  try {
    return db.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0;
  } catch (fault) {
    if (!leavesReading(fault) && storeFaultKind(fault) !== 'busy') throw fault; // then the log keeps it, for the next opener
    return false;
  }
};

/** A call that fails leaves nothing behind and does not touch its neighbours. */
const inSavepoint = (db: Database, work: () => Answer): Answer => {
  db.run('SAVEPOINT call');
  const answer = work();
  if ('fault' in answer) {
    if (OF_THE_STORE.has(storeFaultKind(answer.fault))) throw answer.fault;
    db.run('ROLLBACK TO call');
  }
  db.run('RELEASE call');
  return answer;
};
