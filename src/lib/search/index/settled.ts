import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { WalkedDirectory } from '../../fs/walk.ts';
import type { Coverage } from './coverage.ts';

/** Tells directories that need not be read because an index knows all that is in them. */
export interface Settled {
  /** Whether a directory is one; asked from above, before it is entered. */
  isSettled(name: string, parent: WalkedDirectory): boolean;
  /** Whether it was found to be one; `/` behind every name. */
  has(relative: string): boolean;
}

interface Known {
  readonly ctimeMs: number;
  /** The index knows it under this path. */
  readonly isTrusted: boolean;
}

/** A directory without directories in it has two links: its name and its own dot. */
const LINKS_OF_LEAF = 2;

/** One that is gone has changed. */
const ctimeOf = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Number.POSITIVE_INFINITY;

/**
 * Looks at the times of directories instead of reading them. A change of its entries changes a directory, and so does moving it, which
 * changes its parent too: what lies below one that may have moved is not trusted.
 */
export const createSettled = (root: string, { asOfMs, isPruned }: Coverage): Settled => {
  const known = new Map<string, Known>([['', { ctimeMs: ctimeOf(root), isTrusted: true }]]);
  const settled = new Set<string>();
  const pathOf = (relative: string) => join(root, relative);

  const knowledgeOf = (relative: string): Known => {
    const found = known.get(relative);
    if (found !== undefined) return found;
    const [, above = '', name = ''] = /^(.*\/)?([^/]*)\/$/s.exec(relative) ?? [];
    const path = pathOf(relative.slice(0, -1));
    const knowledge = judge(knowledgeOf(above), name, path, ctimeOf(path));
    known.set(relative, knowledge);
    return knowledge;
  };

  const judge = (parent: Known, name: string, path: string, ctimeMs: number): Known => ({
    ctimeMs,
    isTrusted: parent.isTrusted && !(ctimeMs > asOfMs && parent.ctimeMs > asOfMs) && !isPruned(name, path),
  });

  return {
    isSettled(name, { relative, address }) {
      const stats = lstatSync(address(name), { throwIfNoEntry: false });
      if (stats === undefined) return false;
      const own = `${relative}${name}/`;
      const knowledge = judge(knowledgeOf(relative), name, pathOf(relative + name), stats.ctimeMs);
      const isLeaf = stats.nlink === LINKS_OF_LEAF;
      if (isLeaf && knowledge.isTrusted && stats.ctimeMs <= asOfMs) {
        settled.add(own);
        return true;
      }
      if (!isLeaf) known.set(own, knowledge);
      return false;
    },
    has: (relative) => settled.has(relative),
  };
};
