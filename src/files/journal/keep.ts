import { constants, linkSync, lstatSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { chmod, copyFile, utimes } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Entry } from '../../core/files.ts';
import type { Change, UndoLimits } from '../../core/journal.ts';
import { createKeptCount, type Keepable } from '../../core/kept-count.ts';
import { UNDO_REASONS } from '../../core/undo-reasons.ts';
import { deviceRoom } from '../../lib/fs/device-room.ts';
import { refuseEntry } from '../../lib/fs/directory-handle.ts';
import { resolvePath } from '../../lib/fs/resolve.ts';
import { codeOf, isFull } from '../../lib/fs/system-fault.ts';
import { utime } from '../../lib/fs/utime.ts';
import { findHome, makeDirectory } from './homes.ts';
import type { Kept } from './inverse.ts';
import { identityAt, identityOf } from './stamp.ts';

export interface KeeperOptions {
  readonly runId: string;
  /** Old files of its device are kept in a directory of ours in it; those of others in one on their device. */
  readonly stateDirectory: string;
  readonly limits: UndoLimits;
  /** Where all threads of the run count what they keep; left out where nobody else keeps something for it. */
  readonly count?: SharedArrayBuffer;
}

/** Keeps old files aside before they go. */
export interface Keeper extends Pick<KeeperOptions, 'limits'> {
  /** A second name of the file on its device, or a small copy; a text says why neither is possible. */
  keep(entry: Entry, index: number): Promise<Kept | string>;
  /** Where a directory can be moved to with all in it; a text says why it cannot. */
  placeFor(tree: Entry, size: Keepable, index: number): Kept | string;
  /** A directory of ours on the device of a directory, with room for so much more; a text says why there is none. */
  roomFor(directory: string, size: Keepable): KeepingRoom | string;
  /** A directory of ours in a tree, which would lose what is kept if it went elsewhere. */
  placeBelow(tree: string): string | undefined;
  /** A further change is about to be made. */
  expect(change: Change): void;
  /** Lets go of what was kept for a change that cannot be undone after all. */
  giveUp(kept: Kept): void;
  /** Lets go, when the run has ended, of what was kept for changes that were never made. */
  close(): void;
}

/** Where old files of a device go, until something is not kept after all. */
export interface KeepingRoom {
  readonly home: string;
  giveBack(): void;
}

/** What is copied where a second name is not possible. */
const MAX_COPY_BYTES = 64 * 1024 * 1024;

export const createKeeper = ({ runId, stateDirectory, limits, count: place }: KeeperOptions): Keeper => {
  const homes = new Map<number, string>();
  /** Where none could be made. */
  const refused = new Set<string>();
  const count = createKeptCount(place);
  /** What was kept, by the name that it goes from; only for as long as nothing else happens to that name. */
  const latest = new Map<string, Kept>();

  /** The directory of this run on the device of a directory. */
  const homeFor = (directory: string): string | undefined => {
    const device = lstatSync(directory).dev;
    const known = homes.get(device);
    if (known !== undefined || refused.has(directory)) return known;
    const home = findHome(stateDirectory, directory, device);
    if (home === undefined) refused.add(directory);
    else homes.set(device, makeDirectory(join(home, runId)));
    return homes.get(device);
  };

  const roomFor: Keeper['roomFor'] = (directory, size) => {
    const room = deviceRoom(directory);
    const refusal = count.refuse(size, limits, room);
    if (refusal !== undefined) return refusal;
    const giveBack = () => count.giveBack(size, room);
    const home = homeFor(directory);
    if (home !== undefined) return { home, giveBack };
    giveBack();
    return 'there is no room of ours on its device';
  };

  const keepFile = async (entry: Entry, home: string, index: number): Promise<Kept | string> => {
    const at = join(home, String(index));
    try {
      linkSync(entry.path, at);
    } catch (fault) {
      if (entry.kind !== 'file' || entry.size > MAX_COPY_BYTES) return `the system refuses a second name (${codeOf(fault) ?? 'unknown'})`;
      return keepCopy(entry, at);
    }
    const stats = lstatSync(at);
    const identity = identityOf(stats);
    // Another file may have its name by now: that one is about to go, so that one is kept.
    if (entry.kind === 'file' ? stats.isFile() : identity === entry.identity) return { at, identity };
    unlinkSync(at);
    throw refuseEntry(entry.path, 'replaced');
  };

  return {
    limits,
    async keep(entry, index) {
      const room = roomFor(dirname(entry.path), { bytes: entry.size, files: 1 });
      if (typeof room === 'string') return room;
      const kept = await keepFile(entry, room.home, index);
      if (typeof kept === 'string') room.giveBack();
      else latest.set(entry.path, kept);
      return kept;
    },
    placeFor(tree, size, index) {
      const room = roomFor(dirname(tree.path), size);
      return typeof room === 'string' ? room : { at: join(room.home, String(index)), identity: tree.identity, files: size.files };
    },
    roomFor,
    expect(change) {
      if (change.kind === 'move' || change.kind === 'delete_tree')
        latest.clear(); // whatever moves may bring a file back to its name
      else latest.delete(change.path);
    },
    giveUp: ({ at }) => rmSync(at, { force: true }),
    close() {
      for (const [path, { at, identity }] of latest) if (identityAt(path) === identity) rmSync(at, { force: true });
      // An empty one says nothing; one with something in it stays.
      for (const home of homes.values()) if (removeIfEmpty(home)) removeIfEmpty(dirname(home));
    },
    placeBelow: (tree) => [resolvePath(stateDirectory), ...homes.values()].find((place) => `${place}${sep}`.startsWith(`${tree}${sep}`)),
  };
};

const removeIfEmpty = (directory: string): boolean => {
  try {
    rmdirSync(directory);
    return true;
  } catch {
    return false;
  }
};

const keepCopy = async (entry: Entry, at: string): Promise<Kept | string> => {
  try {
    await copyWhole(entry, at);
    return { at, identity: identityOf(lstatSync(at)) };
  } catch (fault) {
    rmSync(at, { force: true });
    if (isFull(fault)) return UNDO_REASONS.noRoom;
    throw fault;
  }
};

/** Copies a file with its mode and time to a name that is free. */
export const copyWhole = async ({ path, mode, mtimeMs }: Pick<Entry, 'path' | 'mode' | 'mtimeMs'>, at: string): Promise<void> => {
  await copyFile(path, at, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(at, mode);
  await utimes(at, utime(mtimeMs), utime(mtimeMs));
};
