import { fstatSync, linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { carryOver } from '../../../lib/fs/carry-over.ts';
import { entryPath } from '../../../lib/fs/directory-handle.ts';
import { readLinkText } from '../../../lib/fs/raw-names.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';
import { statAt } from '../../entry.ts';
import { atSource, demandMovable } from '../../refusals.ts';
import { CREATE_FLAGS } from '../file/aside.ts';
import { copyBytes } from '../file/copy-bytes.ts';
import { openFile } from '../file/open-file.ts';
import { judgeLink } from '../links.ts';
import { openListed, type Source } from '../reading.ts';
import { eachEntry, type TreeEntry } from '../tree/each-entry.ts';
import type { GrowingTree } from '../tree/in-threads.ts';
import type { TreePair } from '../tree/open-tree.ts';
import { type Crossing, nameOfMissing } from './crossing.ts';
import { settle } from './settle.ts';

type Pair = TreePair<GrowingTree>;

/**
 * Fills a tree on another device with all that is in a source, and with all that belongs to it. First contents, then in one go everything
 * beside them, links, pipes and sockets too; what has not come along by then is mended or told.
 */
export const crossTree = async (pair: Pair, crossing: Crossing): Promise<string | undefined> => {
  const { source, target } = pair;
  const { losses, work } = crossing;
  await fill(pair, { ...crossing, root: target });
  const { missing, unknown } = await carryOver(source.directory.fd, target.directory.fd, { signal: work.signal, isTree: true });
  await settle(pair, crossing);
  for (const each of missing) losses.add(nameOfMissing(each), join(target.shown, each.relative));
  return unknown;
};

interface Filling extends Crossing {
  readonly root: GrowingTree;
}

const fill = (pair: Pair, filling: Filling): Promise<void> => eachEntry(pair, filling.work, (entry) => fillEntry(pair, entry, filling));

const fillEntry = async ({ source, target }: Pair, { name, kind, from, to }: TreeEntry, filling: Filling): Promise<void> => {
  const address = target.directory.address(name);
  const real = entryPath(target.real, name);
  switch (kind) {
    case 'dir': {
      using directory = atSource(from, () => source.directory.enter(name));
      mkdirSync(address, 0o700);
      using inner = target.directory.enter(name);
      return await fill({ source: { directory, shown: from }, target: { directory: inner, shown: to, real } }, filling);
    }
    case 'file': {
      const opened = atSource(from, () => openListed(source.directory.address(name), from));
      try {
        return await fillFile(opened, { address, real, to }, filling);
      } finally {
        await opened.file.close();
      }
    }
    case 'link':
      return judgeLink(
        filling.work.disk,
        target.real,
        atSource(from, () => readLinkText(source.directory.address(name))),
      );
    case 'other':
      demandMovable(statAt(source.directory.address(name)), from);
  }
};

interface Copy {
  readonly address: string;
  readonly real: string;
  readonly to: string;
}

const fillFile = async (source: Source, { address, real, to }: Copy, { root, seen, losses, work }: Filling): Promise<void> => {
  const { disk, signal } = work;
  const below = real.slice(root.real.length + 1);
  const twin = seen.meet(fstatSync(source.file.fd), below);
  if (twin !== undefined) {
    if (linked(join(root.directory.address(), twin), address)) return;
    losses.add('hard_link', to);
  }
  // Ours alone until it has its owner; and to be opened again, whatever its mode will be.
  const file = openFile(address, CREATE_FLAGS, 0o600);
  try {
    await copyBytes(source, file, { signal, spend: disk.spend });
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Too many names of one file, none at all on this file system, or a path that is too long to be said. */
const WITHOUT_LINK: ReadonlySet<string | undefined> = new Set(['EMLINK', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'ENAMETOOLONG']);

const linked = (twin: string, address: string): boolean => {
  try {
    linkSync(twin, address);
    return true;
  } catch (fault) {
    if (!WITHOUT_LINK.has(codeOf(fault))) throw fault;
    return false;
  }
};
