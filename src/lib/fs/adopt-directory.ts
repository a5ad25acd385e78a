import { readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories } from './make-directories.ts';
import { codeOf } from './system-fault.ts';

/** Takes over what an earlier version kept in a directory of another name; mostly there is none. */
export const adoptDirectory = async (from: string, to: string): Promise<void> => {
  const names = await unlessGone(readdir(from));
  if (names === undefined) return;
  makeDirectories(to, 0o700);
  for (const name of names) await unlessGone(rename(join(from, name), join(to, name)));
  await unlessGone(rmdir(from));
};

/** Somebody else may take it over at the same time, or that version may still put something there, which is taken over the next time. */
const unlessGone = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (fault) {
    if (TOLERATED.has(codeOf(fault))) return undefined;
    throw fault;
  }
};

const TOLERATED: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTEMPTY', 'EEXIST']);
