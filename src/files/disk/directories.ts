import { mkdirSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { FilePort } from '../../core/files.ts';
import { ownerOfPart } from '../../lib/fs/part-name.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { realPathOf, slotOf } from '../place.ts';
import { faultAt, notDirectory } from '../refusals.ts';
import { type Disk, demandParent, lookAt } from './disk.ts';

/** New directories. */
export const createDirectories = (disk: Disk): Pick<FilePort, 'makeDir'> => ({
  async makeDir(path, { parents = false } = {}) {
    const shown = disk.absolute(path);
    await disk.giveWay();
    try {
      return await ensureDirectory(disk, realPathOf(shown, { followLinks: true }), { shown, parents });
    } catch (fault) {
      throw faultAt(fault, { path: shown, missing: 'parent' });
    }
  },
});

/** How a directory is made. */
export interface Making {
  readonly shown: string;
  readonly parents: boolean;
  /** Told of each directory as soon as it is there. */
  readonly onMade?: (real: string) => void;
}

/** Makes the directory at a real path where it is missing; tells whether it was. */
export const ensureDirectory = async (disk: Disk, real: string, { shown, parents, onMade }: Making): Promise<boolean> => {
  const there = look(disk, real);
  if (there?.isDirectory()) return false;
  if (there !== undefined) throw notDirectory(shown);
  disk.policy?.rootFor(real, 'write', shown); // before a parent is made in vain
  const above = dirname(real);
  if (parents && above !== real) await ensureDirectory(disk, above, { shown: above, parents, ...(onMade && { onMade }) });
  const isMade = await make(disk, real, shown);
  if (isMade) onMade?.(real);
  return isMade;
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

const make = async (disk: Disk, real: string, shown: string): Promise<boolean> => {
  using spot = disk.place(real, { access: 'write', followLinks: false, isResolved: true });
  demandParent(spot, shown);
  if (ownerOfPart(spot.name) !== undefined) disk.sweeper.touched(spot.parent);
  await disk.before(() => ({ kind: 'make_dir', path: real }));
  spot.demandInPlace();
  try {
    mkdirSync(slotOf(spot));
    return true;
  } catch (fault) {
    // Somebody else may have been quicker.
    if (codeOf(fault) === 'EEXIST' && lookAt(spot)?.isDirectory() === true) return false;
    throw fault;
  }
};
