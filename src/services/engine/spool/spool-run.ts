import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { makePrivateDirectory } from '../embedded/private-files.ts';
import type { FinishedRun } from '../port/runs.ts';
import { asStoreFault } from '../store-fault.ts';
import { PART_ENDING, pathIn, RUN_ENDING } from './place.ts';

/**
 * Leaves a finished run for the next opener of the store, without opening it: one file, written aside and renamed. Synchronous,
 * because it is the last thing a process does.
 */
export const spoolRun = (stateDirectory: string, run: FinishedRun): void => {
  const file = pathIn(stateDirectory, run.runId, RUN_ENDING);
  const directory = pathIn(stateDirectory);
  const part = pathIn(stateDirectory, run.runId, PART_ENDING);
  try {
    makePrivateDirectory(stateDirectory);
    makePrivateDirectory(directory);
    writeFileSync(part, JSON.stringify(run), { mode: 0o600 });
    renameSync(part, file);
  } catch (fault) {
    rmSync(part, { force: true });
    throw asStoreFault(fault, directory);
  }
};
