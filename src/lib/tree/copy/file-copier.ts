import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  futimesSync,
  openSync,
  readSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { keepOwner } from '../../fs/keep-owner.ts';
import { newFileMode } from '../../fs/new-file-mode.ts';
import { ownFault } from '../../fs/system-fault.ts';
import { utimeNs } from '../../fs/utime.ts';
import type { Side } from '../tree-fault.ts';

/** Copies regular files, one at a time, by synchronous calls; a large one in steps. Faults are the system's own. */
export interface FileCopier {
  readonly isOpen: boolean;
  /** Where it worked last: after a fault, where that happened. A copy that is finished is for the target to take. */
  readonly side: Side;
  /** Begins with a file; nothing may stand at `to`. `hidden` names its directory where that is out of sight: elsewhere nobody else may look in. */
  open(from: string, to: string, hidden?: string): void;
  /** What stands at the target now was made by it. */
  readonly isMade: boolean;
  /** Copies some of it; tells whether all is copied. */
  step(): boolean;
  /** How many bytes are copied. */
  readonly bytes: number;
  /** The copy that was finished last did not get the owner of the file it replaces. */
  readonly hasLostOwner: boolean;
  /** Gives the copy its looks, and the owner of the file it will replace, and closes it; false where its source was written to meanwhile and that matters. */
  finish(replaced?: Stats): boolean;
  /** Leaves the copy as it is. */
  close(): void;
}

export interface FileCopierOptions {
  /** Times and mode. */
  readonly keepMetadata: boolean;
  /** Look whether a file was written to while it was copied. */
  readonly isSettled: boolean;
}

/** Never through a link, never waiting at a pipe; Windows has neither flag. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const CREATE_FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

/** Larger blocks leave the cache of the processor between reading and writing. */
const BLOCK_BYTES = 64 * 1024;
const BLOCKS_PER_STEP = 16;

export const createFileCopier = ({ keepMetadata, isSettled }: FileCopierOptions): FileCopier => {
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  let source = -1;
  let target = -1;
  let isMade = false;
  let side: Side = 'source';
  let stats: BigIntStats | undefined;
  let mode = 0;
  /** The mode that a file got when it was made in a directory; its rules may give another than was asked for. Asked of every file it would cost. */
  let made: { readonly directory: string; readonly asked: number; readonly given: number } | undefined;
  let hasMode = false;
  let size = 0;
  let done = 0;
  let hasLostOwner = false;

  /** Copies a block; false at the end. */
  const copyBlock = (): boolean => {
    side = 'source';
    const wanted = Math.min(BLOCK_BYTES, size - done);
    const bytes = wanted === 0 ? 0 : readSync(source, block, 0, wanted, null);
    if (bytes === 0) {
      if (done < size && size !== UNTOLD) throw ownFault('ECHANGED');
      return false;
    }
    side = 'target';
    for (let written = 0; written < bytes; ) written += writeSync(target, block, written, bytes - written, null);
    done += bytes;
    return done < size;
  };

  const close = (): void => {
    const open = [source, target].filter((fd) => fd >= 0);
    source = -1;
    target = -1;
    stats = undefined;
    for (const fd of open) closeSync(fd);
  };

  const givenIn = (directory: string): number => {
    if (made?.directory !== directory || made.asked !== mode) made = { directory, asked: mode, given: fstatSync(target).mode & 0o7777 };
    return made.given;
  };

  return {
    get isOpen() {
      return source >= 0;
    },
    get isMade() {
      return isMade;
    },
    get bytes() {
      return done;
    },
    get hasLostOwner() {
      return hasLostOwner;
    },
    get side() {
      return side;
    },
    open(from, to, hidden) {
      side = 'source';
      isMade = false;
      source = openSync(from, READ_FLAGS);
      stats = fstatSync(source, { bigint: true }); // times are exact only so
      if (!stats.isFile()) throw ownFault('ECHANGED');
      // Files of the system (/proc) tell no size; they are read to their end.
      size = stats.size === 0n ? UNTOLD : Number(stats.size);
      done = 0;
      side = 'target';
      mode = keepMetadata ? Number(stats.mode) & 0o777 : newFileMode();
      target = openSync(to, CREATE_FLAGS, hidden === undefined ? 0o600 : mode);
      isMade = true;
      hasMode = hidden !== undefined && givenIn(hidden) === mode;
    },
    step() {
      for (let blocks = 0; blocks < BLOCKS_PER_STEP; blocks += 1) if (!copyBlock()) return true;
      return false;
    },
    finish(replaced) {
      if (stats === undefined) return false;
      side = 'target';
      hasLostOwner = replaced?.isFile() === true && keepOwner(target, replaced) !== 'all'; // first, because it may clear bits of the mode
      if (!hasMode) fchmodSync(target, mode);
      if (keepMetadata) futimesSync(target, utimeNs(stats.atimeNs), utimeNs(stats.mtimeNs));
      const isWhole = !isSettled || isUnchanged(stats, fstatSync(source, { bigint: true }));
      if (!isWhole) side = 'source';
      close();
      return isWhole;
    },
    close,
  };
};

const UNTOLD = Number.MAX_SAFE_INTEGER;

const isUnchanged = (then: BigIntStats, now: BigIntStats): boolean => now.size === then.size && now.mtimeNs === then.mtimeNs;
