import { chmodSync, statSync, utimesSync } from 'node:fs';
import { codeOf } from '../fs/system-fault.ts';
import { utimeNs } from '../fs/utime.ts';

/** Gives a directory the mode and the times of another, if that is still there. Somebody else's keeps its own: what was put into it is there all the same. */
export const dressLike = (from: string, to: string): void => {
  const looks = statSync(from, { bigint: true, throwIfNoEntry: false });
  if (looks === undefined) return;
  try {
    chmodSync(to, Number(looks.mode) & 0o7777);
    utimesSync(to, utimeNs(looks.atimeNs), utimeNs(looks.mtimeNs));
  } catch (fault) {
    if (codeOf(fault) !== 'EPERM') throw fault;
  }
};
