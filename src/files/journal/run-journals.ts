import type { Journal } from '../../core/files.ts';
import type { JournalEntry } from './inverse.ts';
import { openJournal, type RunJournal } from './journal.ts';
import { createKeeper } from './keep.ts';

export interface RunJournalsOptions {
  readonly stateDirectory: string;
  /** What one run may keep aside. */
  readonly maxBytes: number;
  now(): number;
  /** Writes entries of a run down, in this order; what it has taken survives the end of the process. */
  append(runId: string, entries: readonly JournalEntry[]): void | Promise<void>;
}

/** A change that cannot be taken back, and why. */
export interface LostChange {
  readonly path: string;
  readonly reason: string;
}

/** The journals of all runs under way; all file ports of a run share one. */
export interface RunJournals {
  of(runId: string): Journal;
  /** Writes the last words of a run's journal, before the run is recorded as over; answers what cannot be undone. */
  close(runId: string): Promise<readonly LostChange[]>;
}

export const createRunJournals = ({ stateDirectory, maxBytes, now, append }: RunJournalsOptions): RunJournals => {
  const open = new Map<string, { readonly journal: RunJournal; readonly lost: LostChange[] }>();
  return {
    of(runId) {
      const known = open.get(runId);
      if (known !== undefined) return known.journal;
      const lost: LostChange[] = [];
      const keeper = createKeeper({ runId, stateDirectory, maxBytes });
      const journal = openJournal({
        keeper,
        now,
        append: (entries) => append(runId, entries),
        onLost: ({ path, reason }) => void lost.push({ path, reason }),
      });
      open.set(runId, { journal, lost });
      return journal;
    },
    async close(runId) {
      const known = open.get(runId);
      if (known === undefined) return [];
      open.delete(runId);
      await known.journal.close();
      return known.lost;
    },
  };
};
