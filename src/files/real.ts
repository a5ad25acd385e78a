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
import { houseSweeper } from './disk/sweep.ts';
import { createTrees } from './disk/tree/copy-tree.ts';
import { createWriting } from './disk/writing.ts';
import { walkTree } from './walk.ts';

export interface RealFilesOptions extends Omit<DiskOptions, 'sweeper'>, Partial<Pick<DiskOptions, 'sweeper'>> {}

/** The port on the real disk. Every name is written out: a journalled port is made for each command, and spreading costs ten times as much. */
export const createRealFiles = (options: RealFilesOptions): FilePort => {
  const { cwd, place, policy, budget, journal, sweeper = houseSweeper, onLost } = options;
  const disk = createDisk({ cwd, place, policy, budget, journal, sweeper, onLost });
  const { absolute } = disk;
  const { stat, open, read, readLink, list, listInner, targetFor } = createReading(disk);
  const { create, write, copy } = createWriting(disk);
  // Loaded by whoever needs them: a command that starts should not wait for what most never do.
  const edit: FilePort['edit'] = async (path, change, how) =>
    (await import('./disk/editing.ts')).createEditing(disk).edit(path, change, how);
  const append: FilePort['append'] = async (path, compose, how) =>
    (await import('./disk/appending.ts')).createAppending(disk).append(path, compose, how);
  const { move } = createMoving(disk);
  const { remove, removeTree } = createRemoving(disk);
  const { makeDir } = createDirectories(disk);
  const { makeLink } = createLinks(disk);
  const { setTimes, setMode } = createMarking(disk);
  const { share } = createSharing(disk);
  const { copyTree } = createTrees(disk);
  const forCommand = journal?.forCommand;
  return {
    absolute,
    stat,
    open,
    read,
    readLink,
    list,
    targetFor,
    walk: (path, interruptible) => walkTree({ absolute, list, listInner }, path, interruptible),
    create,
    write,
    edit,
    append,
    copy,
    move,
    remove,
    removeTree,
    makeDir,
    makeLink,
    setTimes,
    setMode,
    share,
    copyTree,
    grant: (root, access) => grantFor(disk, root, { access }),
    forCommand: ({ change, attribute }) =>
      createRealFiles({ cwd, place, policy, budget, journal: forCommand?.(change) ?? journal, sweeper, onLost: attribute }),
    isJournalled: forCommand !== undefined,
    announce: isOnlyJournalled(disk) ? disk.beforeBulk : undefined,
  };
};
