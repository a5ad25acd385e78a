import { relative, sep } from 'node:path';
import type { Context } from '../../core/context.ts';
import type { OnUnreadable } from '../../core/on-unreadable.ts';
import { createEntryFilter } from '../search/entry-filter.ts';
import { createBypass } from './bypass.ts';
import { conclude, type Ending } from './conclude.ts';

interface Covered extends Pick<Ending<void>, 'what' | 'as'> {
  readonly root: string;
  readonly onUnreadable: OnUnreadable;
  /** Patterns of what is left out. */
  readonly exclude?: readonly string[];
  /** Everything below, which is the default, or only what is in the directory itself. */
  readonly isDeep?: boolean;
}

/**
 * Tells a dry run that a tree would be read, and ends where the run would, because a directory in it cannot be. On the disk there is
 * nothing to tell: reading it is enough.
 */
export const coverTree = async (ctx: Context, { root, onUnreadable, exclude = [], isDeep = true, what, as }: Covered): Promise<void> => {
  const { files, signal } = ctx;
  if (files.coverTree === undefined) return;
  const { excludes } = createEntryFilter({ include: null, exclude, ignoreCase: false });
  const isExcluded = (path: string): boolean => {
    const names = relative(files.absolute(root), path).split(sep);
    return names.some((name, depth) => {
      const above = names.slice(0, depth).map((each) => `${each}/`);
      return excludes(name, { relative: above.join(''), address: () => path });
    });
  };
  const bypass = createBypass();
  const unreadable = (path: string, fault: unknown) => {
    if (!isExcluded(path)) bypass.unreadable(path, fault);
  };
  await files.coverTree(root, { signal, isDeep, bypass: { unreadable } });
  conclude(ctx, { value: undefined, ...bypass.passed(), onUnreadable, what, as });
};
