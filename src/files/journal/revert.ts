import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileAutomationException } from '../../core/errors.ts';
import type { FilePort, MoveOptions } from '../../core/files.ts';
import type { Note } from '../../core/result.ts';
import { lossNote, unkeptNote } from '../../lib/fs/move-entry.ts';
import { newPartName } from '../../lib/fs/part-name.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { createPace } from '../../lib/fs/walk-pace.ts';
import { visible } from '../../lib/json/locate.ts';
import { holdSpot } from '../disk/file/hold-spot.ts';
import { houseSweeper } from '../disk/sweep.ts';
import { discardTree } from '../disk/tree/discard-tree.ts';
import { statAt } from '../entry.ts';
import { type Place, realPathOf, type Spot, slotOf } from '../place.ts';
import { compareRest } from './compare-rest.ts';
import { cutBack } from './cut-back.ts';
import type { Inverse, RecordedChange, TreeRecord } from './inverse.ts';
import { hasMoved, isAsLeft, isOriginal, isUntouched, type RecordedMove, type UndoWindow } from './judge.ts';
import { removeUntouched } from './remove-untouched.ts';
import { identityAt, stampAt } from './stamp.ts';
import { bringBack, isLinkTo, isSameTime, makeDirectory, type Reverted, refused, removeDirectory, setLooks, UNDONE } from './steps.ts';

export interface ReverterOptions {
  /** Judges each path as that of whoever undoes. */
  readonly place: Place;
  /** Without a journal: moves between devices go through it. */
  readonly files: Pick<FilePort, 'move' | 'removeTree'>;
  readonly signal: AbortSignal;
  /** When other runs were undone, and this one. */
  readonly windows?: readonly UndoWindow[];
  /** Told what of something that is brought back from another device did not come along. */
  onLost?(note: Note): void;
}

/** Who does not say when others were undone goes by sizes and times alone. */
const ALWAYS: UndoWindow = [0, Number.POSITIVE_INFINITY];

const CHANGED = 'it was changed since';
const GONE = 'it is gone since';
const IN_THE_WAY = 'something else stands there now';
const NO_DIRECTORY = 'its directory is gone';
const NOT_KEPT = 'what was kept of it is gone';

const MOST_NAMED = 10;

/** Shown to people: what is not plain text is written so that it can be read. */
const named = (paths: readonly string[]): string => {
  const more = paths.length - MOST_NAMED;
  const first = paths.slice(0, MOST_NAMED).map((path) => visible(path));
  return `${first.join(', ')}${more > 0 ? ` and ${more} more` : ''} ${paths.length === 1 ? 'stays' : 'stay'}`;
};

/**
 * Takes changes back, latest first. Each is looked at before it is touched: what was done already or never happened is left alone, what
 * somebody changed since is refused. Every step is one rename or one call, so that a process killed between any two can go on.
 */
