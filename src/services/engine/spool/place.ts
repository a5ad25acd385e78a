import { join } from 'node:path';
import { StoreException } from '../../../core/errors.ts';
import { ownDirectoryName } from '../../../lib/fs/own-names.ts';
import type { RunId } from '../port/runs.ts';

export const RUN_ENDING = '.json';
export const JOURNAL_ENDING = '.undo';

/** The spool of a state directory, or the file of one run in it. */
export const pathIn = (stateDirectory: string, runId?: RunId, ending = ''): string => {
  const directory = join(stateDirectory, ownDirectoryName('spool'));
  if (runId === undefined) return directory;
  if (!/^[\w-]{1,64}$/.test(runId)) {
    throw new StoreException('The id of the run cannot be the name of a file; use letters, digits, - and _.', {
      context: { run_id: runId },
    });
  }
  return join(directory, `${runId}${ending}`);
};
