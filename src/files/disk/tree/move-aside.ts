import { lstatSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { DirectoryHandle } from '../../../lib/fs/directory-handle.ts';
import { measureTree } from '../../../lib/tree/measure-tree.ts';
import { entryOf } from '../../entry.ts';
import { type Spot, slotOf } from '../../place.ts';
import { holdsOwnPlace } from '../../refusals.ts';
import type { Disk } from '../disk.ts';
import { grantOn } from './in-threads.ts';

/** What becomes of a tree that is to be removed: it is gone, is deleted for good, or has to be taken apart and kept piece by piece. */
export type Fate = 'gone' | 'final' | 'piecemeal';

interface Leaving {
  readonly spot: Spot;
  readonly directory: DirectoryHandle;
  readonly signal: AbortSignal;
}

/** Tells the journal that a tree goes as a whole, and moves it to where it is kept, if it is. */
export const moveAside = async (disk: Disk, { spot, directory, signal }: Leaving): Promise<Fate> => {
  const { bytes, files, isWhole, ownPlace } = await measureTree(grantOn(directory, 'read', { isGuarded: true }), { signal });
  if (ownPlace !== undefined) throw holdsOwnPlace(join(spot.real, ownPlace)); // before anything is lost
  if (!isWhole) return 'piecemeal';
  const kept: string[] = [];
  await disk.before(() => ({
    kind: 'delete_tree',
    path: spot.real,
    entry: entryOf(spot.real, lstatSync(spot.at)),
    bytes,
    files,
    keepAt: (path) => void kept.push(path),
  }));
  const [keptAt] = kept;
  if (keptAt === undefined) return 'final';
  spot.demandInPlace();
  try {
    renameSync(slotOf(spot), keptAt);
    return 'gone';
  } catch {
    return 'piecemeal'; // another right is needed to move a directory than to delete it, and piece by piece its lack is told
  }
};
