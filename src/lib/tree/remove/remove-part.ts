import { renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { isOwnPlace } from '../../fs/own-names.ts';
import { shownBytes } from '../../fs/raw-names.ts';
import { codeOf, ownFault, systemFault } from '../../fs/system-fault.ts';
import { openWalked } from '../../fs/walk-directory.ts';
import type { StartPart } from '../../fs/walk-shared.ts';
import { divide } from '../divide.ts';
import { keptName } from '../kept-name.ts';
import { type TreeFault, treeFault } from '../tree-fault.ts';
import { removeRaw } from './remove-raw.ts';

/** What came of removing. */
export interface Removed {
  /** Without directories. */
  count: number;
  readonly faults: TreeFault[];
}

export interface RemoveOrder {
  /** The real path of the tree. */
  readonly root: string;
  /** Entries are not deleted but get a name that begins with this. */
  readonly keepAt?: string;
}

/**
 * Prepares the removal of parts of a tree: entries, and directories once they are empty. The root itself stays, and directories that
 * others work in too are left to whoever comes last, and directories of ours stay. What vanishes by itself is no failure.
 */
export const removePart =
  ({ root, keepAt }: RemoveOrder): StartPart<Removed> =>
  () => {
    const removed: Removed = { count: 0, faults: [] };
    const tell = (relative: string, fault: unknown): void => {
      if (codeOf(fault) !== 'ENOENT') removed.faults.push(treeFault('target', relative, fault));
    };
    return {
      visitor: {
        seesOwn: true,
        begin({ relative }, entries) {
          const place = entries.find(({ name }) => isOwnPlace(name));
          if (place !== undefined) tell(relative + place.name, ownFault('EKEPT'));
          return place === undefined;
        },
        wants: (_name, kind) => kind !== 'dir',
        enters: () => true,
        entry(name, _kind, directory) {
          try {
            const address = directory.address(name);
            if (keepAt === undefined) unlinkSync(address);
            else renameSync(address, keepAt + keptName(directory.relative + name));
            removed.count += 1;
          } catch (fault) {
            tell(directory.relative + name, fault);
          }
          return undefined;
        },
        raw(name, directory) {
          try {
            if (keepAt !== undefined) throw systemFault('EILSEQ', 'rename', shownBytes(name.bytes)); // it could not be found again
            removed.count += removeRaw(directory.address(), name);
          } catch (fault) {
            tell(directory.relative + shownBytes(name.bytes), fault);
          }
        },
        leave({ relative }) {
          if (relative === '' || removed.faults.length > 0) return;
          const [parent, name] = divide(relative);
          try {
            using above = openWalked(root, parent, true);
            rmdirSync(above.address(name));
          } catch (fault) {
            tell(relative, fault);
          }
        },
        unreadable: tell,
      },
      end: () => removed,
    };
  };
