import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbandoned, newPartName } from '../../../lib/fs/part-name.ts';
import { makePrivateDirectory } from '../embedded/private-files.ts';
import type { FinishedRun } from '../port/runs.ts';
import { asStoreFault } from '../store-fault.ts';
import { pathIn, RUN_ENDING } from './place.ts';

/**
 * Leaves a finished run for the next opener of the store, without opening it: one file, written aside and renamed. Synchronous,
 * because it is the last thing a process does. What a process was writing that was killed here goes with it.
 */
export const spoolRun = (stateDirectory: string, run: FinishedRun): void => {
  const file = pathIn(stateDirectory, run.runId, RUN_ENDING);
  const directory = pathIn(stateDirectory);
  const part = join(directory, newPartName());
  try {
    makePrivateDirectory(stateDirectory);
    makePrivateDirectory(directory);
    writeFileSync(part, JSON.stringify(run), { mode: 0o600 });
    renameSync(part, file);
    for (const name of readdirSync(directory)) if (isAbandoned(name)) rmSync(join(directory, name), { force: true });
  } catch (fault) {
    rmSync(part, { force: true });
    throw asStoreFault(fault, directory);
  }
};
