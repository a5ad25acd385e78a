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
  return stats.ctimeMs <= endedAt || isWithin(stats.ctimeMs, windows);
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

/**
 * Whether what was moved stands at a path: the same file, or a copy of it that looks like it. A copy stands on another device, or where
 * undoing a later change has brought it back to its own.
 */
export const hasMoved = (path: string, recorded: RecordedMove, windows: readonly UndoWindow[]): boolean => {
  const stats = statAt(path);
  if (stats === undefined) return false;
  const { identity, stamp } = recorded.change;
  const own = identityOf(stats);
  const isAlike = [stamp, recorded.left ?? stamp].some((each) => isSameStamp(each, stampOf(stats, path)));
  if (own === identity) return stats.isDirectory() || isAlike;
  return isAlike && (!sameDevice(own, identity) || isWithin(stats.ctimeMs, windows));
};

/** A move and what is known of what it left. */
export type RecordedMove = RecordedChange & { readonly change: { readonly undo: 'move_back' } };

/** Whether what was to be moved never left a path, or is back there: a file that came later may have got its number, but was born later. */
export const isOriginal = (path: string, { change: { identity, at } }: RecordedMove): boolean => {
  const stats = statAt(path);
  return stats !== undefined && identityOf(stats) === identity && stats.birthtimeMs <= at + 1; // the moment of a record has no fractions
};

const isWithin = (ms: number, windows: readonly UndoWindow[]): boolean => windows.some(([from, to]) => ms >= from && ms <= to);

const sameDevice = (one: string, other: string): boolean => one.split(':')[0] === other.split(':')[0];
