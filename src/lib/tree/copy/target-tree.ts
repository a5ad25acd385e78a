import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import type { Grant } from '../../../core/files.ts';
import { newPartName } from '../../fs/part-name.ts';
import { codeOf, ownFault, systemFault } from '../../fs/system-fault.ts';
import { type OpenedDirectory, openWalked } from '../../fs/walk-directory.ts';
import { divide } from '../divide.ts';
import { discardBelow } from '../remove/discard-below.ts';

/** The tree that copies go into. Paths count from its root, with `/` behind every directory. */
export interface TargetTree extends Disposable {
  /** Makes a directory: out of sight, unless it stands in one that is. One that is there is fine. */
  makeDirectory(relative: string): void;
  /** Whether nobody sees yet what is made in a directory. */
  isHidden(relative: string): boolean;
  /** A path for file calls on an entry, or without a name on the directory; good until the next call for another directory. */
  address(relative: string, name?: string): string;
  /** The directory that is out of sight with all below it. */
  readonly hidden: string | undefined;
  /** Gives it its name; where that is not possible it is gone. */
  land(): void;
}

export interface TargetTreeOptions {
  readonly target: Grant;
  /** The whole tree is out of sight. */
  readonly isAside: boolean;
  /** The mode of new directories, for as long as they are being filled. */
  readonly mode: number;
}

export const openTargetTree = ({ target, isAside, mode }: TargetTreeOptions): TargetTree => {
  /** A directory that is new as a whole stands under a hidden name until all in it is there. */
  let hidden: { readonly relative: string; readonly under: string } | undefined;
  let opened: OpenedDirectory | undefined;

  const placeOf = (relative: string): string =>
    hidden !== undefined && relative.startsWith(hidden.relative) ? hidden.under + relative.slice(hidden.relative.length) : relative;

  const close = (): void => {
    opened?.[Symbol.dispose]();
    opened = undefined;
  };

  const addressIn = (place: string, name?: string): string => {
    if (opened?.relative !== place) {
      close();
      opened = openWalked(target.root, place, target.byHandles);
    }
    return opened.address(name);
  };

  const isHidden = (relative: string): boolean => isAside || (hidden !== undefined && relative.startsWith(hidden.relative));

  const land = (): void => {
    if (hidden === undefined) return;
    const { relative, under } = hidden;
    hidden = undefined;
    const [parent, name] = divide(relative);
    const [, part] = divide(under);
    try {
      renameSync(addressIn(parent, part), addressIn(parent, name));
    } catch (fault) {
      discardBelow(target.root, under);
      throw IN_THE_WAY.has(codeOf(fault)) ? ownFault('ETAKEN') : fault;
    }
  };

  return {
    isHidden,
    address: (relative, name) => addressIn(placeOf(relative), name),
    makeDirectory(relative) {
      const [parent, name] = divide(relative);
      if (isHidden(relative)) return mkdirSync(addressIn(placeOf(parent), name), mode);
      const there = lstatSync(addressIn(parent, name), { throwIfNoEntry: false });
      if (there?.isDirectory()) return;
      if (there !== undefined) throw systemFault('EEXIST', 'mkdir', relative);
      const part = newPartName();
      mkdirSync(addressIn(parent, part), mode);
      hidden = { relative, under: `${parent}${part}/` };
    },
    get hidden() {
      return hidden?.relative;
    },
    land,
    [Symbol.dispose]: close,
  };
};

/** Nothing was there when the directory was begun. */
const IN_THE_WAY: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);
