import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectories } from '../../lib/fs/make-directories.ts';
import { keptAsideName } from '../../lib/fs/own-names.ts';
import { statAt } from '../entry.ts';
import { discardHome } from './discard.ts';

// Old files of runs lie in directories of their own, one for each run, in a directory of ours on each device.

/** Finds or makes the directory for old files on the device of a directory; undefined where there can be none. */
export const findHome = (stateDirectory: string, directory: string, device: number): string | undefined => {
  const name = keptAsideName(stateDirectory);
  const own = join(stateDirectory, name);
  const home = [own, ...outermostFirst(directory).map((each) => join(each, name))].find((each) => isOurs(each, device));
  if (home !== undefined && home !== own) noteElsewhere(stateDirectory, home);
  return home;
};

/** Makes a directory for its owner alone. */
export const makeDirectory = (directory: string): string => {
  makeDirectories(directory, 0o700);
  return directory;
};

export interface OrphansOptions {
  /** Whether a run is under way, or can be undone. */
  isKnown(runId: string): boolean;
  readonly now: number;
}

/** A run that has just begun keeps its first old file before anybody knows of it. */
const YOUNG_MS = 3_600_000;

/** Removes what is kept for runs that nobody knows; answers how many. */
export const discardOrphans = async (stateDirectory: string, { isKnown, now }: OrphansOptions): Promise<number> => {
  let discarded = 0;
  for (const home of [join(stateDirectory, keptAsideName(stateDirectory)), ...elsewhere(stateDirectory)])
    for (const runId of namesIn(home)) {
      const changedMs = statAt(join(home, runId))?.ctimeMs ?? now;
      if (isKnown(runId) || now - changedMs < YOUNG_MS) continue;
      await discardHome(home, runId);
      discarded += 1;
    }
  return discarded;
};

/** Where the directories on other devices are written down, because nobody could find them otherwise. */
const ELSEWHERE = 'undo-places';

const elsewhere = (stateDirectory: string): readonly string[] => {
  try {
    const name = keptAsideName(stateDirectory);
    const lines = readFileSync(join(stateDirectory, ELSEWHERE), 'utf8').split('\0');
    return [...new Set(lines)].filter((line) => line.endsWith(`/${name}`));
  } catch {
    return []; // none so far
  }
};

const noteElsewhere = (stateDirectory: string, home: string): void => {
  if (elsewhere(stateDirectory).includes(home)) return;
  try {
    appendFileSync(join(stateDirectory, ELSEWHERE), `${home}\0`, { mode: 0o600 });
  } catch {
    // only those who tidy up miss it
  }
};

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return []; // gone, or its device is not there now
  }
};

/** A directory and those above it, those nearest to the root of its device first: there it is in nobody's way. */
const outermostFirst = (directory: string): readonly string[] =>
  dirname(directory) === directory ? [directory] : [...outermostFirst(dirname(directory)), directory];

/** Whether a directory on this device is ours alone, or could be made so. */
const isOurs = (directory: string, device: number): boolean => {
  if (deviceOf(directory) !== device) return false;
  try {
    makeDirectory(directory);
  } catch {
    return false; // not ours to write: the next one is tried
  }
  const stats = statAt(directory);
  const isPrivate = process.getuid === undefined || (stats?.uid === process.getuid() && (stats.mode & 0o077) === 0);
  return stats?.isDirectory() === true && isPrivate && stats.dev === device;
};

/** The device on which a directory lies or would be made. */
const deviceOf = (directory: string): number | undefined => {
  const stats = statAt(directory);
  if (stats !== undefined) return stats.dev;
  return dirname(directory) === directory ? undefined : deviceOf(dirname(directory));
};
