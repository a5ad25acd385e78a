import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Grant } from '../../core/files.ts';
import type { BulkArrival, BulkChanges } from '../../core/journal.ts';
import { createPace } from '../fs/walk-pace.ts';
import { isTree } from './is-tree.ts';

/** What is about to be done to a target. Paths count from the roots; a directory has `/` at its end and stands for all in it. */
export interface Intended {
  readonly source: Pick<Grant, 'root'>;
  readonly target: Pick<Grant, 'root'>;
  readonly copied: Iterable<string>;
  readonly removed: readonly string[];
  /** Directories that get the looks of their sources. */
  readonly dressed: readonly string[];
}

/** Describes, for the journal, what is about to be done: copies will look like their sources. */
export const bulkChanges = async ({ source, target, copied, removed, dressed }: Intended): Promise<BulkChanges> => {
  const pace = createPace();
  const arrivals: BulkArrival[] = [];
  for (const path of copied) {
    if (pace.isOver()) await pace.pause();
    const stats = isTree(path) ? undefined : lstatSync(join(source.root, path), { throwIfNoEntry: false });
    if (!stats?.isFile()) arrivals.push({ relative: withoutSlash(path) });
    else arrivals.push({ relative: path, file: { mode: stats.mode, size: stats.size, mtimeMs: stats.mtimeMs } });
  }
  const marked = dressed.filter((path) => modeAt(source.root, path) !== modeAt(target.root, path)).map(withoutSlash);
  return { root: target.root, arrivals, removed, marked };
};

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

const modeAt = (root: string, path: string): number | undefined => {
  const mode = lstatSync(join(root, path), { throwIfNoEntry: false })?.mode;
  return mode === undefined ? undefined : mode & 0o7777;
};
