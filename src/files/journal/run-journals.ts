import type { Journal, UndoLimits } from '../../core/journal.ts';
import { openSharedKeptCount } from '../../core/kept-count.ts';
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
  /** Where all of them count what they keep aside. */
  readonly count: SharedArrayBuffer;
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
  const shared = new Map<string, Pick<ApartJournal, 'numbers' | 'count'>>();
  const limitsOf = (runId: string): UndoLimits => ({
    maxBytes: Math.min(options.maxBytes, options.mostOf?.(runId) ?? Number.POSITIVE_INFINITY),
    maxFiles: options.maxFiles,
  });
  const sharedOf = (runId: string): Pick<ApartJournal, 'numbers' | 'count'> => {
    const known = shared.get(runId) ?? { numbers: openSharedNumbers(now()), count: openSharedKeptCount() };
    shared.set(runId, known);
    return known;
  };
  return {
    of(runId) {
      const known = open.get(runId);
      if (known !== undefined) return known;
      const { numbers, count } = sharedOf(runId);
      const keeper = createKeeper({ runId, stateDirectory, limits: limitsOf(runId), count });
      const takeIndexes = sharedNumbers(numbers);
      const journal = openJournal({ keeper, now, takeIndexes, append: (entries) => append(runId, entries) });
      open.set(runId, journal);
      return journal;
    },
    apart: (runId) => ({ stateDirectory, limits: limitsOf(runId), ...sharedOf(runId) }),
    append,
    has: (runId) => shared.has(runId),
    async close(runId) {
      const journal = open.get(runId);
      open.delete(runId);
      const wasUsed = shared.delete(runId);
      await journal?.close();
      if (wasUsed) await options.flush?.(runId);
    },
  };
};
