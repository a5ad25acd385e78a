import { mkdirSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { FilePort } from '../../core/files.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { realPathOf, slotOf } from '../place.ts';
import { faultAt, notDirectory } from '../refusals.ts';
import { type Disk, demandParent, lookAt } from './disk.ts';

/** New directories. */
export const createDirectories = (disk: Disk): Pick<FilePort, 'makeDir'> => {
  /** The path is resolved once: a link that shows up on the way afterwards is refused at its level, not followed. */
  const look = (real: string): Stats | undefined => {
    try {
      using spot = disk.place(real, { access: 'read', followLinks: false, isResolved: true });
      return lookAt(spot);
    } catch (fault) {
      if (codeOf(fault) === 'ENOENT' || codeOf(fault) === 'ENOTDIR') return undefined;
      throw fault;
    }
  };

  const make = async (real: string, shown: string): Promise<boolean> => {
    using spot = disk.place(real, { access: 'write', followLinks: false, isResolved: true });
    demandParent(spot, shown);
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

  const ensure = async (real: string, { shown, parents }: { readonly shown: string; readonly parents: boolean }): Promise<boolean> => {
    const there = look(real);
    if (there?.isDirectory()) return false;
    if (there !== undefined) throw notDirectory(shown);
    disk.policy?.rootFor(real, 'write', shown); // before a parent is made in vain
    if (parents && dirname(real) !== real) await ensure(dirname(real), { shown: dirname(real), parents });
    return make(real, shown);
  };

  return {
    async makeDir(path, { parents = false } = {}) {
      const shown = disk.absolute(path);
      await disk.giveWay();
      try {
        return await ensure(realPathOf(shown, { followLinks: true }), { shown, parents });
      } catch (fault) {
        throw faultAt(fault, { path: shown, missing: 'parent' });
      }
    },
  };
};
