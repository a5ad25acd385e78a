import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { adoptDirectory } from '../../../lib/fs/adopt-directory.ts';
import { makeDirectories } from '../../../lib/fs/make-directories.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';
import type { FinishedRun, RunId } from '../port/runs.ts';
import type { UndoEntry } from '../port/shelves.ts';
import { asStoreFault } from '../store-fault.ts';
import { JOURNAL_ENDING, pathIn, RUN_ENDING } from './place.ts';
import { interrupted, isBeingWritten, readJournal } from './read-journal.ts';
import { readSpooled } from './read-spooled.ts';

/** A run that a one-shot has left, and how to undo it. */
export interface SpooledRun {
  readonly run: FinishedRun;
  readonly undo: readonly UndoEntry[];
}

/** Runs that one-shots have left for whoever opens the store next. */
export interface Spool {
  /** Hands over what lies there and takes it away afterwards. A run that comes twice, because somebody was killed in between, must change nothing. */
  takeIn(record: (runs: readonly SpooledRun[]) => Promise<void>): Promise<void>;
}

/** Runs read at once, so that a long absence needs no more memory than a short one. */
const SLICE = 100;

/** The spool of a state directory, from the side that takes in. */
export const openSpool = (stateDirectory: string, now: () => number): Spool => {
  const directory = pathIn(stateDirectory);

  /** What is no run is put away and kept. */
  const putAside = async (name: string): Promise<undefined> => {
    makeDirectories(join(directory, 'unreadable'), 0o700);
    await unlessGone(rename(join(directory, name), join(directory, 'unreadable', name)));
  };

  const readRun = async (id: RunId): Promise<FinishedRun | undefined> => {
    const name = `${id}${RUN_ENDING}`;
    const text = await unlessGone(readFile(join(directory, name), 'utf8'));
    return text === undefined ? undefined : (readSpooled(text, id) ?? (await putAside(name)));
  };

  /** A run that has a journal and no record. Its process may be at work, may have been killed, or may have ended well just now. */
  const readUnrecorded = async (id: RunId): Promise<SpooledRun | undefined> => {
    const name = `${id}${JOURNAL_ENDING}`;
    const file = join(directory, name);
    if (await isBeingWritten(file, now())) return undefined;
    const run = await readRun(id);
    const journal = readJournal(await readFile(file, 'utf8'));
    if (run !== undefined) return { run, undo: journal?.entries ?? [] };
    if (journal?.run.runId !== id) return putAside(name);
    return { run: interrupted(journal, (await stat(file)).mtimeMs), undo: journal.entries };
  };

  const readOne = async (id: RunId): Promise<SpooledRun | undefined> => {
    const run = await readRun(id); // before the journal, which is whole once the run is there
    if (run === undefined) return unlessGone(readUnrecorded(id));
    const journal = await unlessGone(readFile(join(directory, `${id}${JOURNAL_ENDING}`), 'utf8'));
    return { run, undo: journal === undefined ? [] : (readJournal(journal)?.entries ?? []) };
  };

  const remove = async ({ run: { runId } }: SpooledRun): Promise<void> => {
    for (const ending of [RUN_ENDING, JOURNAL_ENDING]) await rm(join(directory, `${runId}${ending}`), { force: true });
  };

  const takeSlice = async (ids: readonly RunId[], record: (runs: readonly SpooledRun[]) => Promise<void>): Promise<void> => {
    const runs = (await Promise.all(ids.map(readOne))).filter((each) => each !== undefined);
    if (runs.length === 0) return;
    await record(runs);
    await Promise.all(runs.map(remove));
  };

  return {
    async takeIn(record) {
      try {
        await adoptDirectory(join(stateDirectory, 'spool'), directory);
        const ids = idsOf((await unlessGone(readdir(directory))) ?? []);
        for (let at = 0; at < ids.length; at += SLICE) await takeSlice(ids.slice(at, at + SLICE), record);
      } catch (fault) {
        throw asStoreFault(fault, directory);
      }
    },
  };
};

/** Another opener may have taken it. */
const unlessGone = async <T>(reading: Promise<T>): Promise<T | undefined> => {
  try {
    return await reading;
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return undefined;
    throw fault;
  }
};

const ENDINGS = [RUN_ENDING, JOURNAL_ENDING];

const idsOf = (names: readonly string[]): readonly RunId[] => {
  const ids = names.flatMap((name) => ENDINGS.filter((ending) => name.endsWith(ending)).map((ending) => name.slice(0, -ending.length)));
  return [...new Set(ids)].sort();
};
