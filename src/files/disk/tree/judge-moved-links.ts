import { readLinkText } from '../../../lib/fs/raw-names.ts';
import { resolvePath } from '../../../lib/fs/resolve.ts';
import { demandLinkInside } from '../../judge-link.ts';
import { pathAfterMove, type TreeMove } from '../../moved-link.ts';
import { readNames } from '../../names.ts';
import type { Disk } from '../disk.ts';
import { enterUnlessSwapped } from './empty-directory.ts';
import type { OpenTree } from './open-tree.ts';

/** How the links of a tree are looked at before it moves. */
export interface MovedLinks extends TreeMove {
  readonly disk: Disk;
  readonly signal: AbortSignal;
}

/** Refuses a move after which a link inside the tree would lead out of what the mover may read. */
export const judgeMovedLinks = async ({ directory, shown }: OpenTree, how: MovedLinks, within: readonly string[] = []): Promise<void> => {
  const { disk, signal } = how;
  const { policy } = disk;
  if (policy === undefined) return;
  for (const { name, kind } of readNames(directory.address())) {
    signal.throwIfAborted();
    await disk.giveWay();
    if (kind === 'link') {
      const text = readLinkText(directory.address(name));
      const path = pathAfterMove(text, within, how);
      if (path !== undefined) demandLinkInside(policy, text, (meet) => resolvePath(path, meet));
    } else if (kind === 'dir') {
      using inner = enterUnlessSwapped(directory, name);
      if (inner !== undefined) await judgeMovedLinks({ directory: inner, shown }, how, [...within, name]);
    }
  }
};
