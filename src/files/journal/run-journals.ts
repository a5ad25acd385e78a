import type { Journal, UndoLimits } from '../../core/journal.ts';
import type { JournalEntry } from './inverse.ts';
import { openJournal, type RunJournal } from './journal.ts';
import { createKeeper } from './keep.ts';

/** The limits are asked for at each run, so they may change. */
export interface RunJournalsOptions extends UndoLimits {
  readonly stateDirectory: string;
  now(): number;
  /** Writes entries of a run down, in this order; what it has taken survives the end of the process. */
  append(runId: string, entries: readonly JournalEntry[]): void | Promise<void>;
  /** Called after the last of them. */
  flush?(runId: string): void | Promise<void>;
}

/** The journals of all runs under way; all file ports of a run share one. */
export interface RunJournals {
  of(runId: string): Journal;
  /** Writes the last words of a run's journal, before the run is recorded as over. */
  close(runId: string): Promise<void>;
}

export const createRunJournals = (options: RunJournalsOptions): RunJournals => {
  const { stateDirectory, now, append } = options;
  const open = new Map<string, RunJournal>();
  return {
    of(runId) {
      const known = open.get(runId);
      if (known !== undefined) return known;
      const keeper = createKeeper({ runId, stateDirectory, limits: { maxBytes: options.maxBytes, maxFiles: options.maxFiles } });
      const journal = openJournal({ keeper, now, append: (entries) => append(runId, entries) });
      open.set(runId, journal);
      return journal;
    },
    async close(runId) {
      const journal = open.get(runId);
      open.delete(runId);
      await journal?.close();
      if (journal !== undefined) await options.flush?.(runId);
    },
  };
};
