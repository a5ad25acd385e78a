import { closeSync, openSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { appendWhole } from '../../../lib/fs/append-whole.ts';
import { type PartOwner, readOwner } from '../../../lib/fs/part-name.ts';
import { makePrivateDirectory } from '../embedded/private-files.ts';
import type { RunFacts, RunId } from '../port/runs.ts';
import type { UndoEntry } from '../port/shelves.ts';
import { asStoreFault } from '../store-fault.ts';
import { JOURNAL_ENDING, pathIn } from './place.ts';

/** A run that has begun. */
export interface StartedRun extends RunFacts {
  readonly runId: RunId;
  readonly startedAt: number;
}

/** The undo journal of a one-shot, which opens no store. */
export interface JournalFile {
  /** What it returns from survives the end of the process, however sudden; call it before the effect. */
  append(entries: readonly UndoEntry[]): void;
  /** Writes down that the run is given up by whoever started it, who does not wait for it to stop. */
  cancel(): void;
  close(): void;
  /** Closes and removes it; for a run that has changed nothing and is recorded otherwise. */
  discard(): void;
}

/** Who writes a journal: its first line. The second is the run, all others are entries. */
export interface Writer extends PartOwner {
  readonly host: string;
}

/** The line that says so. */
export const CANCELLED = { cancelled: true } as const;

/** Starts the journal of a run. Left behind by a process that was killed, it brings the run into the history all the same. */
export const openJournalFile = (stateDirectory: string, run: StartedRun): JournalFile => {
  const file = pathIn(stateDirectory, run.runId, JOURNAL_ENDING);
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (fault) {
      throw asStoreFault(fault, file);
    }
  };
  const writer: Writer = { ...readOwner(), host: hostname() };
  const beginning = asLines([writer, run]); // made first, so that the file is empty for no longer than it must
  const handle = attempt(() => {
    makePrivateDirectory(stateDirectory);
    makePrivateDirectory(pathIn(stateDirectory));
    return openSync(file, 'ax', 0o600);
  });
  let size = 0;
  const write = (bytes: Buffer) => {
    size = appendWhole(handle, bytes, size);
  };
  const close = () => closeSync(handle);
  const discard = () => {
    close();
    try {
      unlinkSync(file);
    } catch {
      // Whoever took the run in was faster, or the directory cannot be written any more, and what stays is whole.
    }
  };
  attempt(() => {
    try {
      write(beginning);
    } catch (fault) {
      discard(); // no run is known by half a line
      throw fault;
    }
  });
  return {
    append: (entries) => attempt(() => write(asLines(entries))),
    cancel: () => attempt(() => write(asLines([CANCELLED]))),
    close,
    discard,
  };
};

const asLines = (values: readonly unknown[]): Buffer => Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
