import { chmodSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PathTraversalException } from '../../../core/errors.ts';
import type { DirectoryHandle } from '../../../lib/fs/directory-handle.ts';
import { isOwnPlace } from '../../../lib/fs/own-names.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';
import { readAllNames } from '../../names.ts';
import { faultAt, holdsOwnPlace } from '../../refusals.ts';
import type { OpenTree } from './open-tree.ts';

/** How a tree is emptied. */
export interface Emptying {
  readonly signal: AbortSignal;
  giveWay(): Promise<void> | undefined;
  /** Asked for each entry before it goes; throws to keep it. */
  before?(parent: DirectoryHandle, name: string): Promise<void>;
  /** Our own tree: directories whose mode keeps us out are opened up. */
  readonly isOurs?: boolean;
}

/**
 * Removes everything in a directory, depth first, through open handles: a directory that is swapped for a link
 * meanwhile loses its name, what the link leads to is never entered. What vanishes by itself is no failure.
 */
export const emptyDirectory = async (tree: OpenTree, how: Emptying): Promise<void> => {
  for (const { name, kind } of readAllNames(tree.directory.address())) {
    how.signal.throwIfAborted();
    if (isOwnPlace(name)) throw holdsOwnPlace(join(tree.shown, name));
    await how.giveWay();
    try {
      if (kind === 'dir') await removeDirectory(tree, name, how);
      else await removeEntry(tree, name, how);
    } catch (fault) {
      if (codeOf(fault) !== 'ENOENT') throw faultAt(fault, { path: join(tree.shown, name), missing: 'directory' });
    }
  }
};

const removeDirectory = async (tree: OpenTree, name: string, how: Emptying): Promise<void> => {
  const address = tree.directory.address(name);
  if (how.isOurs) chmodSync(address, 0o700);
  {
    using directory = enterUnlessSwapped(tree.directory, name);
    if (directory === undefined) return removeEntry(tree, name, how);
    await emptyDirectory({ directory, shown: join(tree.shown, name) }, how);
  }
  await how.before?.(tree.directory, name);
  rmdirSync(address);
};

const removeEntry = async ({ directory }: OpenTree, name: string, how: Emptying): Promise<void> => {
  await how.before?.(directory, name);
  unlinkSync(directory.address(name));
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
