import { readlinkSync } from 'node:fs';
import type { Entry } from '../../core/files.ts';
import type { Change } from '../../core/journal.ts';
import { UNDO_REASONS } from '../../core/undo-reasons.ts';
import { statAt } from '../entry.ts';
import { holdsOwnPlace } from '../refusals.ts';
import type { Inverse } from './inverse.ts';
import type { Keeper } from './keep.ts';
import { identityAt, identityOf, stampOf, stampOfFile } from './stamp.ts';

/** How to take a change back, and what is kept aside for that. */
export interface Described {
  readonly inverse: Inverse;
  readonly bytes: number;
  /** What it will leave, where that is known. */
  readonly left?: string;
  /** Called when it is written down. */
  readonly written?: () => void;
  /** Whether the change can be seen; given where what it leaves can only be looked at then. */
  readonly hasHappened?: () => boolean;
}

/** Says how to take back a change that is about to be made, and keeps aside what it takes away. A move onto something is two changes. */
export const describeChange = async (change: Change, keeper: Keeper, firstIndex: number): Promise<readonly Described[]> => {
  switch (change.kind) {
    case 'create': {
      const inverse: Inverse = { undo: 'remove', path: change.path };
      return [{ inverse, bytes: 0, ...leaving(change.arriving, () => statAt(change.path) !== undefined) }];
    }
    case 'make_dir':
      return [{ inverse: { undo: 'remove_dir', path: change.path }, bytes: 0 }];
    case 'overwrite': {
      const old = await keepOld(change.entry, { keeper, index: firstIndex, isReplaced: true });
      if (old.inverse.undo === 'impossible') return [old];
      const hasHappened = () => ![undefined, change.entry.identity].includes(identityAt(change.path));
      return [{ ...old, ...leaving(change.arriving, hasHappened) }];
    }
    case 'append': {
      const { path, entry, added } = change;
      return [{ inverse: { undo: 'cut', path, start: entry.size, mtimeMs: entry.mtimeMs, ...added }, bytes: 0 }];
    }
    case 'delete':
      return [await keepOld(change.entry, { keeper, index: firstIndex, isReplaced: false })];
    case 'delete_unnamed':
      return [{ inverse: { undo: 'impossible', path: change.path, reason: UNDO_REASONS.unnamed }, bytes: 0 }];
    case 'delete_tree':
      return [describeTree(change, keeper, firstIndex)];
    case 'set': {
      const { path, mode, mtimeMs } = change.entry;
      return [{ inverse: { undo: 'set_back', path, mode, mtimeMs }, bytes: 0, hasHappened: () => true }];
    }
    case 'move':
      return describeMove(change, keeper, firstIndex);
  }
};

/** What is in a stage is nobody's, so it goes as a whole. */
export const describeStage = (change: Change): readonly Described[] =>
  'path' in change ? [{ inverse: { undo: 'discard', path: change.path }, bytes: 0 }] : [];

/** A file that is ready will be the same under its new name. */
const leaving = (arriving: Entry | undefined, hasHappened: () => boolean): Pick<Described, 'left' | 'hasHappened'> =>
  arriving === undefined ? { hasHappened } : { left: stampOfFile(arriving) };

const describeMove = async (
  { from, to, replaced }: Change & { readonly kind: 'move' },
  keeper: Keeper,
  index: number,
): Promise<readonly Described[]> => {
  const stats = statAt(from);
  if (stats === undefined) return []; // the move itself will find that out and say so
  const place = stats.isDirectory() ? keeper.placeBelow(from) : undefined;
  if (place !== undefined) throw holdsOwnPlace(place);
  const identity = identityOf(stats);
  const inverse: Inverse = { undo: 'move_back', path: to, from, identity, stamp: stampOf(stats, from) };
  const move = { inverse, bytes: 0 };
  return replaced === undefined ? [move] : [await keepOld(replaced, { keeper, index, isReplaced: false }), move];
};

const describeTree = (
  { path, entry, bytes, files, keepAt }: Change & { readonly kind: 'delete_tree' },
  keeper: Keeper,
  index: number,
): Described => {
  const place = keeper.placeBelow(path);
  if (place !== undefined) throw holdsOwnPlace(place);
  const kept = keeper.placeFor(entry, { bytes, files }, index);
  if (typeof kept === 'string') return { inverse: { undo: 'impossible', path, reason: kept }, bytes: 0 };
  return { inverse: { undo: 'put_back_tree', path, kept }, bytes, written: () => keepAt(kept.at) };
};

interface Keeping {
  readonly keeper: Keeper;
  readonly index: number;
  readonly isReplaced: boolean;
}

const keepOld = async (entry: Entry, { keeper, index, isReplaced }: Keeping): Promise<Described> => {
  const { path, kind, identity, mode, mtimeMs } = entry;
  if (kind === 'dir') {
    const stats = statAt(path);
    const owner = stats && { owner: { uid: stats.uid, gid: stats.gid } };
    return { inverse: { undo: 'make_dir', path, mode, mtimeMs, ...owner }, bytes: 0 };
  }
  if (kind === 'link') {
    const target = readlinkSync(path);
    const inverse: Inverse = target.includes('\uFFFD')
      ? { undo: 'impossible', path, reason: 'where the link leads is no text' }
      : { undo: 'link_back', path, identity, target, isReplaced };
    return { inverse, bytes: 0 };
  }
  const kept = await keeper.keep(entry, index);
  if (typeof kept === 'string') return { inverse: { undo: 'impossible', path, reason: kept }, bytes: 0 };
  return { inverse: { undo: 'put_back', path, identity, kept, isReplaced }, bytes: entry.size };
};
