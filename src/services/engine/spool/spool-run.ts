import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateDirectory } from '../embedded/private-files.ts';
import type { FinishedRun } from '../port/runs.ts';
import { asStoreFault } from '../store-fault.ts';
import { pathIn, RUN_ENDING } from './place.ts';

/**
 * Leaves a finished run for the next opener of the store, without opening it: one file, written aside and renamed. Synchronous,
 * because it is the last thing a process does.
 */
export const spoolRun = (stateDirectory: string, run: FinishedRun): void => {
  const file = pathIn(stateDirectory, run.runId, RUN_ENDING);
  const directory = pathIn(stateDirectory);
  const part = join(directory, `.${randomUUID()}.part`);
  try {
    makePrivateDirectory(stateDirectory);
    makePrivateDirectory(directory);
    writeFileSync(part, JSON.stringify(run), { mode: 0o600, flag: 'wx' });
    renameSync(part, file);
  } catch (fault) {
    throw asStoreFault(fault, directory);
  }
};
