import { linkSync, lstatSync, lutimesSync, readlinkSync, renameSync, type Stats, symlinkSync, unlinkSync } from 'node:fs';
import type { Grant } from '../../../core/files.ts';
import { newPartName } from '../../fs/part-name.ts';
import { codeOf, ownFault } from '../../fs/system-fault.ts';
import { utimeNs } from '../../fs/utime.ts';
import type { WalkedDirectory } from '../../fs/walk.ts';
import type { StartPart } from '../../fs/walk-shared.ts';
import { openTally } from '../../fs/walk-tally.ts';
import { createEntryFilter } from '../../search/entry-filter.ts';
import { dressLike } from '../dress-like.ts';
import { keptName } from '../kept-name.ts';
import { addName, addNameList, type NameList, noNames } from '../name-list.ts';
import { type Side, type TreeFault, treeFault } from '../tree-fault.ts';
import { createFileCopier } from './file-copier.ts';
import { openTargetTree } from './target-tree.ts';

/** How parts of a tree are copied. */
export interface CopyOrder {
  readonly target: Grant;
  /** The whole target is out of sight until all is copied. */
  readonly isAside: boolean;
  /** Patterns of what is left out. */
  readonly exclude: readonly string[];
  /** Times and mode. */
  readonly keepMetadata: boolean;
  /** Copy a file again that is written to meanwhile, and refuse it when that does not end; else what it held is enough. */
  readonly isSettled: boolean;
  /** Links are made by the caller, who knows where they may lead. */
  readonly leavesLinks: boolean;
  /** How many names to keep. */
  readonly most: number;
  /** Files that are replaced get a second name that begins with this. */
  readonly keepAt?: string;
}

/** What came of copying. */
export interface Copied {
  bytes: number;
  readonly copied: NameList;
  readonly vanished: NameList;
  readonly special: NameList;
  /** Files that did not get the owner of those they replace. */
  readonly unkept: NameList;
  /** Links that were left to the caller. */
  readonly links: string[];
  /** New directories whose looks are still to be set, because others work in them too. */
  readonly undressed: string[];
  readonly faults: TreeFault[];
}

export const nothingCopied = (): Copied => ({
  bytes: 0,
  copied: noNames(),
  vanished: noNames(),
  special: noNames(),
  unkept: noNames(),
  links: [],
  undressed: [],
  faults: [],
});

const MAX_TRIES = 3;
/** How many names of what was not kept are told; the rest is counted. */
export const MOST_UNKEPT = 10;

