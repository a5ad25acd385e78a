import { type Dirent, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import type { EntryKind, Grant } from '../../../core/files.ts';
import { isOwnPlace } from '../../fs/own-names.ts';
import { ownerOfPart } from '../../fs/part-name.ts';
import { NO_TEXT, readBytes, shownBytes } from '../../fs/raw-names.ts';
import { codeOf, systemFault } from '../../fs/system-fault.ts';
import type { WalkedDirectory } from '../../fs/walk.ts';
import { kindAt, type OpenedDirectory, openWalked, shutIn } from '../../fs/walk-directory.ts';
import type { StartPart } from '../../fs/walk-shared.ts';
import { createEntryFilter } from '../../search/entry-filter.ts';
import { addName } from '../name-list.ts';
import { type Side, treeFault } from '../tree-fault.ts';
import type { Compared } from './compared.ts';
import { nothingCompared } from './compared.ts';
import { createContentComparer } from './content-comparer.ts';
import { differsInCase, standsInTheWay } from './refusals.ts';
import { isSameTime } from './same-time.ts';

/** How two trees are compared. */
export interface CompareOrder {
  readonly target: Grant;
  /** Two files are the same when their sizes and times are, or when their content is. */
  readonly by: 'size_mtime' | 'content';
  /** Times this far apart count as the same; left out, what both file systems can tell decides. */
  readonly toleranceMs?: number;
  /** Patterns of what is left out on both sides. */
  readonly exclude: readonly string[];
  /** The target takes names that differ only in case for one. */
  readonly isCaseBlind: boolean;
  /** A directory may be replaced by a file. */
  readonly replacesDirectories: boolean;
  /** How many names to keep of those that are the same. */
  readonly most: number;
}

/** Prepares the comparison of parts of a tree with another: one order serves for many parts, one at a time. */
export const comparePart = (order: CompareOrder): StartPart<Compared> => {
  const { target, by, toleranceMs, exclude, isCaseBlind, replacesDirectories, most } = order;
  const { excludes } = createEntryFilter({ include: null, exclude, ignoreCase: false });
  const comparer = createContentComparer();
  const spell = isCaseBlind ? (name: string) => name.normalize('NFC').toLowerCase() : (name: string) => name;

  return (mustPause) => {
    const result = nothingCompared();
    let opened: OpenedDirectory | undefined;
    /** The names of the directory that is being read, as the target spells them. */
    let spellings = new Set<string>();
    /** Where it worked last: after a fault, where that happened. */
    let side: Side = 'source';

    const tell = (relative: string, fault: unknown): void => {
      if (side === 'source' && codeOf(fault) === 'ENOENT') addName(result.vanished, relative, most);
      else result.faults.push(treeFault(side, relative, fault));
    };

    /** The directory at the target that goes with one at the source. */
    const twinOf = ({ relative }: WalkedDirectory): OpenedDirectory => {
      side = 'target';
      if (opened?.relative === relative) return opened;
      opened?.[Symbol.dispose]();
      opened = undefined; // should opening fail
      opened = openWalked(target.root, relative, target.byHandles, target.shut);
      return opened;
    };
    /** The names at the target that are not there for the caller. */
    const shutThere = ({ relative }: WalkedDirectory): readonly string[] =>
      target.shut === undefined ? [] : shutIn(target.shut, relative);
    const lookThere = (name: string, directory: WalkedDirectory) => {
      const there = twinOf(directory);
      return shutThere(directory).includes(name) ? undefined : lstatSync(there.address(name), { throwIfNoEntry: false });
    };

    const findExtras = (directory: WalkedDirectory, entries: readonly Dirent[]): void => {
      const names = new Set(entries.map(({ name }) => spell(name)));
      const there = twinOf(directory);
      const shut = shutThere(directory);
      // Without kinds, which are asked for the few that need them: most names are on both sides.
      let hasDoubtful = false;
      for (const name of readdirSync(there.address())) {
        hasDoubtful ||= name.includes(NO_TEXT);
        if (names.has(spell(name)) || excludes(name, directory) || isOwnPlace(name) || shut.includes(name)) continue;
        const kind = kindAt(there.address(name));
        const list = ownerOfPart(name) === undefined ? result.extras : result.parts;
        if (kind !== undefined) list.push({ relative: directory.relative + name, kind });
      }
      if (hasDoubtful && replacesDirectories) tellUnnamed(there, directory);
    };

    /** What has no name as text can be neither named as a difference nor deleted by one. */
    const tellUnnamed = (there: OpenedDirectory, { relative }: WalkedDirectory): void => {
      for (const { bytes } of readBytes(there.address()).raw)
        tell(relative + shownBytes(bytes), systemFault('EILSEQ', 'scandir', shownBytes(bytes)));
    };

    const compareLooks = (directory: WalkedDirectory): void => {
      const there = lstatSync(`${twinOf(directory).address()}/.`);
      side = 'source';
      const here = lstatSync(`${directory.address()}/.`);
      // Times of directories say nothing about what is in them, and are quickly set.
      if (isSameTime(here, there) && (here.mode & 0o7777) === (there.mode & 0o7777)) return;
      result.directoryMarks.push(directory.relative);
    };

    const isLeftOut = (name: string, directory: WalkedDirectory): boolean => {
      if (excludes(name, directory)) return true;
      if (!isCaseBlind) return false;
      const spelling = spell(name);
      if (spellings.has(spelling)) {
        tell(directory.relative + name, differsInCase(name));
        return true;
      }
      spellings.add(spelling);
      return false;
    };

    const same = (relative: string, hasOtherLooks: boolean): void => {
      addName(result.same, relative, most);
      if (hasOtherLooks) result.marks.push(relative);
    };

    const differs = (list: string[], relative: string, bytes: number): void => {
      list.push(relative);
      result.bytes += bytes;
    };

    /** What is at the target has another kind: it goes, or the copy cannot be made. */
    const replace = (relative: string, there: Stats, bytes: number): void => {
      const isReplaceable = there.isDirectory() ? replacesDirectories : there.isFile() || there.isSymbolicLink();
      if (!isReplaceable) tell(relative, standsInTheWay(relative, there.isDirectory()));
      else differs(result.changed, relative, bytes);
      if (isReplaceable && there.isDirectory()) result.inTheWay.push({ relative, kind: 'dir' });
    };

    const compareFile = (name: string, directory: WalkedDirectory): 'again' | undefined => {
      const relative = directory.relative + name;
      side = 'source';
      const here = lstatSync(directory.address(name));
      const there = lookThere(name, directory);
      if (there === undefined) differs(result.missing, relative, here.size);
      else if (!there.isFile()) replace(relative, there, here.size);
      else if (here.size !== there.size) differs(result.changed, relative, here.size);
      else {
        const isOtherMode = (here.mode & 0o777) !== (there.mode & 0o777);
        const isAtSameTime = isSameTime(here, there, toleranceMs);
        if (by === 'content') {
          if (!comparer.isOpen) comparer.open(directory.address(name), twinOf(directory).address(name), here.size);
          let isSame = comparer.step();
          for (; isSame === undefined; isSame = comparer.step()) if (mustPause()) return 'again';
          comparer.close();
          if (isSame) same(relative, isOtherMode || !isAtSameTime);
          else differs(result.changed, relative, here.size);
        } else if (isAtSameTime) same(relative, isOtherMode);
        else differs(result.changed, relative, here.size);
      }
      return undefined;
    };

    const compareLink = (name: string, directory: WalkedDirectory): void => {
      const relative = directory.relative + name;
      side = 'source';
      const text = readlinkSync(directory.address(name), 'buffer');
      const there = lookThere(name, directory);
      const isSame = there?.isSymbolicLink() === true && text.equals(readlinkSync(twinOf(directory).address(name), 'buffer'));
      if (isSame) same(relative, false);
      else result.links.push(relative);
      if (there === undefined) result.missing.push(relative);
      else if (!there.isSymbolicLink()) replace(relative, there, 0);
      else if (!isSame) result.changed.push(relative);
    };

    const compareEntry = (name: string, kind: EntryKind, directory: WalkedDirectory): 'again' | undefined => {
      if (kind === 'file') return compareFile(name, directory);
      if (kind === 'link') compareLink(name, directory);
      else addName(result.special, directory.relative + name, most);
      return undefined;
    };

    const entersTwin = (name: string, parent: WalkedDirectory): boolean => {
      const relative = parent.relative + name;
      const there = lookThere(name, parent);
      if (there?.isDirectory()) return true;
      if (there !== undefined && !there.isFile() && !there.isSymbolicLink()) tell(relative, standsInTheWay(relative, false));
      else {
        if (there !== undefined) result.inTheWay.push({ relative, kind: there.isFile() ? 'file' : 'link' });
        result.missing.push(`${relative}/`);
      }
      return false;
    };

    return {
      visitor: {
        wants: (name, kind, directory) => kind !== 'dir' && !isLeftOut(name, directory),
        enters: (name, parent) => !isLeftOut(name, parent) && entersTwin(name, parent),
        begin(directory, entries) {
          spellings = new Set();
          try {
            findExtras(directory, entries);
            compareLooks(directory);
            return true;
          } catch (fault) {
            tell(directory.relative, fault);
            return false;
          }
        },
        entry(name, kind, directory) {
          try {
            return compareEntry(name, kind, directory);
          } catch (fault) {
            if (comparer.isOpen) side = comparer.side;
            comparer.close();
            tell(directory.relative + name, fault);
            return undefined;
          }
        },
        unreadable(relative, fault) {
          side = 'source';
          tell(relative, fault);
        },
      },
      end() {
        comparer.close();
        opened?.[Symbol.dispose]();
        return result;
      },
    };
  };
};
