import { chmodSync, fchmodSync, futimesSync, type Stats, utimesSync } from 'node:fs';
import type { FilePort } from '../../core/files.ts';
import { refuseEntry } from '../../lib/fs/directory-handle.ts';
import { utime } from '../../lib/fs/utime.ts';
import { entryOf } from '../entry.ts';
import type { Spot } from '../place.ts';
import { noFile } from '../refusals.ts';
import { type Disk, lookAt } from './disk.ts';
import { openResolved } from './file/open-file.ts';

/** Marks on what is already there: times and mode. */
export const createMarking = (disk: Disk): Pick<FilePort, 'setTimes' | 'setMode'> => {
  const mark = (path: string, how: Mark): Promise<void> =>
    disk.at(path, { access: 'write' }, async (spot, shown) => {
      const there = lookAt(spot);
      if (there === undefined) throw noFile(shown);
      if (there.isSymbolicLink()) throw refuseEntry(shown, 'replaced');
      await disk.before(() => ({ kind: 'set', path: spot.real, entry: entryOf(spot.real, there) }));
      spot.demandInPlace();
      put(spot, there, { shown, ...how });
    });

  return {
    setTimes: (path, { mtimeMs }) =>
      mark(path, {
        byPath: (at, { atimeMs }) => utimesSync(at, utime(atimeMs), utime(mtimeMs)),
        byDescriptor: (fd, { atimeMs }) => futimesSync(fd, utime(atimeMs), utime(mtimeMs)),
      }),
    setMode: (path, mode) => mark(path, { byPath: (at) => chmodSync(at, mode), byDescriptor: (fd) => fchmodSync(fd, mode) }),
  };
};

interface Mark {
  byPath(at: string, there: Stats): void;
  byDescriptor(fd: number, there: Stats): void;
}

/** By path the system would follow a link that was put there meanwhile: a guarded spot is opened without following one. */
const put = (spot: Spot, there: Stats, { shown, byPath, byDescriptor }: Mark & { readonly shown: string }): void => {
  if (!spot.isGuarded) {
    byPath(spot.at, there);
    return;
  }
  const file = openResolved(spot.at, shown);
  try {
    byDescriptor(file.fd, there);
  } finally {
    void file.close(); // nothing is under way
  }
};
