import { lstatSync, type Stats } from 'node:fs';
import type { WalkedDirectory } from '../../fs/walk.ts';
import { type PartAnswer, type PartWork, type SharedParts, takeParts } from '../../fs/walk-shared.ts';
import { createEntryFilter } from '../../search/entry-filter.ts';
import { leaveUnreadable, nothingLeftOut } from '../../search/left-out.ts';
import type { Done } from '../../workers/task.ts';
import type { SizedFiles } from './sized-files.ts';

/** Which files are looked at. Plain data, for other threads. */
export interface SizeQuery {
  readonly minBytes: number;
  readonly exclude: readonly string[];
  /** Whether to tell when each was changed. */
  readonly withTimes: boolean;
}

/** What other threads are asked for. */
export interface SizeOrder {
  readonly shared: SharedParts;
  readonly query: SizeQuery;
}

/** Takes part in looking at the sizes of files; a task for other threads. */
export const sizeFiles = ({ shared, query }: SizeOrder): Done<readonly PartAnswer<SizedFiles>[]> => {
  const value = takeParts(shared, sizePart(query));
  return { value, transfer: value.flatMap(({ result }) => [result.names.buffer, result.sizes.buffer, result.times.buffer]) };
};

/** Prepares to look at the sizes of the files in parts of a tree; one query serves for many. Nothing is opened; unfinished files are left out. */
export const sizePart = ({ minBytes, exclude, withTimes }: SizeQuery): (() => PartWork<SizedFiles>) => {
  const { excludes } = createEntryFilter({ include: null, exclude, ignoreCase: false });
  return () => {
    const directories: string[] = [];
    const counts: number[] = [];
    const names: string[] = [];
    const sizes: number[] = [];
    const times: number[] = [];
    const linked: { readonly at: number; readonly identity: string }[] = [];
    const unreadable = nothingLeftOut();
    let current: WalkedDirectory | undefined;
    const keep = (name: string, { size, mtimeMs }: Stats, directory: WalkedDirectory) => {
      if (directory !== current) {
        current = directory;
        directories.push(directory.relative);
        counts.push(0);
      }
      counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
      names.push(name);
      sizes.push(size);
      if (withTimes) times.push(mtimeMs);
    };
    return {
      visitor: {
        wants: (name, kind, directory) => kind === 'file' && !excludes(name, directory),
        enters: (name, parent) => !excludes(name, parent),
        entry(name, _kind, directory) {
          const address = directory.address(name);
          const stats = lstatSync(address, { throwIfNoEntry: false });
          if (stats?.isFile() !== true || stats.size < minBytes) return undefined;
          if (stats.nlink > 1) linked.push({ at: names.length, identity: identityOf(address) });
          keep(name, stats, directory);
          return undefined;
        },
        unreadable: (relative, fault) => leaveUnreadable(unreadable, relative, fault),
      },
      end: () => ({
        directories,
        counts,
        names: new TextEncoder().encode(names.map((name) => `${name}\0`).join('')),
        sizes: Float64Array.from(sizes),
        times: Float64Array.from(times),
        linked,
        unreadable,
      }),
    };
  };
};

/** Asked with whole numbers: as fractions, two large ones may look alike. */
const identityOf = (address: string): string => {
  const stats = lstatSync(address, { bigint: true, throwIfNoEntry: false });
  return `${stats?.dev}:${stats?.ino}`;
};
