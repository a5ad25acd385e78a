import { lstatSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { FilePort } from '../../core/files.ts';
import type { Change } from '../../core/journal.ts';
import { entryPath } from '../../lib/fs/directory-handle.ts';
import { shownBytes } from '../../lib/fs/raw-names.ts';
import { entryOf } from '../entry.ts';
import { demandNotRoot, heldSpot, slotOf } from '../place.ts';
import { demandDir, demandRemovable } from '../refusals.ts';
import type { Disk } from './disk.ts';
import { entryAt } from './reading.ts';
import { countFiles } from './tree/count-files.ts';
import { emptyDirectory } from './tree/empty-directory.ts';
import { emptyInThreads } from './tree/in-threads.ts';
import { moveAside } from './tree/move-aside.ts';

/** Everything that goes away. */
export const createRemoving = (disk: Disk): Pick<FilePort, 'remove' | 'removeTree'> => ({
  remove: (path, { isNew = false, isOwn = isNew } = {}) =>
    disk.at(path, { access: 'remove', followLinks: false }, async (spot, shown) => {
      demandRemovable(entryAt(spot, shown), shown);
      if (!isOwn) disk.countDeletes(1);
      await disk.before(() => deletion(spot.real, spot.at, isNew));
      spot.demandInPlace();
      unlinkSync(slotOf(spot));
    }),

  removeTree: (path, { signal, isNew = false, isOwn = isNew, onLeft }) =>
    disk.at(path, { access: 'remove', followLinks: false, missing: 'directory' }, async (given, shown) => {
      demandDir(entryAt(given, shown), shown);
      demandNotRoot(given); // before anything inside is lost
      // The path may lead through a link inside the tree, which is gone before the tree is.
      using held = given.isGuarded ? undefined : heldSpot(given.real);
      const spot = held ?? given;
      disk.policy?.judgeTree(spot.real, 'remove', shown);
      if (isNew) {
        await disk.before(() => deletion(spot.real, spot.at, isNew));
      } else {
        using directory = spot.enter();
        const tree = { directory, shown };
        if (disk.countsDeletes && !isOwn) disk.countDeletes(await countFiles(tree, { signal, giveWay: disk.giveWay }));
        const fate = disk.hasJournal ? await moveAside(disk, { spot, directory, signal }) : 'final';
        if (fate === 'gone') return;
        const { giveWay } = disk;
        if (fate === 'final') {
          if (!(await emptyInThreads(tree, { signal, giveWay, onLeft }))) return;
        } else {
          const isEmpty = await emptyDirectory(tree, {
            signal,
            giveWay,
            onLeft,
            before: (parent, name) => disk.before(() => deletion(entryPath(parent.realPath, name), parent.address(name))),
            beforeRaw: (parent, name) =>
              disk.before(() => ({ kind: 'delete_unnamed', path: join(parent.realPath, shownBytes(name.bytes)) })),
          });
          if (!isEmpty) return;
          await disk.before(() => deletion(spot.real, spot.at));
        }
      }
      spot.demandInPlace();
      rmdirSync(slotOf(spot));
    }),
});

const deletion = (real: string, at: string, isNew = false): Change => ({
  kind: 'delete',
  path: real,
  entry: entryOf(real, lstatSync(at)),
  ...(isNew && { isNew }),
});
