import type { Dirent, Stats } from 'node:fs';
import { basename } from 'node:path';
import type { Entry, EntryKind } from '../core/files.ts';

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** The kind of what a stat or a directory entry describes. */
export const kindOfStats = (stats: Kinds | Dirent): EntryKind => {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'dir';
  return stats.isSymbolicLink() ? 'link' : 'other';
};

/** An entry from a stat. */
export const entryOf = (path: string, stats: Stats): Entry => ({
  path,
  name: basename(path),
  kind: kindOfStats(stats),
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  mode: stats.mode & 0o7777,
  identity: `${stats.dev}:${stats.ino}`,
});
