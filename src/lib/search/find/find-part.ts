import type { PartWork } from '../../fs/walk-shared.ts';
import { createEntryFilter } from '../entry-filter.ts';
import { type LeftOut, leaveUnreadable, nothingLeftOut } from '../left-out.ts';
import { createPathWriter, type PathForm, type PathText } from './path-text.ts';

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

/** What was found, in the order of paths. */
export interface FoundPaths extends PathText {
  readonly count: number;
  readonly unreadable: LeftOut;
}

/** Prepares the search of parts of a tree; one query serves for many. */
export const findPart = ({ pattern, exclude, filesOnly, most, after }: FindQuery, form: PathForm): (() => PartWork<FoundPaths>) => {
  const { includes, excludes } = createEntryFilter({ include: pattern, exclude, ignoreCase: true });
  const isBehind = after === null ? () => true : (relative: string) => relative > after;
  /** Something below a directory is behind the path. */
  const reachesBehind = (relative: string) => isBehind(relative) || after?.startsWith(relative) === true;
  return () => {
    const writer = createPathWriter(form);
    const unreadable = nothingLeftOut();
    let count = 0;
    const add = (directory: string, names: readonly string[]): 'end' | undefined => {
      writer.add(directory, names);
      count += names.length;
      return count < most ? undefined : 'end';
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
          run.next = Math.min(run.until, from + most - count);
          return add(run.directory.relative, run.steps.slice(from, run.next));
        },
        unreadable: (relative, fault) => leaveUnreadable(unreadable, relative, fault),
      },
      end: () => ({ ...writer.text(), count, unreadable }),
    };
  };
};
