import { chmodSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PathTraversalException } from '../../../core/errors.ts';
import type { DirectoryHandle } from '../../../lib/fs/directory-handle.ts';
import { isOwnPlace } from '../../../lib/fs/own-names.ts';
import { type RawName, shownBytes } from '../../../lib/fs/raw-names.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';
import { removeRaw } from '../../../lib/tree/remove/remove-raw.ts';
import { readAllNamesApart } from '../../names.ts';
import { faultAt, holdsOwnPlace } from '../../refusals.ts';
import type { OpenTree } from './open-tree.ts';

/** How a tree is emptied. */
export interface Emptying {
  readonly signal: AbortSignal;
  giveWay(): Promise<void> | undefined;
  /** Asked for each entry before it goes; throws to keep it. */
  before?(parent: DirectoryHandle, name: string): Promise<unknown>;
  /** The same for what has no name as text, with all below it. */
  beforeRaw?(parent: DirectoryHandle, name: RawName): Promise<unknown>;
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
  const { entries, raw } = readAllNamesApart(tree.directory.address());
  let isEmpty = true;
  const attempt = async (name: string, remove: () => Promise<boolean>): Promise<void> => {
    how.signal.throwIfAborted();
    await how.giveWay();
    try {
      const isGone = await remove();
      isEmpty &&= isGone;
    } catch (fault) {
      if (codeOf(fault) === 'ENOENT') return;
      const path = join(tree.shown, name);
      const told = faultAt(fault, { path, missing: 'directory' });
      if (how.onLeft === undefined || how.signal.aborted) throw told;
      how.onLeft(path, told);
      isEmpty = false;
    }
  };
  for (const { name, kind } of entries) {
    if (isOwnPlace(name)) throw holdsOwnPlace(join(tree.shown, name));
    await attempt(name, () => (kind === 'dir' ? removeDirectory(tree, name, how) : removeEntry(tree, name, how)));
  }
  for (const name of raw) await attempt(shownBytes(name.bytes), () => removeUnnamed(tree, name, how));
  return isEmpty;
};

const removeUnnamed = async ({ directory }: OpenTree, name: RawName, how: Emptying): Promise<boolean> => {
  await how.beforeRaw?.(directory, name);
  removeRaw(directory.address(), name);
  return true;
};

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
