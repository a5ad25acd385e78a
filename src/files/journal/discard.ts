import { rm, rmdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { changesIn, type JournalEntry } from './inverse.ts';

/** Removes what was kept aside for a run; what was undone from it is left as it is. */
export const discardKept = async (runId: string, entries: readonly JournalEntry[]): Promise<void> => {
  const homes = new Set(changesIn(entries).flatMap(({ change }) => (change.undo === 'put_back' ? [dirname(change.kept.at)] : [])));
  // The directory of a run bears its id; nothing else is ever removed as a whole.
  for (const home of homes) {
    if (basename(home) !== runId) continue;
    await rm(home, { recursive: true, force: true });
    await rmdir(dirname(home)).catch(() => {}); // other runs have something there
  }
};
