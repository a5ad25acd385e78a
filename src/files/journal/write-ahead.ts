import { closeSync, openSync, unlinkSync } from 'node:fs';
import { readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { adoptDirectory } from '../../lib/fs/adopt-directory.ts';
import { appendWhole } from '../../lib/fs/append-whole.ts';
import { translate } from '../../lib/fs/faults.ts';
import { makeDirectories } from '../../lib/fs/make-directories.ts';
import { ownDirectoryName } from '../../lib/fs/own-names.ts';
import { isAbandoned, newPartName } from '../../lib/fs/part-name.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import type { JournalEntry } from './inverse.ts';

export interface WriteAheadOptions {
  readonly stateDirectory: string;
  /** Takes entries of a run into the store, after those that are there. */
  store(runId: string, entries: readonly JournalEntry[]): Promise<unknown>;
}

/**
 * Entries on their way to the store. One change has few, and a store that is asked before each would double the cost of a small file:
 * they are written to a file of the run, which survives the end of the process as well, and handed over many at a time.
 */
export interface WriteAhead {
  /** What it returns from, or its promise, survives the end of the process. */
  append(runId: string, entries: readonly JournalEntry[]): void | Promise<void>;
  /** Hands over the entries of a run; those that the store did not take before are tried again. */
  flush(runId: string): Promise<void>;
  /** Hands them over after what is on its way to the store now, such as the record of the run, for which somebody waits. */
  flushSoon(runId: string): void;
  /** The same store, for whoever undoes: it knows of entries on their way. */
  seenThrough<E>(list: (runId: string) => Promise<E>): (runId: string) => Promise<E>;
  /** Hands over what killed processes have left; call it before anything is undone. */
  takeIn(): Promise<void>;
}

/** From so many on, one question to the store costs less than the file. */
const MANY = 100;
/** What waits in memory for the store. */
const MAX_WAITING = 1_000;

interface Waiting {
  readonly path: string;
  readonly file: number;
  size: number;
  readonly entries: JournalEntry[];
}

export const createWriteAhead = ({ stateDirectory, store }: WriteAheadOptions): WriteAhead => {
  const directory = join(stateDirectory, ownDirectoryName('journals'));
  const waiting = new Map<string, Waiting>();
  /** The last handing over of each run: they keep their order. */
  const handing = new Map<string, Promise<void>>();
  /** What the store did not take. */
  const refused = new Map<string, Waiting[]>();

  const open = (runId: string): Waiting => {
    makeDirectories(directory, 0o700);
    const path = join(directory, `${runId}${newPartName()}`);
    const opened = { path, file: openSync(path, 'ax', 0o600), size: 0, entries: [] };
    waiting.set(runId, opened);
    return opened;
  };

  /** After what is being handed over already. Where the store fails the file stays, for the next try or whoever takes it in later. */
  const handOver = (runId: string, more: readonly JournalEntry[]): Promise<void> => {
    const written = waiting.get(runId);
    waiting.delete(runId);
    const before = handing.get(runId);
    if (written !== undefined) closeSync(written.file);
    const work = async () => {
      await before?.catch(() => {}); // told to whoever asked for it
      const files = [...(refused.get(runId) ?? []), ...(written === undefined ? [] : [written])];
      refused.set(runId, files);
      const entries = [...files.flatMap((file) => file.entries), ...more];
      if (entries.length > 0) await store(runId, entries);
      refused.delete(runId);
      for (const { path } of files) unlinkSync(path);
    };
    const done = work().finally(() => {
      if (handing.get(runId) === done) handing.delete(runId);
    });
    handing.set(runId, done);
    return done;
  };

  return {
    append(runId, entries) {
      if (entries.length >= MANY) return handOver(runId, entries);
      const written = waiting.get(runId) ?? open(runId);
      written.size = appendWhole(written.file, Buffer.from(linesOf(entries)), written.size);
      written.entries.push(...entries);
      return written.entries.length < MAX_WAITING ? undefined : handOver(runId, []);
    },
    flush: (runId) => handOver(runId, []),
    // What the store does not take stays in its file.
    flushSoon: (runId) => void setImmediate(() => void handOver(runId, []).catch(() => {})),
    seenThrough: (list) => async (runId) => {
      await handOver(runId, []);
      return list(runId);
    },
    async takeIn() {
      try {
        await adoptDirectory(join(stateDirectory, 'journals'), directory);
        const names = await readdir(directory).catch(noneIfMissing);
        for (const name of names.filter((each) => isAbandoned(each.slice(runIdIn(each).length)))) {
          const path = join(directory, name);
          const entries = entriesIn(await readFile(path, 'utf8'));
          if (entries.length > 0) await store(runIdIn(name), entries);
          await unlink(path);
        }
      } catch (fault) {
        throw translate(fault, { path: directory });
      }
    },
  };
};

const linesOf = (entries: readonly JournalEntry[]): string => {
  let lines = '';
  for (const entry of entries) lines += `${JSON.stringify(entry)}\n`;
  return lines;
};

const runIdIn = (name: string): string => name.slice(0, Math.max(0, name.indexOf('.factotum-')));

const noneIfMissing = (fault: unknown): string[] => {
  if (codeOf(fault) !== 'ENOENT') throw fault;
  return [];
};

/** After the last line end stands nothing, or an entry that was not written to its end, whose change was never made. */
const entriesIn = (text: string): JournalEntry[] => text.split('\n').slice(0, -1).flatMap(entryIn);

/** Only `append` writes here, in a directory of the owner alone; but a power cut may leave holes, which must not keep a service from starting. */
const entryIn = (line: string): JournalEntry[] => {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
};
