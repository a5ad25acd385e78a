import { constants, fstatSync, renameSync, type Stats, unlinkSync } from 'node:fs';
import type { LostAttribute, Withdraw } from '../../../core/journal.ts';
import { entryPath } from '../../../lib/fs/directory-handle.ts';
import { keptPartName, newPartName } from '../../../lib/fs/part-name.ts';
import { renameIfFree } from '../../../lib/fs/rename-if-free.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';
import { type Spot, slotOf } from '../../place.ts';
import { lookAt } from '../disk.ts';
import { takeFree, takeName } from './hold-spot.ts';
import { dress, type Looks, lossesOf } from './looks.ts';
import { type OpenFile, openFile } from './open-file.ts';
import { openToSync } from './sync-directory.ts';

/** How an aside becomes the file. */
export interface Commit {
  readonly looks: Looks;
  /** The file before the rename and its directory after it are synced to the device. */
  readonly durable: boolean;
  /** Fail with EEXIST instead of replacing. */
  readonly exclusive: boolean;
  /** The path for errors, where a file is replaced only in turn with others who replace it; left out where the caller sees to that. */
  readonly inTurn?: string | undefined;
  readonly signal: AbortSignal;
  /** Told what of owner and mode the file lacks, once it has its name. */
  onLost(what: LostAttribute['what']): void;
  /** The last word before the name is taken, with what will be replaced and what will stand there; throws to prevent it. */
  before(replaced: Stats | undefined, arriving: Stats): Promise<Withdraw | undefined>;
  /** Called after it with nothing but the rename to follow; throws to prevent that. */
  atLast?(): void;
}

/** A file that is written next to its target and appears there whole or not at all. Faults are the system's own. */
export interface Aside {
  readonly file: OpenFile;
  /** It has its name; what fails afterwards does not take that back. */
  readonly isNamed: boolean;
  /** Gives the file its name, replacing a link instead of following it. */
  commit(how: Commit): Promise<void>;
  /** Removes the file unless it has its name, and tells whether; may be called again. Never fails: what cannot go now is swept later. */
  discard(): Promise<boolean>;
  /** Set where it stays when nobody gives it its name: how long it was when it was opened. */
  readonly keptBytes?: number;
  /** Closes it and lets it stay. */
  leave(): Promise<void>;
}

/** Flags for a new file: nobody's but ours, whatever was put in its way. Windows has no O_NOFOLLOW: Node leaves it undefined. */
export const CREATE_FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

const KEPT_FLAGS = constants.O_CREAT | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens what an earlier process has left, or begins it. What is not a file of this user alone was put in its way and is replaced. */
const openKept = (address: string): OpenFile => {
  try {
    const file = openFile(address, KEPT_FLAGS, 0o600);
    const { uid, nlink, mode } = fstatSync(file.fd);
    const isOwn = (process.getuid === undefined || uid === process.getuid()) && nlink === 1 && (mode & 0o7077) === 0;
    if (isOwn && fstatSync(file.fd).isFile()) return file;
    void file.close();
  } catch (fault) {
    if (codeOf(fault) !== 'ELOOP' && codeOf(fault) !== 'ENXIO') throw fault;
  }
  unlinkSync(address);
  return openFile(address, CREATE_FLAGS, 0o600);
};

/** Starts a file next to a spot, which must outlive it. One that is kept goes on with what is there. */
export const openAside = (spot: Spot, keptAs?: string): Aside => {
  const address = entryPath(spot.directory, keptAs === undefined ? newPartName() : keptPartName(keptAs));
  const file = keptAs === undefined ? openFile(address, CREATE_FLAGS, 0o600) : openKept(address);
  let isNamed = false;
  const close = async (): Promise<void> => {
    try {
      await file.close();
    } catch {
      // a close that fails has closed all the same
    }
  };
  return {
    file,
    ...(keptAs !== undefined && { keptBytes: fstatSync(file.fd).size }),
    leave: close,
    get isNamed() {
      return isNamed;
    },
    async commit({ looks, durable, exclusive, inTurn, signal, onLost, before, atLast }) {
      const replaced = lookAt(spot);
      const wanted = dress(file.fd, { ...looks, replaced: replaced?.isFile() ? replaced : undefined });
      if (durable) await file.sync();
      const arriving = fstatSync(file.fd);
      const lost = lossesOf(arriving, wanted);
      await file.close();
      using directory = durable ? openToSync(spot.directory) : undefined;
      signal.throwIfAborted();
      const giveName = async (there: Stats | undefined): Promise<void> => {
        const withdraw = await before(there, arriving);
        spot.demandInPlace();
        atLast?.();
        if (exclusive || (inTurn !== undefined && there === undefined)) await takeFree(() => renameIfFree(address, slotOf(spot)), withdraw);
        else renameSync(address, slotOf(spot));
      };
      if (inTurn === undefined) await giveName(replaced);
      else await takeName(spot, { there: replaced, shown: inTurn, signal, exclusive }, giveName);
      isNamed = true;
      for (const what of lost) onLost(what);
      spot.demandInPlace();
      await directory?.sync();
    },
    async discard() {
      if (isNamed) return false;
      await close();
      try {
        unlinkSync(address);
      } catch {
        // gone already, or left for the sweeper
      }
      return true;
    },
  };
};
