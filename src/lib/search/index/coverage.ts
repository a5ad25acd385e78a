import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type LocateFiles, readUpdateRules, type UpdateRules } from './locate.ts';
import { isAtOrBelow, type Mount, mountOf, readMounts } from './mounts.ts';

/** What an index is good for below a root. */
export interface Coverage {
  /** It knows everything that has not changed since. */
  readonly asOfMs: number;
  /** Whether it leaves a directory out. */
  isPruned(name: string, path: string): boolean;
}

/** An older index is not asked: too much has changed since. */
const MAX_AGE_MS = 3 * 24 * 60 * 60 * 1000;
/** The job reads a directory some time after it has begun, and clocks of file systems are coarse. */
const MARGIN_MS = 60_000;
/** File systems that count the directories in a directory as its links. */
const COUNTING_LINKS = new Set(['ext2', 'ext3', 'ext4', 'xfs', 'f2fs']);

export interface CoverageOptions {
  readonly nowMs?: number;
  readonly marginMs?: number;
  readonly mounts?: readonly Mount[];
}

/** What an index knows below a real path; undefined where it is too old or does not cover it. */
export const coverageOf = (root: string, { database, rules }: LocateFiles, options: CoverageOptions = {}): Coverage | undefined => {
  const { nowMs = Date.now(), marginMs = MARGIN_MS, mounts = readMounts(readText('/proc/self/mountinfo')) } = options;
  const asOfMs = begunAt(database) - marginMs;
  if (!(nowMs - asOfMs < MAX_AGE_MS)) return undefined;
  const { names, paths, fileSystems } = readUpdateRules(readText(rules));
  const isPruned = (name: string, path: string) => names.has(name) || paths.includes(path);
  if (root.split('/').some((name) => names.has(name)) || paths.some((path) => isAtOrBelow(root, path))) return undefined;
  return isOnPlainMount(root, mounts, fileSystems) && !mayHaveMoved(root, asOfMs) ? { asOfMs, isPruned } : undefined;
};

/** The database is written to a new file that is there from the beginning of the job; NaN where the file system does not tell. */
const begunAt = (database: string): number => {
  const { birthtimeMs, mtimeMs } = statSync(database);
  return birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : Number.NaN;
};

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // without rules nothing is left out
  }
};

/** One file system of a kind that is indexed and counts links, with no other one mounted below. */
const isOnPlainMount = (root: string, mounts: readonly Mount[], unindexed: UpdateRules['fileSystems']): boolean => {
  const mount = mountOf(mounts, root);
  if (mount === undefined || mount.isPart || !COUNTING_LINKS.has(mount.fileSystem) || unindexed.has(mount.fileSystem)) return false;
  return !mounts.some(({ path }) => path !== root && isAtOrBelow(path, root));
};

/** Whether a directory on the way may have been put there since: that changes both it and the directory that holds it. */
const mayHaveMoved = (root: string, asOfMs: number): boolean => {
  let isChanged = lstatSync(root).ctimeMs > asOfMs;
  for (let path = root; dirname(path) !== path; path = dirname(path)) {
    const isParentChanged = lstatSync(dirname(path)).ctimeMs > asOfMs;
    if (isChanged && isParentChanged) return true;
    isChanged = isParentChanged;
  }
  return false;
};
