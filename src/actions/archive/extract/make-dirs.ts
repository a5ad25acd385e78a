import { dirname } from 'node:path';
import type { FilePort } from '../../../core/files.ts';

/** Makes directories with their parents below a root that exists, each once; tells whether it was missing. */
export const dirMaker = (files: FilePort, root: string): ((directory: string) => Promise<boolean>) => {
  const known = new Set([root]);
  const make = async (directory: string): Promise<boolean> => {
    if (known.has(directory)) return false;
    await make(dirname(directory));
    known.add(directory);
    return files.makeDir(directory);
  };
  return make;
};