export const createReverter = ({
  place,
  files,
  signal,
  windows = [ALWAYS],
  onLost,
}: ReverterOptions): ((recorded: RecordedChange) => Promise<Reverted>) => {
  const at = async <T>(path: string, work: (spot: Spot) => T | Promise<T>): Promise<T> => {
    using spot = place(path, { access: 'write', followLinks: false, isResolved: true });
    spot.demandInPlace();
    return await work(spot);
  };

  const pace = createPace();

  const lostOn =
    (moved: { readonly from: string; readonly to: string }): NonNullable<MoveOptions['onLost']> =>
    (lost, unknown) =>
      onLost?.(lossNote(moved, lost, unknown));

  /** Out of sight at once; what a killed process leaves of it is swept. */
  const remove = (path: string): Promise<void> =>
    at(path, async (spot) => {
      houseSweeper.touched(spot.parent);
      const part = spot.beside(newPartName());
      renameSync(slotOf(spot), slotOf(part));
      if (statAt(part.at)?.isDirectory()) await discardTree(part, pace.pauseIfOver);
      else unlinkSync(part.at);
    });

  /** Of a tree that somebody changed since, what is still as the run left it goes. */
  const removeRest = async ({ change: { path }, tree }: RecordedChange): Promise<Reverted> => {
    if (tree === undefined || statAt(path)?.isDirectory() !== true) return refused(CHANGED);
    return at(path, async (spot) => {
      const left = await clearTree(spot, tree);
      if (left === undefined) return refused(CHANGED);
      return left.length === 0 ? removeDirectory(spot) : refused(`${CHANGED}: ${named(left)}; the rest of it is undone`);
    });
  };

  const clearTree = async (spot: Spot, tree: TreeRecord): Promise<readonly string[] | undefined> => {
    using directory = spot.enter();
    return await removeUntouched(directory, tree, { signal, giveWay: pace.pauseIfOver });
  };

  const takeBack = async (recorded: RecordedChange): Promise<Reverted> => {
    const { change } = recorded;
    const { path } = change;
    const there = statAt(path);
    switch (change.undo) {
      case 'impossible':
        return refused(change.reason);
      case 'remove':
        if (there === undefined) return UNDONE;
        if (!(await isAsLeft(recorded, windows))) return removeRest(recorded);
        await remove(path);
        return UNDONE;
      case 'discard':
        if (there !== undefined) await remove(path);
        return UNDONE;
      case 'remove_dir':
        if (there === undefined) return UNDONE;
        if (!there.isDirectory()) return refused(IN_THE_WAY);
        return at(path, removeDirectory);
      case 'make_dir':
        if (there?.isDirectory()) return UNDONE;
        if (there !== undefined) return refused(IN_THE_WAY);
        return at(path, (spot) =>
          makeDirectory(slotOf(spot), change, () => onLost?.(unkeptNote(path, [{ what: 'owner', count: 1, paths: [path] }]))),
        );
      case 'put_back':
        return putBack(change, recorded);
      case 'put_back_tree':
        return putTreeBack(change);
      case 'link_back':
        return linkBack(change, recorded);
      case 'move_back':
        return moveBack({ ...recorded, change });
      case 'cut':
        if (there === undefined) return refused(GONE);
        if (!there.isFile()) return refused(IN_THE_WAY);
        return at(path, (spot) => holdSpot(spot, { shown: path, signal }, () => cutBack(spot, change)));
      case 'set_back':
        if (there === undefined) return refused(GONE);
        if ((there.mode & 0o7777) === change.mode && (isSameTime(there, change) || change.bulk !== undefined)) return UNDONE;
        if (there.isSymbolicLink() || !(await isAsLeft(recorded, windows))) return refused(CHANGED);
        return at(path, (spot) => setLooks(spot.at, change));
    }
  };

  type Of<K extends Inverse['undo']> = RecordedChange['change'] & { readonly undo: K };

  /** Whether an old file may come back to its path; undefined: it may. */
  const judgeReturn = async (change: Of<'put_back' | 'link_back'>, recorded: RecordedChange): Promise<Reverted | undefined> => {
    const isThere = statAt(change.path) !== undefined;
    if (!change.isReplaced) return isThere ? refused(IN_THE_WAY) : undefined;
    if (!isThere) return refused(GONE);
    return (await isAsLeft(recorded, windows)) ? undefined : refused(CHANGED);
  };

  const putBack = async (change: Of<'put_back'>, recorded: RecordedChange): Promise<Reverted> => {
    const { path, kept, identity } = change;
    const there = identityAt(path);
    const isKept = identityAt(kept.at) !== undefined;
    const isCopyBack = isKept && kept.identity !== identity && stampAt(path) === stampAt(kept.at);
    // Where only a copy was kept the old inode is free, and whatever came after may have got its number: that proves nothing.
    if (there !== undefined && (there === kept.identity || isCopyBack)) {
      // It never went, or is back. A rename between two names of one file would do nothing.
      if (isKept) unlinkSync(kept.at);
      return UNDONE;
    }
    if (!isKept) return refused(NOT_KEPT);
    const refusal = await judgeReturn(change, recorded);
    if (refusal !== undefined) return refusal;
    await at(path, (spot) => bringBack(kept.at, spot));
    return UNDONE;
  };

  const putTreeBack = async ({ path, kept }: Of<'put_back_tree'>): Promise<Reverted> => {
    const there = statAt(path);
    if (identityAt(kept.at) !== undefined) {
      if (there !== undefined) return refused(IN_THE_WAY);
      await at(path, (spot) => renameSync(kept.at, slotOf(spot)));
      return UNDONE;
    }
    // It never went, is back, or could not be moved, so that what is in it went one by one and is back.
    return there?.isDirectory() ? UNDONE : refused(NOT_KEPT);
  };

  const linkBack = async (change: Of<'link_back'>, recorded: RecordedChange): Promise<Reverted> => {
    const { path, target, identity } = change;
    if (identityAt(path) === identity || isLinkTo(path, target)) return UNDONE;
    const refusal = await judgeReturn(change, recorded);
    if (refusal !== undefined) return refusal;
    return at(path, (spot) => {
      houseSweeper.touched(spot.parent);
      const part = slotOf(spot.beside(newPartName()));
      symlinkSync(target, part);
      renameSync(part, slotOf(spot));
      return UNDONE;
    });
  };

  const moveBack = async (recorded: RecordedMove): Promise<Reverted> => {
    const { path: to, from } = recorded.change;
    const hasLanded = hasMoved(to, recorded, windows);
    if (isOriginal(from, recorded)) {
      if (hasLanded) return endHalfMove(recorded);
      // Never moved, or moved back; unless a copy was made, which somebody has changed since.
      return recorded.left !== undefined && statAt(to) !== undefined ? refused(CHANGED) : UNDONE;
    }
    if (statAt(from) !== undefined) return hasMoved(from, recorded, windows) && !hasLanded ? UNDONE : refused(IN_THE_WAY);
    if (statAt(to) === undefined) return refused(GONE);
    if (!hasLanded || !isFileUntouched(to, recorded)) return refused(CHANGED);
    // Whoever took it away since did not mean it to come back.
    if (statAt(dirname(from)) === undefined) return refused(NO_DIRECTORY);
    await files.move(to, from, { signal, exclusive: true, onLost: lostOn({ from: to, to: from }) });
    return UNDONE;
  };

  /** A copy stands on another device, and its source is there, whole or in part: the move was ended between its two halves. */
  const endHalfMove = async (recorded: RecordedMove): Promise<Reverted> => {
    const { path: to, from } = recorded.change;
    if (!statAt(to)?.isDirectory()) {
      if (!isUntouched(to, recorded, windows)) return refused(CHANGED);
      await remove(to);
      return UNDONE;
    }
    const { unlike, changed, added, missing } = compareRest(from, to);
    // A copy that lacks something is unlike its source, but as long as nobody has touched it since, it is only a copy.
    const isCopy = !changed && recorded.endedAt !== undefined && isUntouched(to, recorded, windows);
    if (!missing && (isCopy || !unlike)) {
      await remove(to);
      return UNDONE;
    }
    if (!missing) return refused(CHANGED);
    // What came or changed since has no place in a tree that is put back as a whole.
    if (unlike || added) return refused(IN_THE_WAY);
    await files.removeTree(from, { signal });
    await files.move(to, from, { signal, exclusive: true, onLost: lostOn({ from: to, to: from }) });
    return UNDONE;
  };

  /** What was done to files in a directory that was moved goes back with it. */
  const isFileUntouched = (path: string, recorded: RecordedChange): boolean =>
    statAt(path)?.isDirectory() === true || isUntouched(path, recorded, windows);

  return async (recorded) => {
    const { path } = recorded.change;
    try {
      if (realPathOf(path, { followLinks: false }) !== path) return refused('a link leads elsewhere now');
      return await takeBack(recorded);
    } catch (fault) {
      if (codeOf(fault) === 'ENOENT' || codeOf(fault) === 'ENOTDIR') return refused(NO_DIRECTORY);
      if (fault instanceof FileAutomationException || codeOf(fault) !== undefined)
        return refused(fault instanceof Error ? fault.message : String(fault));
      throw fault;
    }
  };
};
