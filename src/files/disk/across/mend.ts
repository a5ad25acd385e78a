import { type BigIntStats, chmodSync, fchmodSync, fchownSync, fstatSync, futimesSync, lchownSync, lstatSync, lutimesSync } from 'node:fs';
import type { LostProperty } from '../../../core/files.ts';
import { utimeNs } from '../../../lib/fs/utime.ts';
import { tolerating } from '../file/looks.ts';

/** A copy whose owner, mode and times can be looked at and set; the mode never of a link. */
export interface Mendable {
  look(): BigIntStats;
  own(uid: number, gid: number): void;
  mark(mode: number): void;
  date(atime: number | Date, mtime: number | Date): void;
}

export const openMendable = (fd: number): Mendable => ({
  look: () => fstatSync(fd, { bigint: true }),
  own: (uid, gid) => fchownSync(fd, uid, gid),
  mark: (mode) => fchmodSync(fd, mode),
  date: (atime, mtime) => futimesSync(fd, atime, mtime),
});

/** At an address in a directory that is ours alone, so that what stands there is what was looked at. */
export const mendableAt = (address: string): Mendable => ({
  look: () => lstatSync(address, { bigint: true }),
  own: (uid, gid) => lchownSync(address, uid, gid),
  mark: (mode) => chmodSync(address, mode),
  date: (atime, mtime) => lutimesSync(address, atime, mtime),
});

const RIGHTS = 0o7777n;
/** To act as the owner or the group of a file. */
const SET_ID = 0o6000n;
const NS_A_US = 1_000n;

/** Gives a copy what it still lacks of the owner, mode and time of its source, as far as can be; tells what it lacks in the end. */
export const mend = (wanted: BigIntStats, copy: Mendable, there = copy.look()): LostProperty['what'][] => {
  if (lacks(wanted, there).length === 0) return [];
  const { uid, gid } = wanted;
  if (there.uid !== uid || there.gid !== gid) {
    attempt(() => copy.own(Number(uid), Number(gid)));
    // Whoever may not give it away may often choose the group.
    if (copy.look().gid !== gid) attempt(() => copy.own(Number(there.uid), Number(gid)));
  }
  const owned = copy.look();
  const isSameOwner = owned.uid === uid && owned.gid === gid;
  // The right to act as somebody does not pass to somebody else.
  const mode = isSameOwner || wanted.isDirectory() ? wanted.mode & RIGHTS : wanted.mode & RIGHTS & ~SET_ID;
  if (!wanted.isSymbolicLink() && (owned.mode & RIGHTS) !== mode) attempt(() => copy.mark(Number(mode)));
  const late = copy.look().mtimeNs - wanted.mtimeNs;
  if (late > NS_A_US || late < -NS_A_US) attempt(() => copy.date(utimeNs(wanted.atimeNs), utimeNs(wanted.mtimeNs)));
  return lacks(wanted, copy.look());
};

const lacks = (wanted: BigIntStats, there: BigIntStats): LostProperty['what'][] => {
  const isSameMode = wanted.isSymbolicLink() || (wanted.mode & RIGHTS) === (there.mode & RIGHTS);
  const lost: LostProperty['what'][] = [];
  if (wanted.uid !== there.uid || wanted.gid !== there.gid) lost.push('owner');
  if (!isSameMode) lost.push('mode');
  if (wanted.mtimeNs !== there.mtimeNs) lost.push('time');
  return lost;
};

/** What a file system or the rights of this user do not allow is found by looking again. */
const attempt = (work: () => void): boolean => tolerating(['EPERM', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'], work);
