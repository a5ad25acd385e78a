import { type Dirent, lstatSync, type Stats } from 'node:fs';
import { basename } from 'node:path';
import type { Entry, EntryKind } from '../core/files.ts';
import { codeOf } from '../lib/fs/system-fault.ts';

/** The kind of what a stat or a directory entry describes. */
export const kindOf = (described: Stats | Dirent): EntryKind => {
  if (described.isFile()) return 'file';
  if (described.isDirectory()) return 'dir';
  return described.isSymbolicLink() ? 'link' : 'other';
};

/** What stands at a path, links not followed; undefined where nothing is, as below a file. */
export const statAt = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (fault) {
    if (codeOf(fault) === 'ENOTDIR') return undefined;
    throw fault;
  }
};

/** An entry from a stat. */
export const entryOf = (path: string, stats: Stats): Entry => ({
  path,
  name: basename(path),
  kind: kindOf(stats),
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  mode: stats.mode & 0o7777,
  identity: `${stats.dev}:${stats.ino}`,
});
