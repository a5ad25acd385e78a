import type { DirectoryHandle } from '../../../lib/fs/directory-handle.ts';
import { type RawName, visitRaw } from '../../../lib/fs/raw-names.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';
import { readNamesApart } from '../../names.ts';
import { type Emptying, enterUnlessSwapped } from './empty-directory.ts';
import type { OpenTree } from './open-tree.ts';

/** How many files and links a tree holds; links are never entered. */
export const countFiles = async ({ directory, shown }: OpenTree, how: Pick<Emptying, 'signal' | 'giveWay'>): Promise<number> => {
  const { entries, raw } = readNamesApart(directory.address());
  let count = 0;
  for (const name of raw) count += countRaw(directory, name);
  for (const { name, kind } of entries) {
    how.signal.throwIfAborted();
    await how.giveWay();
    count += kind === 'dir' ? await countInner({ directory, shown }, name, how) : 1;
  }
  return count;
};

const countInner = async ({ directory, shown }: OpenTree, name: string, how: Pick<Emptying, 'signal' | 'giveWay'>): Promise<number> => {
  try {
    using inner = enterUnlessSwapped(directory, name);
    return inner === undefined ? 1 : await countFiles({ directory: inner, shown }, how);
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return 0;
    throw fault;
  }
};

const countRaw = (directory: DirectoryHandle, name: RawName): number => {
  let count = 0;
  visitRaw(directory.address(), name, (_address, kind) => {
    if (kind !== 'dir') count += 1;
  });
  return count;
};
