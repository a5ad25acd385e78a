import type { FilePort } from '../core/files.ts';
import { createDirectories } from './disk/directories.ts';
import { createDisk, type DiskOptions, isOnlyJournalled } from './disk/disk.ts';
import { grantFor } from './disk/grant.ts';
import { createLinks } from './disk/links.ts';
import { createMarking } from './disk/marking.ts';
import { createMoving } from './disk/moving.ts';
import { createReading } from './disk/reading.ts';
import { createRemoving } from './disk/removing.ts';
import { createSharing } from './disk/sharing.ts';
import { createSweeper } from './disk/sweep.ts';
import { createTrees } from './disk/tree/copy-tree.ts';
import { createWriting } from './disk/writing.ts';
import { walkTree } from './walk.ts';

export interface RealFilesOptions extends Omit<DiskOptions, 'sweeper'>, Partial<Pick<DiskOptions, 'sweeper'>> {}

// One for the process: ports come and go with every run, but a directory needs sweeping only once.
const houseSweeper = createSweeper();

/** The port on the real disk. */
export const createRealFiles = ({ sweeper = houseSweeper, ...options }: RealFilesOptions): FilePort => {
  const disk = createDisk({ ...options, sweeper });
  const journalFor = options.journal?.forCommand;
  const { listInner, ...reading } = createReading(disk);
  return {
    absolute: disk.absolute,
    ...reading,
    walk: (path, interruptible) => walkTree({ absolute: disk.absolute, list: reading.list, listInner }, path, interruptible),
    ...createWriting(disk),
    ...createMoving(disk),
    ...createRemoving(disk),
    ...createDirectories(disk),
    ...createLinks(disk),
    ...createMarking(disk),
    ...createSharing(disk),
    ...createTrees(disk),
    grant: (root, access) => grantFor(disk, root, { access }),
    ...(journalFor && { forCommand: (tell) => createRealFiles({ ...options, sweeper, journal: journalFor(tell) }) }),
    ...(isOnlyJournalled(disk) && { announce: disk.beforeBulk }),
  };
};
