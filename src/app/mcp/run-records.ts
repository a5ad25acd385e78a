import type { Journal } from '../../core/journal.ts';
import type { Instance } from '../instance/instance.ts';

/** Where the runs of a server are written down, so that they stand in the history and can be undone. */
export interface RunRecords {
  journalOf(runId: string): Journal | undefined;
  attach(factotum: Pick<Instance, 'observe' | 'masker'>): () => void;
  finish(): Promise<unknown>;
}

/** Has every run written down before its host is answered: a host may end its server at any time. */
export const keepRecords = (records: RunRecords, factotum: Pick<Instance, 'observe' | 'masker'>): void => {
  let last: Promise<unknown> = Promise.resolve();
  records.attach(factotum);
  factotum.observe({
    begun: () => {},
    // One after the other, for each writes down all that are over.
    async ended() {
      last = last.then(() => records.finish());
      await last;
    },
  });
};
