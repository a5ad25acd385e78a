import type { WalkedDirectory } from '../../fs/walk.ts';
import type { PartWork } from '../../fs/walk-shared.ts';
import { createEntryFilter } from '../entry-filter.ts';
import { type LeftOut, leaveUnreadable, nothingLeftOut } from '../left-out.ts';

/** What to find below a root. Plain data, for other threads. */
export interface FindQuery {
  readonly pattern: string;
  readonly exclude: readonly string[];
  readonly filesOnly: boolean;
  /** No more than so many are needed. */
  readonly most: number;
  /** Only what comes behind this path, from the root and with `/`. */
  readonly after: string | null;
}

/** Names that were found, directory by directory. */
export interface FoundNames {
  /** From the root, `/` behind every name. */
  readonly directories: string[];
  /** How many of the names are in each directory. */
  readonly counts: number[];
  readonly names: string[];
  readonly unreadable: LeftOut;
}

/** Prepares the search of parts of a tree; one query serves for many. */
export const findPart = ({ pattern, exclude, filesOnly, most, after }: FindQuery): (() => PartWork<FoundNames>) => {
  const { includes, excludes } = createEntryFilter({ include: pattern, exclude, ignoreCase: true });
  const isBehind = after === null ? () => true : (relative: string) => relative > after;
  /** Something below a directory is behind the path. */
  const reachesBehind = (relative: string) => isBehind(relative) || after?.startsWith(relative) === true;
  return () => {
    const found: FoundNames = { directories: [], counts: [], names: [], unreadable: nothingLeftOut() };
    let current: WalkedDirectory | undefined;
    return {
      visitor: {
        wants: (name, kind, directory) =>
          (kind === 'file' || !filesOnly) &&
          includes(name, directory) &&
          !excludes(name, directory) &&
          (after === null || isBehind(directory.relative + name)),
        enters: (name, parent) => !excludes(name, parent) && (after === null || reachesBehind(`${parent.relative}${name}/`)),
        entry(name, _kind, directory) {
          if (directory !== current) {
            current = directory;
            found.directories.push(directory.relative);
            found.counts.push(0);
          }
          found.names.push(name);
          found.counts[found.counts.length - 1] = (found.counts.at(-1) ?? 0) + 1;
          return found.names.length < most ? undefined : 'end';
        },
        unreadable: (relative, fault) => leaveUnreadable(found.unreadable, relative, fault),
      },
      end: () => found,
    };
  };
};

/** Adds the names to a list, each behind what stands for its directory. */
export const addNames = (to: string[], { directories, counts, names }: FoundNames, prefixOf: (directory: string) => string): void => {
  let at = 0;
  for (const [index, directory] of directories.entries()) {
    const prefix = prefixOf(directory);
    for (const end = at + (counts[index] ?? 0); at < end; at += 1) to.push(prefix + names[at]);
  }
};
