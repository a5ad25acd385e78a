import { constants, linkSync, lstatSync, mkdirSync, unlinkSync } from 'node:fs';
import { chmod, copyFile, utimes } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Entry } from '../../core/files.ts';
import { UNDO_REASONS } from '../../core/undo-reasons.ts';
import { refuseEntry } from '../../lib/fs/directory-handle.ts';
import { keptAsideName } from '../../lib/fs/own-names.ts';
import { resolvePath } from '../../lib/fs/resolve.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { utime } from '../../lib/fs/utime.ts';
import { statAt } from '../entry.ts';
import type { Kept } from './inverse.ts';
import { identityOf } from './stamp.ts';

export interface KeeperOptions {
  readonly runId: string;
  /** Old files of its device are kept in a directory of ours in it; those of others in one on their device. */
  readonly stateDirectory: string;
  /** What one run may keep. */
  readonly maxBytes: number;
}

/** Keeps old files aside before they go. */
export interface Keeper extends Pick<KeeperOptions, 'maxBytes'> {
  /** A second name of the file on its device, or a small copy; a text says why neither is possible. */
  keep(entry: Entry, index: number): Promise<Kept | string>;
  /** Where a directory can be moved to with all in it; a text says why it cannot. */
  placeFor(tree: Entry, bytes: number, index: number): Kept | string;
  /** A directory of ours on the device of a directory, with room for so many more bytes; a text says why there is none. */
  roomFor(directory: string, bytes: number): { readonly home: string } | string;
  /** A directory of ours in a tree, which would lose what is kept if it went elsewhere. */
  placeBelow(tree: string): string | undefined;
}

/** What is copied where a second name is not possible. */
const MAX_COPY_BYTES = 64 * 1024 * 1024;

export const createKeeper = ({ runId, stateDirectory, maxBytes }: KeeperOptions): Keeper => {
  const homes = new Map<number, string>();
  /** Where none could be made. */
  const refused = new Set<string>();
  let keptBytes = 0;

  /** The directory of this run on the device of a directory. */
  const homeFor = (directory: string): string | undefined => {
    const device = lstatSync(directory).dev;
    const known = homes.get(device);
    if (known !== undefined || refused.has(directory)) return known;
    const name = keptAsideName(stateDirectory);
    const home = [stateDirectory, ...outermostFirst(directory)].map((each) => join(each, name)).find((each) => isOurs(each, device));
    if (home === undefined) refused.add(directory);
    else homes.set(device, makeDirectory(join(home, runId)));
    return homes.get(device);
  };

  const roomFor: Keeper['roomFor'] = (directory, bytes) => {
    if (keptBytes + bytes > maxBytes) return UNDO_REASONS.tooLarge;
    const home = homeFor(directory);
    if (home === undefined) return 'there is no room of ours on its device';
    keptBytes += bytes;
    return { home };
  };

  const keepFile = async (entry: Entry, home: string, index: number): Promise<Kept | string> => {
    const at = join(home, String(index));
    try {
      linkSync(entry.path, at);
    } catch (fault) {
      if (entry.kind !== 'file' || entry.size > MAX_COPY_BYTES) return `the system refuses a second name (${codeOf(fault) ?? 'unknown'})`;
      await copyWhole(entry, at);
      return { at, identity: identityOf(lstatSync(at)) };
    }
    const stats = lstatSync(at);
    const identity = identityOf(stats);
    // Another file may have its name by now: that one is about to go, so that one is kept.
    if (entry.kind === 'file' ? stats.isFile() : identity === entry.identity) return { at, identity };
    unlinkSync(at);
    throw refuseEntry(entry.path, 'replaced');
  };

  return {
    maxBytes,
    async keep(entry, index) {
      const room = roomFor(dirname(entry.path), entry.size);
      if (typeof room === 'string') return room;
      const kept = await keepFile(entry, room.home, index);
      if (typeof kept === 'string') keptBytes -= entry.size;
      return kept;
    },
    placeFor(tree, bytes, index) {
      const room = roomFor(dirname(tree.path), bytes);
      if (typeof room === 'string') return room;
      if (!room.home.startsWith(`${tree.path}${sep}`)) return { at: join(room.home, String(index)), identity: tree.identity };
      keptBytes -= bytes;
      return 'what is kept of runs lies in it';
    },
    roomFor,
    placeBelow: (tree) => [resolvePath(stateDirectory), ...homes.values()].find((place) => `${place}${sep}`.startsWith(`${tree}${sep}`)),
  };
};

/** Copies a file with its mode and time to a name that is free. */
export const copyWhole = async ({ path, mode, mtimeMs }: Pick<Entry, 'path' | 'mode' | 'mtimeMs'>, at: string): Promise<void> => {
  await copyFile(path, at, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(at, mode);
  await utimes(at, utime(mtimeMs), utime(mtimeMs));
};

/** A directory and those above it, those nearest to the root of its device first: there it is in nobody's way. */
const outermostFirst = (directory: string): readonly string[] =>
  dirname(directory) === directory ? [directory] : [...outermostFirst(dirname(directory)), directory];

/** Whether a directory on this device is ours alone, or could be made so. */
const isOurs = (directory: string, device: number): boolean => {
  if (deviceOf(directory) !== device) return false;
  try {
    makeDirectory(directory);
  } catch {
    return false; // not ours to write: the next one is tried
  }
  const stats = statAt(directory);
  const isPrivate = process.getuid === undefined || (stats?.uid === process.getuid() && (stats.mode & 0o077) === 0);
  return stats?.isDirectory() === true && isPrivate && stats.dev === device;
};

/** The device on which a directory lies or would be made. */
const deviceOf = (directory: string): number | undefined => {
  const stats = statAt(directory);
  if (stats !== undefined) return stats.dev;
  return dirname(directory) === directory ? undefined : deviceOf(dirname(directory));
};

const makeDirectory = (directory: string): string => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
};
