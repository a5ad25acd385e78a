import { fstatSync, readdirSync, rmdirSync, type Stats, unlinkSync } from 'node:fs';
import type { DirectoryHandle } from '../../lib/fs/directory-handle.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { enterUnlessSwapped } from '../disk/tree/empty-directory.ts';
import { statAt } from '../entry.ts';
import type { TreeRecord } from './inverse.ts';
import { CLOCK_STEP_MS, contentOf } from './late.ts';
import { identityOf } from './stamp.ts';

interface Removing {
  readonly signal: AbortSignal;
  giveWay(): Promise<void> | undefined;
}

/**
 * Removes from a tree that a run made what nobody has touched since; answers the paths of what stays, undefined where another directory
 * stands there. A file is untouched when its last change, a time that nobody can set, is older than the last step of the clock in which the
 * tree was changed: whatever is written, renamed or linked bears a later one. In that step its content decides. What is in a directory that was moved there does not, so only directories that the run
 * made are entered.
 */
export const removeUntouched = async (root: DirectoryHandle, tree: TreeRecord, work: Removing): Promise<readonly string[] | undefined> => {
  const made = new Set(tree.directories);
  const isMade = ({ fd }: DirectoryHandle): boolean => made.has(identityOf(fstatSync(fd)));
  const left: string[] = [];

  const clear = async (directory: DirectoryHandle, above: string): Promise<void> => {
    for (const name of readdirSync(directory.address())) {
      work.signal.throwIfAborted();
      await work.giveWay();
      const shown = above + name;
      const stats = statAt(directory.address(name));
      if (stats?.isDirectory()) {
        {
          using inside = enterUnlessSwapped(directory, name);
          if (inside === undefined || !isMade(inside)) {
            left.push(shown);
            continue;
          }
          await clear(inside, `${shown}/`);
        }
        removeIfEmpty(directory.address(name));
      } else if (stats !== undefined && isUntouched(directory.address(name), shown, stats, tree)) unlinkSync(directory.address(name));
      else left.push(shown);
    }
  };

  if (!isMade(root)) return undefined;
  await clear(root, '');
  return left;
};

/** Of what was changed in the last step of the tree only the content tells: whoever edits can set the other times as they like. */
const isUntouched = (address: string, shown: string, stats: Stats, { ctimeMs, late = {} }: TreeRecord): boolean => {
  if (stats.ctimeMs < ctimeMs - CLOCK_STEP_MS) return true;
  return stats.ctimeMs <= ctimeMs && Object.hasOwn(late, shown) && late[shown] === contentOf(address);
};

const FULL: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST']);

/** What stays in it was named already. */
const removeIfEmpty = (address: string): void => {
  try {
    rmdirSync(address);
  } catch (fault) {
    if (!FULL.has(codeOf(fault))) throw fault;
  }
};