/** Prepares the copying of parts of a tree on this thread: one order serves for many, one part at a time. */
export const copyPart = (order: CopyOrder): StartPart<Copied> => {
  const { target, isAside, exclude, keepMetadata, isSettled, leavesLinks, most, keepAt } = order;
  const { excludes } = createEntryFilter({ include: null, exclude, ignoreCase: false });
  const copier = createFileCopier({ keepMetadata, isSettled });
  const tally = openTally(target);

  return (mustPause) => {
    const result = nothingCopied();
    const tree = openTargetTree({ target, isAside, mode: keepMetadata ? 0o700 : 0o777 });
    const begun: string[] = [];
    /** Where copies are counted: on their own while the directory they are in is out of sight. */
    let counts: Pick<Copied, 'bytes' | 'copied'> = result;
    /** A copy that is not whole: its directory, and the name it has for now. */
    let half: { readonly relative: string; readonly name: string } | undefined;
    let tries = 0;

    const tell = (side: Side, relative: string, fault: unknown): void => {
      if (side === 'source' && codeOf(fault) === 'ENOENT') addName(result.vanished, relative, most);
      else result.faults.push(treeFault(side, relative, fault));
    };

    const attempt = (relative: string, work: () => void): boolean => {
      try {
        work();
        return true;
      } catch (fault) {
        tell('target', relative, fault);
        return false;
      }
    };

    const land = (): void => {
      const { hidden } = tree;
      if (hidden === undefined) return;
      const { bytes, copied } = counts;
      counts = result;
      if (!attempt(hidden, tree.land)) return;
      result.bytes += bytes;
      addNameList(result.copied, copied, most);
    };

    const discardHalf = (): void => {
      if (half === undefined) return;
      const { relative, name } = half;
      half = undefined;
      try {
        copier.close();
        if (copier.isMade) unlinkSync(tree.address(relative, name));
      } catch {
        // gone by itself, or swept later
      }
    };

    const open = (name: string, { relative, address }: WalkedDirectory): void => {
      const isHidden = tree.isHidden(relative);
      half = { relative, name: isHidden ? name : newPartName() };
      copier.open(address(name), tree.address(relative, half.name), isHidden ? relative : undefined);
    };

    /** The last moment of what stands at a name. */
    const replace = (made: string, name: string, { relative }: WalkedDirectory, replaced: Stats | undefined): void => {
      const address = tree.address(relative, name);
      if (keepAt !== undefined && replaced?.isFile()) linkSync(address, keepAt + keptName(relative + name));
      renameSync(made, address);
    };

    /** Gives a whole copy its name; false where it has to be made again. */
    const finish = (name: string, directory: WalkedDirectory): boolean => {
      const { relative } = directory;
      const isNew = half?.name === name;
      const replaced = isNew ? undefined : lstatSync(tree.address(relative, name), { throwIfNoEntry: false });
      if (!copier.finish(replaced)) {
        discardHalf();
        tries += 1;
        if (tries < MAX_TRIES) return false;
        throw ownFault('ECHANGED');
      }
      if (half !== undefined && !isNew) replace(tree.address(relative, half.name), name, directory, replaced);
      half = undefined;
      counts.bytes += copier.bytes;
      tally.add(0, copier.bytes);
      addName(counts.copied, relative + name, most);
      if (copier.hasLostOwner) addName(result.unkept, relative + name, MOST_UNKEPT);
      return true;
    };

    const copyFile = (name: string, directory: WalkedDirectory): 'again' | undefined => {
      try {
        do {
          if (!copier.isOpen) open(name, directory);
          while (!copier.step()) if (mustPause()) return 'again';
        } while (!finish(name, directory));
      } catch (fault) {
        tell(copier.side, directory.relative + name, fault);
        discardHalf();
      }
      tries = 0;
      return undefined;
    };

    const makeLink = (name: string, directory: WalkedDirectory, text: Buffer): void => {
      const { relative, address } = directory;
      const isHidden = tree.isHidden(relative);
      const made = tree.address(relative, isHidden ? name : newPartName());
      symlinkSync(text, made);
      if (keepMetadata) keepLinkTimes(address(name), made);
      if (!isHidden) replace(made, name, directory, lstatSync(tree.address(relative, name), { throwIfNoEntry: false }));
      addName(counts.copied, relative + name, most);
    };

    const copyLink = (name: string, directory: WalkedDirectory): void => {
      let side: Side = 'source';
      try {
        const text = readlinkSync(directory.address(name), 'buffer');
        side = 'target';
        makeLink(name, directory, text);
      } catch (fault) {
        tell(side, directory.relative + name, fault);
      }
    };

    return {
      visitor: {
        wants: (name, kind, directory) => kind !== 'dir' && !excludes(name, directory),
        enters: (name, parent) => !excludes(name, parent),
        begin({ relative }) {
          // Whoever divides a tree begins one directory after the other and leaves none.
          if (!tree.isHidden(relative)) land();
          if (relative !== '' && !attempt(relative, () => tree.makeDirectory(relative))) return false;
          if (tree.hidden === relative) counts = { bytes: 0, copied: noNames() };
          begun.push(relative);
          return true;
        },
        entry(name, kind, directory) {
          if (kind === 'file') return copyFile(name, directory);
          if (kind !== 'link') addName(result.special, directory.relative + name, most);
          else if (leavesLinks) result.links.push(directory.relative + name);
          else copyLink(name, directory);
          return undefined;
        },
        leave(directory) {
          const { relative } = directory;
          if (begun.at(-1) !== relative) return;
          begun.pop();
          if (keepMetadata) attempt(relative, () => dressLike(directory.address(), tree.address(relative)));
          if (tree.hidden === relative) land();
        },
        unreadable: (relative, fault) => tell('source', relative, fault),
      },
      end() {
        discardHalf();
        land();
        tree[Symbol.dispose]();
        result.undressed.push(...begun);
        return result;
      },
    };
  };
};

const keepLinkTimes = (from: string, to: string): void => {
  const { atimeNs, mtimeNs } = lstatSync(from, { bigint: true });
  lutimesSync(to, utimeNs(atimeNs), utimeNs(mtimeNs));
};
