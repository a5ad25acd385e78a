import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import type { FilePort } from '../../core/files.ts';
import { entryPath } from '../../lib/fs/directory-handle.ts';
import { newPartName } from '../../lib/fs/part-name.ts';
import { resolvePath } from '../../lib/fs/resolve.ts';
import { demandLinkInside } from '../judge-link.ts';
import { pathOfLink } from '../names.ts';
import { type Spot, slotOf } from '../place.ts';
import { demandLinkTarget, taken } from '../refusals.ts';
import { type Disk, demandParent, lookAt } from './disk.ts';
import { arrive } from './parents.ts';

/** New links. */
export const createLinks = (disk: Disk): Pick<FilePort, 'makeLink'> => ({
  makeLink: (path, target) =>
    arrive(disk, path, { followLinks: false, durable: false }, () =>
      disk.at(path, { access: 'write', followLinks: false, missing: 'parent' }, async (spot, shown) => {
        const there = lookAt(spot);
        if (there === undefined) demandParent(spot, shown);
        demandLinkTarget(target, shown);
        judgeLink(disk, spot.parent, target);
        if (there !== undefined) throw taken(shown);
        await disk.before(() => ({ kind: 'create', path: spot.real }));
        spot.demandInPlace();
        symlinkSync(target, slotOf(spot));
      }),
    ),
});

/** Refuses a link that its maker may not make. */
export const judgeLink = ({ policy }: Disk, directory: string, target: string): void => {
  if (policy !== undefined) demandLinkInside(policy, target, (meet) => resolvePath(pathOfLink(directory, target), meet));
};

/** Puts a link where something stands that may go: at no moment is the name free. */
export const replaceByLink = (disk: Disk, spot: Spot, target: string): void => {
  disk.sweeper.touched(spot.parent);
  putLink(target, entryPath(spot.directory, newPartName()), slotOf(spot));
};

/** Makes a link under a temporary name and gives it its own, whatever had that before. */
export const putLink = (target: string, part: string, slot: string): void => {
  symlinkSync(target, part);
  try {
    renameSync(part, slot);
  } catch (fault) {
    unlinkSync(part);
    throw fault;
  }
};
