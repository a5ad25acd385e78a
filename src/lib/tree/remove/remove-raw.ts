import { rmdirSync, unlinkSync } from 'node:fs';
import { type RawName, visitRaw } from '../../fs/raw-names.ts';

/** Removes an entry of a directory that has no name as text, with all below it; answers how many entries that were, without directories. */
export const removeRaw = (directory: string, name: RawName): number => {
  let count = 0;
  visitRaw(directory, name, (address, kind) => {
    if (kind === 'dir') return rmdirSync(address);
    unlinkSync(address);
    count += 1;
  });
  return count;
};
