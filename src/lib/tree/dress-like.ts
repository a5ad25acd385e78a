import { chmodSync, statSync, utimesSync } from 'node:fs';
import { codeOf } from '../fs/system-fault.ts';
import { utime } from '../fs/utime.ts';

/** Gives a directory the mode and the times of another. Somebody else's keeps its own: what was put into it is there all the same. */
export const dressLike = (from: string, to: string): void => {
  const { mode, atimeMs, mtimeMs } = statSync(from);
  try {
    chmodSync(to, mode & 0o7777);
    utimesSync(to, utime(atimeMs), utime(mtimeMs));
  } catch (fault) {
    if (codeOf(fault) !== 'EPERM') throw fault;
  }
};
