import { chmodSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PathTraversalException } from '../../../core/errors.ts';
import type { DirectoryHandle } from '../../../lib/fs/directory-handle.ts';
import { isOwnPlace } from '../../../lib/fs/own-names.ts';
import { codeOf, systemFault } from '../../../lib/fs/system-fault.ts';
import { type NamesApart, readAllNames, readNamesApart } from '../../names.ts';
import { faultAt, holdsOwnPlace } from '../../refusals.ts';
import type { OpenTree } from './open-tree.ts';

/** How a tree is emptied. */
export interface Emptying {
  readonly signal: AbortSignal;
  giveWay(): Promise<void> | undefined;
  /** Asked for each entry before it goes; throws to keep it. */
  before?(parent: DirectoryHandle, name: string): Promise<void>;
  /** Told of each entry that cannot go, and the rest goes; left out, the first one ends it. */
  onLeft?: ((path: string, fault: unknown) => void) | undefined;
  /** Our own tree: directories whose mode keeps us out are opened up. */
  readonly isOurs?: boolean;
}

/**
 * Removes everything in a directory, depth first, through open handles: a directory that is swapped for a link
 * meanwhile loses its name, what the link leads to is never entered. What vanishes by itself is no failure. Answers whether all went.
 */
export const emptyDirectory = async (tree: OpenTree, how: Emptying): Promise<boolean> => {
  const { entries, unnamed } = namesIn(tree, how);
  for (const name of unnamed) how.onLeft?.(join(tree.shown, name), systemFault('EILSEQ', 'unlink', name));
  let isEmpty = unnamed.length === 0;
  for (const { name, kind } of entries) {
    how.signal.throwIfAborted();
    if (isOwnPlace(name)) throw holdsOwnPlace(join(tree.shown, name));
    await how.giveWay();
    try {
      const isGone = kind === 'dir' ? await removeDirectory(tree, name, how) : await removeEntry(tree, name, how);
      isEmpty &&= isGone;
    } catch (fault) {
      if (codeOf(fault) === 'ENOENT') continue;
      const path = join(tree.shown, name);
      const told = faultAt(fault, { path, missing: 'directory' });
      if (how.onLeft === undefined || how.signal.aborted) throw told;
      how.onLeft(path, told);
      isEmpty = false;
    }
  }
  return isEmpty;
};

/** Names that are no text are told one by one, where somebody is told. */
const namesIn = ({ directory }: OpenTree, { onLeft }: Emptying): NamesApart =>
  onLeft === undefined ? { entries: readAllNames(directory.address()), unnamed: [] } : readNamesApart(directory.address());

const removeDirectory = async (tree: OpenTree, name: string, how: Emptying): Promise<boolean> => {
  const address = tree.directory.address(name);
  if (how.isOurs) chmodSync(address, 0o700);
  {
    using directory = enterUnlessSwapped(tree.directory, name);
    if (directory === undefined) return removeEntry(tree, name, how);
    if (!(await emptyDirectory({ directory, shown: join(tree.shown, name) }, how))) return false;
  }
  await how.before?.(tree.directory, name);
  rmdirSync(address);
  return true;
};

const removeEntry = async ({ directory }: OpenTree, name: string, how: Emptying): Promise<boolean> => {
  await how.before?.(directory, name);
  unlinkSync(directory.address(name));
  return true;
};

/** The handle of a directory; undefined where a link has taken its name. */
export const enterUnlessSwapped = (parent: DirectoryHandle, name: string): DirectoryHandle | undefined => {
  try {
    return parent.enter(name);
  } catch (fault) {
    if (fault instanceof PathTraversalException) return undefined;
    throw fault;
  }
};
