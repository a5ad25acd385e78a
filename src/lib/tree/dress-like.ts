import { chmodSync, statSync, utimesSync } from 'node:fs';
import { codeOf } from '../fs/system-fault.ts';
import { utime } from '../fs/utime.ts';

/** Gives a directory the mode and the times of another, if that is still there. Somebody else's keeps its own: what was put into it is there all the same. */
export const dressLike = (from: string, to: string): void => {
  const looks = statSync(from, { throwIfNoEntry: false });
  if (looks === undefined) return;
  try {
    chmodSync(to, looks.mode & 0o7777);
    utimesSync(to, utime(looks.atimeMs), utime(looks.mtimeMs));
  } catch (fault) {
    if (codeOf(fault) !== 'EPERM') throw fault;
  }
};
