import { lstatSync } from 'node:fs';
import type { Grant } from '../../core/files.ts';
import { codeOf } from '../fs/system-fault.ts';
import type { Visitor, WalkPart } from '../fs/walk.ts';
import { walkShared } from '../fs/walk-shared.ts';
import { createEntryFilter } from '../search/entry-filter.ts';
import { alone } from './alone.ts';
import { addName, type NameList, noNames } from './name-list.ts';
import { type Side, type TreeFault, treeFault } from './tree-fault.ts';

/** What is in parts of a tree, in the order of paths. */
export interface Listing {
  /** `/` at their end; parents first. */
  readonly directories: string[];
  readonly files: string[];
  readonly links: string[];
  /** Pipes, sockets and devices. */
  readonly special: NameList;
  /** Of the files. */
  bytes: number;
  readonly faults: TreeFault[];
}

export interface ListOptions {
  readonly grant: Grant;
  readonly side: Side;
  readonly parts: readonly WalkPart[];
  /** Patterns of what is left out. */
  readonly exclude: readonly string[];
  readonly signal: AbortSignal;
}

const MOST_SPECIAL = 100;

/** Lists what is in parts of a tree. */
export const listTree = async ({ grant, side, parts, exclude, signal }: ListOptions): Promise<Listing> => {
  const { excludes } = createEntryFilter({ include: null, exclude, ignoreCase: false });
  const listing: Listing = { directories: [], files: [], links: [], special: noNames(), bytes: 0, faults: [] };
  const visitor: Visitor = {
    wants: (name, kind, directory) => kind !== 'dir' && !excludes(name, directory),
    enters: (name, parent) => !excludes(name, parent),
    begin({ relative }) {
      listing.directories.push(relative);
      return true;
    },
    entry(name, kind, directory) {
      if (kind === 'link') listing.links.push(directory.relative + name);
      else if (kind !== 'file') addName(listing.special, directory.relative + name, MOST_SPECIAL);
      else {
        listing.files.push(directory.relative + name);
        listing.bytes += lstatSync(directory.address(name), { throwIfNoEntry: false })?.size ?? 0;
      }
      return undefined;
    },
    unreadable(relative, fault) {
      // What is gone by now holds nothing.
      if (codeOf(fault) !== 'ENOENT') listing.faults.push(treeFault(side, relative, fault));
    },
  };
  const walk = walkShared({ grant, parts, signal, start: () => ({ visitor, end: () => listing }), ...alone });
  for await (const _ of walk);
  return listing;
};
