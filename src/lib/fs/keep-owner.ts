import { fchownSync, fstatSync, type Stats } from 'node:fs';
import { codeOf } from './system-fault.ts';

/** Whose a file has become that replaces another one. */
export type KeptOwner = 'all' | 'group' | 'none';

/** Gives an open file the owner of the one it will replace, else at least its group, where that can be done. */
export const keepOwner = (fd: number, { uid, gid }: Pick<Stats, 'uid' | 'gid'>): KeptOwner => {
  const own = fstatSync(fd);
  if ((own.uid === uid && own.gid === gid) || isGiven(fd, uid, gid)) return 'all';
  return own.gid === gid || isGiven(fd, own.uid, gid) ? 'group' : 'none';
};

const isGiven = (fd: number, uid: number, gid: number): boolean => {
  try {
    fchownSync(fd, uid, gid);
    return true;
  } catch (fault) {
    if (!REFUSALS.has(codeOf(fault))) throw fault;
    return false;
  }
};

/** Not ours to give away, a file system without owners, or an owner whom this container does not know. */
const REFUSALS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EINVAL']);
