import { fchmodSync, fstatSync, mkdirSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { FilePort } from '../../core/files.ts';
import { ownerOfPart } from '../../lib/fs/part-name.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { realPathOf, slotOf } from '../place.ts';
import { faultAt, notDirectory, notOurs } from '../refusals.ts';
import { type Disk, demandParent, lookAt } from './disk.ts';

/** New directories. */
export const createDirectories = (disk: Disk): Pick<FilePort, 'makeDir'> => ({
  async makeDir(path, { parents = false, isPrivate = false } = {}) {
    const shown = disk.absolute(path);
    await disk.giveWay();
    try {
      const isMade = await ensureDirectory(disk, realPathOf(shown, { followLinks: !isPrivate }), { shown, parents, isPrivate });
      if (isPrivate && !isMade) demandPrivate(disk, shown);
      return isMade;
    } catch (fault) {
      throw faultAt(fault, { path: shown, missing: 'parent' });
    }
  },
});

/** How a directory is made. */
export interface Making {
  readonly shown: string;
  readonly parents: boolean;
  /** The directory itself, not those above it. */
  readonly isPrivate?: boolean;
  /** Told of each directory as soon as it is there. */
  readonly onMade?: (real: string) => void;
}

/** Makes the directory at a real path where it is missing; tells whether it was. */
export const ensureDirectory = async (
  disk: Disk,
  real: string,
  { shown, parents, isPrivate = false, onMade }: Making,
): Promise<boolean> => {
  const there = look(disk, real);
  if (there?.isDirectory()) return false;
  if (there !== undefined) throw notDirectory(shown);
  disk.policy?.rootFor(real, 'write', shown); // before a parent is made in vain
  const above = dirname(real);
  if (parents && above !== real) await ensureDirectory(disk, above, { shown: above, parents, ...(onMade && { onMade }) });
  const isMade = await make(disk, real, { shown, isPrivate });
  if (isMade) onMade?.(real);
  return isMade;
};

const PRIVATE = { mode: 0o700 };

/** What is put there is nobody else's to see, so a directory that others can look into is closed to them first. */
const demandPrivate = (disk: Disk, shown: string): void => {
  const real = realPathOf(shown, { followLinks: false });
  using spot = disk.place(real, { access: 'write', followLinks: false, isResolved: true });
  using directory = spot.enter();
  const { uid, mode } = fstatSync(directory.fd);
  const us = process.getuid?.();
  if (us === undefined) return; // rights are another matter there
  if (uid !== us) throw notOurs(shown);
  if ((mode & 0o077) !== 0) fchmodSync(directory.fd, PRIVATE.mode);
};

/** The path is resolved once: a link that shows up on the way afterwards is refused at its level, not followed. */
const look = (disk: Disk, real: string): Stats | undefined => {
  try {
    using spot = disk.place(real, { access: 'read', followLinks: false, isResolved: true });
    return lookAt(spot);
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT' || codeOf(fault) === 'ENOTDIR') return undefined;
    throw fault;
  }
};

const make = async (disk: Disk, real: string, { shown, isPrivate }: Required<Pick<Making, 'shown' | 'isPrivate'>>): Promise<boolean> => {
  using spot = disk.place(real, { access: 'write', followLinks: false, isResolved: true });
  demandParent(spot, shown);
  if (ownerOfPart(spot.name) !== undefined) disk.sweeper.touched(spot.parent);
  await disk.before(() => ({ kind: 'make_dir', path: real }));
  spot.demandInPlace();
  try {
    mkdirSync(slotOf(spot), isPrivate ? PRIVATE : undefined);
    return true;
  } catch (fault) {
    // Somebody else may have been quicker.
    if (codeOf(fault) === 'EEXIST' && lookAt(spot)?.isDirectory() === true) return false;
    throw fault;
  }
};
