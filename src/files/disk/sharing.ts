import { constants, copyFileSync, fstatSync, linkSync, renameSync, type Stats, unlinkSync } from 'node:fs';
import type { FilePort, ShareOptions } from '../../core/files.ts';
import type { LostAttribute } from '../../core/journal.ts';
import { entryPath } from '../../lib/fs/directory-handle.ts';
import { newPartName } from '../../lib/fs/part-name.ts';
import { entryOf } from '../entry.ts';
import { type Spot, slotOf } from '../place.ts';
import { demandFile } from '../refusals.ts';
import { type Disk, lookAt } from './disk.ts';
import { dress, lossesOf, tolerating } from './file/looks.ts';
import { openResolved } from './file/open-file.ts';

/** Files that share the disk space of others. */
export const createSharing = (disk: Disk): Pick<FilePort, 'share'> => ({
  share: (path, original, { how, signal }) =>
    // Whoever has a name of a file may change it: to give it one more, one must be allowed to.
    disk.at(original, { access: how === 'hardlink' ? 'write' : 'read', followLinks: false }, (source, from) =>
      disk.at(path, { access: 'write', followLinks: false }, async (spot, shown) => {
        demandFileAt(source, from);
        const there = demandFileAt(spot, shown);
        signal.throwIfAborted();
        const part = entryPath(spot.directory, newPartName());
        disk.sweeper.touched(spot.parent);
        try {
          const lost = MAKERS[how](source, part, there);
          await disk.before(() => ({ kind: 'overwrite', path: spot.real, entry: entryOf(spot.real, there) }));
          spot.demandInPlace();
          renameSync(part, slotOf(spot));
          for (const what of lost) disk.onLost?.({ path: shown, what });
        } finally {
          // Still there after a fault, and where both were names of one file already: then a rename does nothing at all.
          tolerating(['ENOENT'], () => unlinkSync(part));
        }
      }),
    ),
});

const demandFileAt = (spot: Spot, shown: string): Stats => {
  const stats = lookAt(spot);
  demandFile(stats && entryOf(shown, stats), shown);
  // The check has refused everything that is not there.
  return stats as Stats;
};

/** Makes the file that takes the place of `there`; answers what it does not keep of it. */
type Maker = (source: Spot, part: string, there: Stats) => readonly LostAttribute['what'][];

const MAKERS: Readonly<Record<ShareOptions['how'], Maker>> = {
  hardlink({ at }, part) {
    linkSync(at, part);
    return []; // it is the other file now, with all that belongs to that
  },
  reflink({ at, isGuarded }, part, there) {
    using source = opened(at);
    // By path the system would follow a link that was put there meanwhile.
    copyFileSync(isGuarded ? `/dev/fd/${source.fd}` : at, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
    using copy = opened(part);
    return lossesOf(fstatSync(copy.fd), dress(copy.fd, { mode: undefined, times: there, replaced: there }));
  },
};

const opened = (address: string): Disposable & { readonly fd: number } => {
  const { fd, close } = openResolved(address, address);
  return { fd, [Symbol.dispose]: () => void close() }; // nothing is under way
};
