import { constants, lstatSync, rmdirSync, type Stats, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { FileAccessException } from '../../../core/errors.ts';
import type { Listed } from '../../../core/files.ts';
import type { DirectoryHandle } from '../../../lib/fs/directory-handle.ts';
import { isAbandoned } from '../../../lib/fs/part-name.ts';
import { readLinkText } from '../../../lib/fs/raw-names.ts';
import { readAllNames, readNames } from '../../names.ts';
import { spotIn } from '../../place.ts';
import type { Disk } from '../disk.ts';
import { discardTree } from '../tree/discard-tree.ts';
import type { TreePair } from '../tree/open-tree.ts';
import type { SeenSources } from './crossing.ts';

/**
 * Removes what is in a source after it was copied, entry by entry, each only when its copy is there and alike:
 * what somebody added or changed since stays, and the move is reported as unfinished. Cannot be cancelled: the copy is made.
 */
export const removeCopied = async (pair: TreePair, disk: Disk, seen: SeenSources): Promise<void> => {
  const kept = await removeAlike(pair, disk, seen);
  if (kept === undefined) return;
  const { source, target } = pair;
  throw new FileAccessException(
    `${kept} changed while ${source.shown} was being moved; the rest is at ${target.shown}, move it again to finish.`,
    {
      context: { path: kept, source: source.shown, target: target.shown },
      retryable: true,
    },
  );
};

/** Whether everything in a source has a copy that is alike. */
export const isAllCopied = async ({ source, target }: TreePair, disk: Disk, seen: SeenSources): Promise<boolean> => {
  for (const { name, kind } of readNames(source.directory.address())) {
    await disk.giveWay();
    const [here, copy] = [source.directory.address(name), target.directory.address(name)];
    const twin = lstatSync(copy, { throwIfNoEntry: false });
    if (kind === 'dir' && twin?.isDirectory()) {
      using directory = source.directory.enter(name);
      using inner = target.directory.enter(name);
      const below = { source: { directory, shown: source.shown }, target: { directory: inner, shown: target.shown } };
      if (!(await isAllCopied(below, disk, seen))) return false;
    } else if (twin === undefined || !isAlike({ at: here, stats: lstatSync(here) }, { at: copy, stats: twin }, seen)) return false;
  }
  return true;
};

/** The first thing that had to stay, if any. */
const removeAlike = async ({ source, target }: TreePair, disk: Disk, seen: SeenSources): Promise<string | undefined> => {
  let kept: string | undefined;
  for (const { name, kind } of readAllNames(source.directory.address())) {
    await disk.giveWay();
    const shown = join(source.shown, name);
    const [here, copy] = [source.directory.address(name), target.directory.address(name)];
    const twin = lstatSync(copy, { throwIfNoEntry: false });
    if (isAbandoned(name)) {
      await discard(source.directory, { name, kind }, disk);
    } else if (kind === 'dir' && twin?.isDirectory()) {
      using directory = source.directory.enter(name);
      using inner = target.directory.enter(name);
      const below = await removeAlike(
        { source: { directory, shown }, target: { directory: inner, shown: join(target.shown, name) } },
        disk,
        seen,
      );
      if (below === undefined) rmdirSync(here);
      kept ??= below;
    } else {
      const stats = lstatSync(here, { throwIfNoEntry: false });
      if (stats === undefined) continue; // somebody else was faster
      if (twin !== undefined && isAlike({ at: here, stats }, { at: copy, stats: twin }, seen)) {
        if (stats.nlink > 1) seen.loosened(stats);
        unlinkSync(here);
      } else kept ??= shown;
    }
  }
  return kept;
};

/** What a killed process was writing there is nobody's. */
const discard = async (directory: DirectoryHandle, { name, kind }: Listed, { giveWay }: Disk): Promise<void> => {
  if (kind === 'dir') await discardTree(spotIn(directory, name, { isGuarded: false }), giveWay);
  else unlinkSync(directory.address(name));
};

interface Looked {
  readonly at: string;
  readonly stats: Stats;
}

const isAlike = (one: Looked, other: Looked, seen: SeenSources): boolean => {
  if (one.stats.isSymbolicLink()) return other.stats.isSymbolicLink() && readLinkText(one.at) === readLinkText(other.at);
  if (one.stats.isFile()) return other.stats.isFile() && one.stats.size === other.stats.size && seen.isUnchanged(one.stats);
  return (one.stats.mode & constants.S_IFMT) === (other.stats.mode & constants.S_IFMT);
};
