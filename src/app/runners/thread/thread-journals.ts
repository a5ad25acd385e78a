import type { Journal } from '../../../core/journal.ts';
import { tellingJournal } from '../../../core/telling-journal.ts';
import { openJournal, type RunJournal } from '../../../files/journal/journal.ts';
import { createKeeper } from '../../../files/journal/keep.ts';
import { sharedNumbers } from '../../../files/journal/numbers.ts';
import type { ApartJournal } from '../../../files/journal/run-journals.ts';
import type { WantedJournal } from '../messages.ts';
import type { HouseLink } from './link.ts';

/** The journals of the runs that have changed something on this thread. */
export interface ThreadJournals {
  of(runId: string, wanted: WantedJournal): Journal | undefined;
  /** Writes the last words of the run's journal on this thread. */
  close(runId: string): Promise<void>;
}

/** Old files are put aside here; what is written down goes to the house, which has the store. */
export const createThreadJournals = (link: HouseLink): ThreadJournals => {
  const open = new Map<string, { readonly own: RunJournal | undefined; readonly shown: Journal | undefined }>();
  return {
    of(runId, { kept, isWatched }) {
      const known = open.get(runId);
      if (known !== undefined) return known.shown;
      const own = kept && openOwn(runId, kept, link);
      const shown = isWatched ? tellingJournal(own, (paths) => link.call('changing', paths, { runId })) : own;
      open.set(runId, { own, shown });
      return shown;
    },
    async close(runId) {
      const known = open.get(runId);
      open.delete(runId);
      await known?.own?.close();
    },
  };
};

const openOwn = (runId: string, { stateDirectory, limits, numbers, count }: ApartJournal, link: HouseLink): RunJournal =>
  openJournal({
    keeper: createKeeper({ runId, stateDirectory, limits, count }),
    now: Date.now,
    takeIndexes: sharedNumbers(numbers),
    append: async (entries) => void (await link.call('append', entries, { runId })),
  });
