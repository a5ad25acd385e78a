import { readdirSync } from 'node:fs';
import { entryPath } from '../../lib/fs/directory-handle.ts';
import { isOwnName } from '../../lib/fs/own-names.ts';
import { statAt } from '../entry.ts';
import type { RecordedChange } from './inverse.ts';
import { identityOf, isSameStamp, stampAt, stampOf, treeStampAt } from './stamp.ts';

/**
 * How long after its record a change may have been made, where the process ended before it could write down what the change left.
 * Between the two stands a rename; what bears a later time was touched by somebody else.
 */
const LATE_MS = 2_000;

/** Times at which we touched files ourselves: from the beginning of an undoing to its end. */
export type UndoWindow = readonly [fromMs: number, toMs: number];

/** Whether what stands at the path of a change is still what the change left there. */
export const isAsLeft = async (recorded: RecordedChange, windows: readonly UndoWindow[]): Promise<boolean> => {
  const { change, left } = recorded;
  const { path, at } = change;
  if (left === undefined) return isOlderThan(path, at + LATE_MS);
  const isSame = isSameStamp(left, left.startsWith('tree ') ? await treeStampIfDirectory(path) : stampAt(path));
  return isSame && isUntouched(path, recorded, windows);
};

/**
 * Whether nobody has touched what stands at a path, or anything below it, since the run was over. Size and time can be set at will, the
 * time of the last change cannot: it changes with the content, and with whatever undoes another run.
 */
export const isUntouched = (path: string, { endedAt }: Pick<RecordedChange, 'endedAt'>, windows: readonly UndoWindow[]): boolean => {
  if (endedAt === undefined) return true;
  const stats = statAt(path);
  if (stats === undefined) return false;
  // A directory counts by what is in it: its own time changes when that is taken back.
  if (stats.isDirectory())
    return readdirSync(path).every((name) => isOwnName(name) || isUntouched(entryPath(path, name), { endedAt }, windows));
  return stats.ctimeMs <= endedAt || windows.some(([from, to]) => stats.ctimeMs >= from && stats.ctimeMs <= to);
};

const treeStampIfDirectory = async (path: string): Promise<string | undefined> =>
  statAt(path)?.isDirectory() ? treeStampAt(path) : undefined;

/** By the times that nobody can set at will, of a tree by those of all that is in it. */
const isOlderThan = (path: string, moment: number): boolean => {
  const stats = statAt(path);
  if (stats === undefined || stats.ctimeMs > moment) return false;
  return (
    !stats.isDirectory() ||
    readdirSync(path)
      .filter((name) => !isOwnName(name))
      .every((name) => isOlderThan(entryPath(path, name), moment))
  );
};

/** Whether what was moved stands at a path: the same file, or on another device one with the same looks. */
export const hasMoved = (path: string, { identity, stamp }: { readonly identity: string; readonly stamp: string }): boolean => {
  const stats = statAt(path);
  if (stats === undefined) return false;
  if (identityOf(stats) === identity) return stats.isDirectory() || stampOf(stats, path) === stamp;
  return !sameDevice(identityOf(stats), identity) && stampOf(stats, path) === stamp;
};

const sameDevice = (one: string, other: string): boolean => one.split(':')[0] === other.split(':')[0];
