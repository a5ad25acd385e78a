import { fstatSync, readdirSync, rmdirSync, type Stats, unlinkSync } from 'node:fs';
import type { DirectoryHandle } from '../../lib/fs/directory-handle.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { enterUnlessSwapped } from '../disk/tree/empty-directory.ts';
import { statAt } from '../entry.ts';
import type { TreeRecord } from './inverse.ts';
import { identityOf } from './stamp.ts';

interface Removing {
  readonly signal: AbortSignal;
  giveWay(): Promise<void> | undefined;
}

/**
 * Removes from a tree that a run made what nobody has touched since; answers the paths of what stays, undefined where another directory
 * stands there. A file is untouched when its last change, a time that nobody can set, is no later than that of the whole tree: whatever is
 * written, renamed or linked bears a later one. What is in a directory that was moved there does not, so only directories that the run
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
      } else if (stats !== undefined && isUntouchedSince(stats, tree.ctimeMs)) unlinkSync(directory.address(name));
      else left.push(shown);
    }
  };

  if (!isMade(root)) return undefined;
  await clear(root, '');
  return left;
};

/** The clock that files are stamped with moves in steps. */
const CLOCK_STEP_MS = 10;

/** Of what was last changed in the last step of the tree itself, what also has its content from then may have got it later. */
const isUntouchedSince = ({ ctimeMs, mtimeMs }: Stats, latest: number): boolean =>
  ctimeMs < latest - CLOCK_STEP_MS || (ctimeMs <= latest && mtimeMs < ctimeMs - CLOCK_STEP_MS);

const FULL: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST']);

/** What stays in it was named already. */
const removeIfEmpty = (address: string): void => {
  try {
    rmdirSync(address);
  } catch (fault) {
    if (!FULL.has(codeOf(fault))) throw fault;
  }
};
