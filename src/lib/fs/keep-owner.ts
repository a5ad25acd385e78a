import { fchownSync, fstatSync, type Stats } from 'node:fs';
import { codeOf } from './system-fault.ts';

/** Gives an open file the owner of the one it will replace, where that can be done. */
export const keepOwner = (fd: number, { uid, gid }: Stats): void => {
  const own = fstatSync(fd);
  if (own.uid === uid && own.gid === gid) return;
  try {
    fchownSync(fd, uid, gid);
  } catch (fault) {
    if (!REFUSALS.has(codeOf(fault))) throw fault;
  }
};

/** Not ours to give away, or a file system without owners. */
const REFUSALS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP']);
