import { join } from 'node:path';
import { FileAccessException, FileNotExistsException } from '../../../core/errors.ts';
import type { Bypass, EntryKind, TreeCopyOptions } from '../../../core/files.ts';
import { atSource, faultAt } from '../../refusals.ts';
import type { Disk } from '../disk.ts';
import { namesAt, withoutShut } from '../reading.ts';
import type { TreePair } from './open-tree.ts';

/** How a tree is copied. */
export interface TreeWork extends TreeCopyOptions {
  readonly disk: Disk;
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
  { disk, signal, bypass }: TreeWork,
  visit: (entry: TreeEntry) => Promise<void> | void,
): Promise<void> => {
  const listed = atSource(source.shown, () => namesAt(source.directory.address(), source.shown, { bypass }));
  for (const { name, kind } of withoutShut(listed, source.directory.realPath, disk)) {
    const to = join(target.shown, name);
    signal.throwIfAborted();
    await disk.giveWay();
    const from = join(source.shown, name);
    try {
      await visit({ name, kind, from, to });
    } catch (fault) {
      const typed = faultAt(fault, { path: to });
      if (bypass === undefined || typed.context.path !== from || !passBy(bypass, from, typed)) throw typed;
    }
  }
};

/** Tells of a source that could not be read; false for what is no such thing. */
const passBy = (bypass: Bypass, from: string, fault: unknown): boolean => {
  if (fault instanceof FileNotExistsException) bypass.vanished(1);
  else if (fault instanceof FileAccessException) bypass.unreadable(from, fault);
  else return false;
  return true;
};
