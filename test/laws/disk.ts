import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** What stands at a path: enough to see that it was replaced, changed or so much as touched. */
export interface Stood {
  readonly kind: 'dir' | 'file' | 'link' | 'other';
  readonly content: string;
  readonly inode: bigint;
  readonly mode: bigint;
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
}

/** Everything below a directory by relative path. */
export type Snapshot = ReadonlyMap<string, Stood>;

/** Looks at a whole tree; links are not entered. */
export const snapshot = (root: string): Snapshot =>
  new Map(
    pathsBelow(root, '')
      .filter((path) => !BESIDE_STORE.test(path))
      .map((path) => [path, look(join(root, path))]),
  );

/** What SQLite keeps beside a store is part of it, and some drivers remove it late. */
const BESIDE_STORE = /\.db-(?:wal|shm)$/;

/** Not `readdir`'s own recursion: in Node 20 it enters links. */
const pathsBelow = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...pathsBelow(root, path)] : [path];
  });

const look = (path: string): Stood => {
  const entry = lstatSync(path, { bigint: true });
  const kind = entry.isDirectory() ? 'dir' : entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other';
  const content =
    kind === 'file' ? createHash('sha256').update(readFileSync(path)).digest('hex') : kind === 'link' ? readlinkSync(path) : '';
  return { kind, content, inode: entry.ino, mode: entry.mode, modifiedNs: entry.mtimeNs, changedNs: entry.ctimeNs };
};

/** What happened to a path in the end. */
export type ChangeKind = 'create' | 'overwrite' | 'delete';

/** The changes between two looks; a directory whose entries changed is not itself a change. */
export const changesBetween = (before: Snapshot, after: Snapshot): Map<string, ChangeKind> => {
  const changes = new Map<string, ChangeKind>();
  for (const [path, was] of before) {
    const is = after.get(path);
    if (is === undefined) changes.set(path, 'delete');
    else if (isOther(was, is)) changes.set(path, 'overwrite');
  }
  for (const path of after.keys()) if (!before.has(path)) changes.set(path, 'create');
  return changes;
};

const isOther = (was: Stood, is: Stood): boolean =>
  was.kind !== is.kind || was.inode !== is.inode || (is.kind !== 'dir' && (was.content !== is.content || was.modifiedNs !== is.modifiedNs));
