import { constants, linkSync, lstatSync, mkdirSync, unlinkSync } from 'node:fs';
import { chmod, copyFile, utimes } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Entry } from '../../core/files.ts';
import { UNDO_REASONS } from '../../core/undo-reasons.ts';
import { refuseEntry } from '../../lib/fs/directory-handle.ts';
import { keptAsideName } from '../../lib/fs/kept-aside.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { utime } from '../../lib/fs/utime.ts';
import { statAt } from '../entry.ts';
import type { Kept } from './inverse.ts';
import { identityOf } from './stamp.ts';

export interface KeeperOptions {
  readonly runId: string;
  /** Old files of its device are kept below it; those of others in a hidden directory of ours there. */
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
  /** A directory of ours on the device of a path, with room for so many more bytes; a text says why there is none. */
  roomFor(path: string, bytes: number): { readonly home: string } | string;
}

/** What is copied where a second name is not possible. */
const MAX_COPY_BYTES = 64 * 1024 * 1024;

export const createKeeper = ({ runId, stateDirectory, maxBytes }: KeeperOptions): Keeper => {
  const homes = new Map<number, string | undefined>();
  let keptBytes = 0;

  /** The directory of this run on the device of a file. */
  const homeFor = (path: string, device: number): string | undefined => {
    if (!homes.has(device)) {
      const candidates = [join(stateDirectory, 'undo'), ...outermostFirst(path).map((directory) => join(directory, keptAsideName()))];
      const home = candidates.find((candidate) => isOurs(candidate, device));
      homes.set(device, home && makeDirectory(join(home, runId)));
    }
    return homes.get(device);
  };

  const roomFor: Keeper['roomFor'] = (path, bytes) => {
    if (keptBytes + bytes > maxBytes) return UNDO_REASONS.tooLarge;
    const home = homeFor(path, lstatSync(path).dev);
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
      const room = roomFor(entry.path, entry.size);
      if (typeof room === 'string') return room;
      const kept = await keepFile(entry, room.home, index);
      if (typeof kept === 'string') keptBytes -= entry.size;
      return kept;
    },
    placeFor(tree, bytes, index) {
      const room = roomFor(tree.path, bytes);
      if (typeof room === 'string') return room;
      if (!room.home.startsWith(`${tree.path}${sep}`)) return { at: join(room.home, String(index)), identity: tree.identity };
      keptBytes -= bytes;
      return 'what is kept of runs lies in it';
    },
    roomFor,
  };
};

/** Copies a file with its mode and time to a name that is free. */
export const copyWhole = async ({ path, mode, mtimeMs }: Pick<Entry, 'path' | 'mode' | 'mtimeMs'>, at: string): Promise<void> => {
  await copyFile(path, at, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(at, mode);
  await utimes(at, utime(mtimeMs), utime(mtimeMs));
};

/** The directories above a path, those nearest to the root of its device first: there it is in nobody's way. */
const outermostFirst = (path: string): readonly string[] => {
  const above: string[] = [];
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    above.unshift(directory);
    if (directory === dirname(directory)) return above;
  }
};

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
