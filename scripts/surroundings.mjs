// What surrounds the tests and is none of theirs: the top of the file system, the home of the user, shared memory.
import { lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Directories of a home that are looked into; below that, only those that hold them can tell. */
const MAX_DIRECTORIES = 3_000;
/** In shared memory other programs come and go: only what has such a name can be ours. */
const OURS_IN_MEMORY = /^\.?(factotum|Trash-)/;

/**
 * Writes down what is there: names at the top and in shared memory; names, sizes and times in the home. What tests may change is left out
 * (the clone, their temporary directory). Gives paths with what there is to tell of them, by directory.
 */
export const lookAround = ({ top = '/', home, memory = '/dev/shm', leftOut = [] }) => {
  const seen = new Map();
  seen.set(top, new Map(namesIn(top).map((name) => [name, ''])));
  seen.set(memory, new Map(namesIn(memory).flatMap((name) => (OURS_IN_MEMORY.test(name) ? [[name, '']] : []))));
  const pending = [home];
  for (let at = 0; at < pending.length && at < MAX_DIRECTORIES; at += 1) {
    const entries = new Map();
    for (const name of namesIn(pending[at])) {
      const path = join(pending[at], name);
      const stats = leftOut.includes(path) ? undefined : lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      entries.set(name, stats.isDirectory() ? 'directory' : `${stats.size} ${stats.mtimeMs}`);
      if (stats.isDirectory()) pending.push(path);
    }
    seen.set(pending[at], entries);
  }
  return seen;
};

/** One line for each path that appeared, changed or went. A directory that only one of both looked into tells nothing. */
export const changesAround = (before, after) =>
  [...before].flatMap(([directory, entries]) => {
    const now = after.get(directory);
    if (now === undefined) return [];
    const names = new Set([...entries.keys(), ...now.keys()]);
    return [...names].flatMap((name) => {
      const [was, is] = [entries.get(name), now.get(name)];
      if (was === is) return [];
      return [{ path: join(directory, name), how: was === undefined ? 'appeared' : is === undefined ? 'went' : 'changed' }];
    });
  });

/**
 * What changed between the second look and the third, but for places that changed between the first and the second as well: before the
 * tests began, so that somebody else is at work there. A place is an entry of the home or of a directory in it.
 */
export const changesByTests = (first, second, third, home) => {
  const placeOf = ({ path }) => (path.startsWith(home) ? relative(home, path).split('/', 2).join('/') : path);
  const busy = new Set(changesAround(first, second).map(placeOf));
  return changesAround(second, third).filter((change) => !busy.has(placeOf(change)));
};

const namesIn = (directory) => {
  try {
    return readdirSync(directory);
  } catch {
    return []; // missing, gone by now, or closed to us and so to tests
  }
};
