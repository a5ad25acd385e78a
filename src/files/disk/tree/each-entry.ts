import { join } from 'node:path';
import type { CopyOptions, EntryKind } from '../../../core/files.ts';
import { readNames } from '../../names.ts';
import { atSource, faultAt } from '../../refusals.ts';
import type { Disk } from '../disk.ts';
import type { TreePair } from './open-tree.ts';

/** How a tree is copied. */
export interface TreeWork extends CopyOptions {
  readonly disk: Disk;
  /** Pipes, sockets and devices are refused instead of left out. */
  readonly isComplete?: boolean;
}

/** One entry of a source, with what callers call it and its copy. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: EntryKind;
  readonly from: string;
  readonly to: string;
}

/** Visits the entries of a source, names sorted; faults that do not say where they happened happened at the copy. */
export const eachEntry = async (
  { source, target }: TreePair<{ readonly shown: string }>,
  { disk, signal }: TreeWork,
  visit: (entry: TreeEntry) => Promise<void> | void,
): Promise<void> => {
  for (const { name, kind } of atSource(source.shown, () => readNames(source.directory.address()))) {
    const to = join(target.shown, name);
    signal.throwIfAborted();
    await disk.giveWay();
    const from = join(source.shown, name);
    if (kind === 'dir') disk.policy?.rootFor(join(source.directory.realPath, name), 'read', from); // a directory in it may be shut
    try {
      await visit({ name, kind, from, to });
    } catch (fault) {
      throw faultAt(fault, { path: to });
    }
  }
};
