import { readFileSync } from 'node:fs';
import { JsonActionException } from '../core/errors.ts';
import { translate } from '../lib/fs/faults.ts';
import { readJson } from '../lib/json/read.ts';
import type { Cli } from './cli.ts';
import { readStdin } from './terminal/stdin.ts';

/** Reads the JSON of a list from a file, or from standard input for `-`. */
export const readList = async (file: string, { wants }: Cli): Promise<unknown> => {
  const name = file === '-' ? 'standard input' : file;
  return readJson(file === '-' ? await readStdin() : readBytes(file), { allowBom: true, name, excerpt: !wants.json });
};

const readBytes = (file: string): Buffer => {
  try {
    return readFileSync(file); // nothing else goes on yet, and the promises of Node take longer to load than a list to read
  } catch (fault) {
    throw new JsonActionException(`The list cannot be read: ${translate(fault, { path: file }).message}`, {
      cause: fault,
      context: { path: file },
    });
  }
};
