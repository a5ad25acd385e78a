import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { DIRECTORY_FLAGS, entryPath } from '../../lib/fs/directory-handle.ts';
import { keepOwner } from '../../lib/fs/keep-owner.ts';
import { isAbandoned, newPartName } from '../../lib/fs/part-name.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { utime } from '../../lib/fs/utime.ts';
import { houseSweeper } from '../disk/sweep.ts';
import { statAt } from '../entry.ts';
import { type Spot, slotOf } from '../place.ts';
import type { Owner } from './inverse.ts';
import { copyWhole } from './keep.ts';

/** What became of taking one change back. Taking it back again changes nothing. */
export type Reverted = { readonly isUndone: true } | { readonly isUndone: false; readonly reason: string };

/** It is as before. */
export const UNDONE: Reverted = { isUndone: true };
/** It stays as it is, and why. */
export const refused = (reason: string): Reverted => ({ isUndone: false, reason });

/** A copy may lie on what the system takes for another device; then it is copied again, beside its place. */
export const bringBack = async (kept: string, spot: Spot): Promise<void> => {
  try {
    renameSync(kept, slotOf(spot));
  } catch (fault) {
    if (codeOf(fault) !== 'EXDEV') throw fault;
    houseSweeper.touched(spot.parent);
    const part = slotOf(spot.beside(newPartName()));
    const { mode, mtimeMs } = lstatSync(kept);
    await copyWhole({ path: kept, mode: mode & 0o7777, mtimeMs }, part);
    spot.demandInPlace();
    renameSync(part, slotOf(spot));
    unlinkSync(kept);
  }
};

const FULL: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST']);

/** Removes a directory in which there is nothing, or only what a killed process was writing. */
export const removeDirectory = (spot: Spot): Reverted => {
  const address = slotOf(spot);
  for (const name of readdirSync(address).filter(isAbandoned)) rmSync(entryPath(address, name), { recursive: true, force: true });
  try {
    rmdirSync(address);
    return UNDONE;
  } catch (fault) {
    if (!FULL.has(codeOf(fault))) throw fault;
    return refused('there is something in it that came since');
  }
};

interface DirectoryLooks {
  readonly mode: number;
  readonly mtimeMs: number;
}

/** Makes a directory that was deleted; `onLost` is told where it is not whose it was. */
export const makeDirectory = (
  address: string,
  { owner, ...looks }: DirectoryLooks & { readonly owner?: Owner },
  onLost: () => void,
): Reverted => {
  mkdirSync(address);
  if (owner !== undefined && !giveOwner(address, owner)) onLost();
  return setLooks(address, looks);
};

/** Before the mode, of which it may clear bits. */
const giveOwner = (address: string, owner: Owner): boolean => {
  const fd = openSync(address, DIRECTORY_FLAGS);
  try {
    return keepOwner(fd, owner) === 'all';
  } finally {
    closeSync(fd);
  }
};

/** Gives a file or directory its mode and time back. */
export const setLooks = (address: string, { mode, mtimeMs }: DirectoryLooks): Reverted => {
  const there = lstatSync(address);
  chmodSync(address, mode);
  // A time that was not changed is left alone: set again, it would lose what is finer than a microsecond.
  if (!isSameTime(there, { mtimeMs })) utimesSync(address, utime(there.atimeMs), utime(mtimeMs));
  return UNDONE;
};

/** Whether two times are the same as far as they are kept. */
export const isSameTime = (one: { readonly mtimeMs: number }, other: { readonly mtimeMs: number }): boolean =>
  Math.round(one.mtimeMs) === Math.round(other.mtimeMs);

/** Whether a link with this text stands at a path. */
export const isLinkTo = (path: string, target: string): boolean => {
  const there = statAt(path);
  return there?.isSymbolicLink() === true && readlinkSync(path) === target;
};
