import type { Journal, UndoLimits } from '../../core/journal.ts';
import type { JournalEntry } from './inverse.ts';
import { openJournal, type RunJournal } from './journal.ts';
import { createKeeper } from './keep.ts';
import { openSharedNumbers, sharedNumbers } from './numbers.ts';

/** The limits are asked for at each run, so they may change. */
export interface RunJournalsOptions extends UndoLimits {
  readonly stateDirectory: string;
  /** Bytes that this very run may keep aside, where that is less; undefined: as many as any. */
  mostOf?(runId: string): number | undefined;
  now(): number;
  /** Writes entries of a run down, in this order; what it has taken survives the end of the process. */
  append(runId: string, entries: readonly JournalEntry[]): void | Promise<void>;
  /** Called after the last of them. */
  flush?(runId: string): void | Promise<void>;
}

/** What another thread needs to write down the changes that it makes for a run; its entries come back to `append`. */
export interface ApartJournal {
  readonly stateDirectory: string;
  readonly limits: UndoLimits;
  /** Where all threads of the run take the numbers of entries from. */
  readonly numbers: SharedArrayBuffer;
}

/** The journals of all runs under way; all file ports of a run share one. */
export interface RunJournals {
  of(runId: string): Journal;
  /** Whether a run under way has one, so that it may have changed something. */
  has(runId: string): boolean;
  /** For a thread that makes changes of the run too. */
  apart(runId: string): ApartJournal;
  append(runId: string, entries: readonly JournalEntry[]): void | Promise<void>;
  /** Writes the last words of a run's journal, before the run is recorded as over. */
  close(runId: string): Promise<void>;
}

export const createRunJournals = (options: RunJournalsOptions): RunJournals => {
  const { stateDirectory, now, append } = options;
  const open = new Map<string, RunJournal>();
  const numbers = new Map<string, SharedArrayBuffer>();
  const limitsOf = (runId: string): UndoLimits => ({
    maxBytes: Math.min(options.maxBytes, options.mostOf?.(runId) ?? Number.POSITIVE_INFINITY),
    maxFiles: options.maxFiles,
  });
  const numbersOf = (runId: string): SharedArrayBuffer => {
    const known = numbers.get(runId) ?? openSharedNumbers(now());
    numbers.set(runId, known);
    return known;
  };
  return {
    of(runId) {
      const known = open.get(runId);
      if (known !== undefined) return known;
      const keeper = createKeeper({ runId, stateDirectory, limits: limitsOf(runId) });
      const takeIndexes = sharedNumbers(numbersOf(runId));
      const journal = openJournal({ keeper, now, takeIndexes, append: (entries) => append(runId, entries) });
      open.set(runId, journal);
      return journal;
    },
    apart: (runId) => ({ stateDirectory, limits: limitsOf(runId), numbers: numbersOf(runId) }),
    append,
    has: (runId) => numbers.has(runId),
    async close(runId) {
      const journal = open.get(runId);
      open.delete(runId);
      const wasUsed = numbers.delete(runId);
      await journal?.close();
      if (wasUsed) await options.flush?.(runId);
    },
  };
};
