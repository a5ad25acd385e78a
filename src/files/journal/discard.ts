import { rmdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { openDirectory } from '../../lib/fs/handles.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { createPace } from '../../lib/fs/walk-pace.ts';
import { discardTree } from '../disk/tree/discard-tree.ts';
import { spotIn } from '../place.ts';
import { changesIn, type JournalEntry } from './inverse.ts';

/** Removes what was kept aside for a run; what was undone from it is left as it is. */
export const discardKept = async (runId: string, entries: readonly JournalEntry[]): Promise<void> => {
  const homes = new Set(changesIn(entries).flatMap(({ change }) => ('kept' in change ? [dirname(change.kept.at)] : [])));
  // The directory of a run bears its id; nothing else is ever removed as a whole.
  for (const home of homes) if (basename(home) === runId) await discardHome(dirname(home), runId);
};

/** Removes the directory of a run, and the one above it if that is the last. */
export const discardHome = async (above: string, runId: string): Promise<void> => {
  try {
    {
      using directory = openDirectory(above, []);
      await discardTree(spotIn(directory, runId, { isGuarded: false }), createPace().pauseIfOver); // whatever the modes of old directories
    }
    rmdirSync(above);
  } catch (fault) {
    if (!LEFT.has(codeOf(fault))) throw fault;
  }
};

/** Gone already, or other runs have something there. */
const LEFT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTEMPTY', 'EEXIST']);
