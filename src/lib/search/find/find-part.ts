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

/** Names that were found, in the order of paths. */
export interface FoundNames {
  /** Of each group of names the directory they are in, from the root, `/` behind every name. */
  readonly directories: string[];
  readonly groups: (readonly string[])[];
  readonly unreadable: LeftOut;
}

/** Prepares the search of parts of a tree; one query serves for many. */
export const findPart = ({ pattern, exclude, filesOnly, most, after }: FindQuery): (() => PartWork<FoundNames>) => {
  const { includes, excludes } = createEntryFilter({ include: pattern, exclude, ignoreCase: true });
  const isBehind = after === null ? () => true : (relative: string) => relative > after;
  /** Something below a directory is behind the path. */
  const reachesBehind = (relative: string) => isBehind(relative) || after?.startsWith(relative) === true;
  return () => {
    const found: FoundNames = { directories: [], groups: [], unreadable: nothingLeftOut() };
    let missing = most;
    const add = (directory: string, names: readonly string[]): 'end' | undefined => {
      found.directories.push(directory);
      found.groups.push(names);
      missing -= names.length;
      return missing > 0 ? undefined : 'end';
    };
    return {
      visitor: {
        wants: (name, kind, directory) =>
          (kind === 'file' || !filesOnly) &&
          includes(name, directory) &&
          !excludes(name, directory) &&
          (after === null || isBehind(directory.relative + name)),
        enters: (name, parent) => !excludes(name, parent) && (after === null || reachesBehind(`${parent.relative}${name}/`)),
        entry: (name, _kind, directory) => add(directory.relative, [name]),
        files(run) {
          const from = run.next;
          run.next = Math.min(run.until, from + missing);
          return add(run.directory.relative, run.steps.slice(from, run.next));
        },
        unreadable: (relative, fault) => leaveUnreadable(found.unreadable, relative, fault),
      },
      end: () => found,
    };
  };
};
