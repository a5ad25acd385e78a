import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Whether a directory takes names that differ only in case for one; told by looking, nothing is written. */
export const isCaseBlind = (directory: string): boolean => {
  const own = basename(directory);
  if (flipped(own) !== own) return isSame(directory, join(dirname(directory), flipped(own)));
  const inside = readdirSync(directory).find((name) => flipped(name) !== name);
  if (inside !== undefined) return isSame(join(directory, inside), join(directory, flipped(inside)));
  return process.platform === 'darwin' || process.platform === 'win32';
};

const flipped = (name: string): string => (name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase());

const isSame = (one: string, other: string): boolean => {
  const [here, there] = [one, other].map((path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  return here !== undefined && here.ino === there?.ino && here.dev === there.dev;
};
