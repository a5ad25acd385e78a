import { fchmodSync, fstatSync, fsync, futimesSync, mkdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { type DirectoryHandle, entryPath } from '../../../lib/fs/directory-handle.ts';
import { newPartName } from '../../../lib/fs/part-name.ts';
import { readLinkText } from '../../../lib/fs/raw-names.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';
import { utimeNs } from '../../../lib/fs/utime.ts';
import { type Spot, slotOf } from '../../place.ts';
import { atSource, madeMeanwhile } from '../../refusals.ts';
import { CREATE_FLAGS } from '../file/aside.ts';
import { copyBytes } from '../file/copy-bytes.ts';
import { looksOf, NEW_LOOKS } from '../file/landing.ts';
import { dress } from '../file/looks.ts';
import { openFile } from '../file/open-file.ts';
import { judgeLink } from '../links.ts';
import { openListed, type Source } from '../reading.ts';
import { discardTree } from './discard-tree.ts';
import { eachEntry, type TreeEntry, type TreeWork } from './each-entry.ts';
import { fillInThreads, type GrowingTree } from './in-threads.ts';
import type { OpenTree, TreePair } from './open-tree.ts';

/** Where a new tree is to appear. */
export interface TreeLanding {
  readonly spot: Spot;
  readonly shown: string;
  /** The last word before the tree gets its name; throws to prevent it. */
  tell(): Promise<unknown>;
}

/** Copies a tree to a hidden name next to its landing and gives it its own once it is whole; on failure nothing stays. */
export const growTree = async (source: OpenTree, { spot, shown, tell }: TreeLanding, work: TreeWork): Promise<void> => {
  const { disk, signal } = work;
  const aside = spot.beside(newPartName());
  const part = slotOf(aside);
  disk.sweeper.touched(spot.parent);
  mkdirSync(part, firstMode(work));
  try {
    {
      using directory = aside.enter();
      const pair = { source, target: { directory, shown, real: spot.real } };
      if (!(await fillInThreads(pair, work))) await fill(pair, work);
    }
    signal.throwIfAborted();
    await tell();
    spot.demandInPlace();
    renameWhole(part, { spot, shown });
  } catch (fault) {
    await discardTree(aside, disk.giveWay);
    throw fault;
  }
};

/** Gives a directory its name: it takes the place of nothing or of an empty directory, the system refuses the rest. */
export const renameWhole = (from: string, { spot, shown }: Pick<TreeLanding, 'spot' | 'shown'>): void => {
  try {
    renameSync(from, slotOf(spot));
  } catch (fault) {
    throw IN_THE_WAY.has(codeOf(fault)) ? madeMeanwhile(shown) : fault;
  }
};

const IN_THE_WAY: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

/** Last, because filling a directory changes its time and needs rights that its mode may not give. */
export const dressDirectory = (target: DirectoryHandle, source: DirectoryHandle): void => {
  const { mode, atimeNs, mtimeNs } = fstatSync(source.fd, { bigint: true });
  fchmodSync(target.fd, Number(mode) & 0o7777);
  futimesSync(target.fd, utimeNs(atimeNs), utimeNs(mtimeNs));
};

const fill = async (pair: TreePair<GrowingTree>, work: TreeWork): Promise<void> => {
  await eachEntry(pair, work, (entry) => growEntry(pair, entry, work));
  if (work.keepMetadata) dressDirectory(pair.target.directory, pair.source.directory);
  if (work.durable) await syncDescriptor(pair.target.directory.fd);
};

const growEntry = async ({ source, target }: TreePair<GrowingTree>, { name, kind, from, to }: TreeEntry, work: TreeWork): Promise<void> => {
  const grown = target.directory.address(name);
  switch (kind) {
    case 'dir': {
      using directory = atSource(from, () => source.directory.enter(name));
      mkdirSync(grown, firstMode(work));
      using inner = target.directory.enter(name);
      return await fill(
        { source: { directory, shown: from }, target: { directory: inner, shown: to, real: entryPath(target.real, name) } },
        work,
      );
    }
    case 'file':
      return growFile(
        atSource(from, () => openListed(source.directory.address(name), from)),
        grown,
        work,
      );
    case 'link': {
      const text = atSource(from, () => readLinkText(source.directory.address(name)));
      judgeLink(work.disk, target.real, text);
      return symlinkSync(text, grown);
    }
    case 'other':
      work.onSpecial?.(1, [from]);
  }
};

/** Straight under its name: nobody knows the tree it stands in. */
const growFile = async (source: Source, address: string, { disk, signal, keepMetadata, durable, onBytes }: TreeWork): Promise<void> => {
  try {
    const file = openFile(address, CREATE_FLAGS, 0o600);
    try {
      await copyBytes(source, file, { signal, spend: disk.spend, onBytes });
      dress(file.fd, keepMetadata ? looksOf(source) : NEW_LOOKS);
      if (durable) await file.sync();
      await file.close();
    } catch (fault) {
      await file.close();
      unlinkSync(address); // the tree may be wanted without it
      throw fault;
    }
  } finally {
    await source.file.close();
  }
};

/** With metadata to keep, a directory stays ours alone until it is dressed. */
const firstMode = ({ keepMetadata }: TreeWork): number => (keepMetadata ? 0o700 : 0o777);

const syncDescriptor = promisify(fsync);
