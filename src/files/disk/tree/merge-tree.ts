import { lstatSync, type Stats, symlinkSync } from 'node:fs';
import { type DirectoryHandle, entryPath } from '../../../lib/fs/directory-handle.ts';
import { readLinkText } from '../../../lib/fs/raw-names.ts';
import { entryOf, kindOf, statAt } from '../../entry.ts';
import { type Spot, slotOf, spotIn } from '../../place.ts';
import { atSource, demandReplaceable } from '../../refusals.ts';
import { lookAt } from '../disk.ts';
import { changeAt, copyFile, type Landing } from '../file/landing.ts';
import { tolerating } from '../file/looks.ts';
import { judgeLink, replaceByLink } from '../links.ts';
import { openListed } from '../reading.ts';
import { eachEntry, type TreeEntry, type TreeWork } from './each-entry.ts';
import { dressDirectory, growTree } from './grow-tree.ts';
import { compareToMerge, mergeInThreads } from './in-threads.ts';
import type { TreePair } from './open-tree.ts';

/** Copies what is in one tree into another that exists; what stands in the way is found before anything changes. */
export const mergeTree = async (pair: TreePair, work: TreeWork): Promise<void> => {
  const compared = await compareToMerge(pair, work);
  if (compared === undefined)
    await check({ source: pair.source, target: { ...pair.target, real: pair.target.directory.realPath } }, withoutTelling(work));
  if (!(await mergeInThreads(pair, work, compared))) await merge(pair, work);
};

/** What cannot be read is told when it is to be copied, not when it is looked at before. */
const withoutTelling = (work: TreeWork): TreeWork =>
  work.bypass === undefined ? work : { ...work, bypass: { unreadable() {}, vanished() {} } };

interface Goal {
  /** Undefined below what does not exist yet. */
  readonly directory: DirectoryHandle | undefined;
  readonly shown: string;
  readonly real: string;
}

const check = async (pair: TreePair<Goal>, work: TreeWork): Promise<void> => {
  const { source, target } = pair;
  const { disk } = work;
  await eachEntry(pair, work, async ({ name, kind, from, to }) => {
    const there = target.directory && statAt(target.directory.address(name));
    if (kind !== 'other') demandReplaceable(kind, there && kindOf(there), { path: to });
    if (disk.policy !== undefined && kind === 'link') {
      judgeLink(
        disk,
        target.real,
        atSource(from, () => readLinkText(source.directory.address(name))),
      );
    }
    // Below a missing directory nothing can be in the way; only links may still be refused.
    if (kind !== 'dir' || (there === undefined && disk.policy === undefined)) return;
    using directory = atSource(from, () => source.directory.enter(name));
    using inner = there === undefined ? undefined : target.directory?.enter(name);
    await check({ source: { directory, shown: from }, target: { directory: inner, shown: to, real: entryPath(target.real, name) } }, work);
  });
};

const merge = async (pair: TreePair, work: TreeWork): Promise<void> => {
  const { disk, keepMetadata } = work;
  const { source, target } = pair;
  await eachEntry(pair, work, async (entry) => {
    const spot = spotIn(target.directory, entry.name, { isGuarded: disk.policy !== undefined });
    const there = lookAt(spot);
    if (entry.kind !== 'other') demandReplaceable(entry.kind, there && kindOf(there), { path: entry.to });
    await mergeEntry(source.directory, { ...entry, spot, there }, work);
  });
  if (!keepMetadata) return;
  const { realPath } = target.directory;
  await disk.before(() => ({ kind: 'set', path: realPath, entry: entryOf(realPath, lstatSync(realPath)) }));
  // Somebody else's directory keeps its looks: what was copied into it is there all the same.
  tolerating(['EPERM'], () => dressDirectory(target.directory, source.directory));
};

interface Merging extends TreeEntry {
  readonly spot: Spot;
  readonly there: Stats | undefined;
}

const mergeEntry = async (source: DirectoryHandle, { name, kind, from, to, spot, there }: Merging, work: TreeWork): Promise<void> => {
  const { disk, durable = false, signal } = work;
  const tell = (replaced: Stats | undefined, arriving?: Stats) => disk.before(() => changeAt(spot, replaced, arriving));
  switch (kind) {
    case 'dir': {
      using directory = atSource(from, () => source.enter(name));
      if (there === undefined) return await growTree({ directory, shown: from }, { spot, shown: to, tell: () => tell(undefined) }, work);
      using inner = spot.enter();
      return await merge({ source: { directory, shown: from }, target: { directory: inner, shown: to } }, work);
    }
    case 'file': {
      const opened = atSource(from, () => openListed(source.address(name), from));
      const admit = (now: Stats | undefined) => demandReplaceable('file', now && kindOf(now), { path: to });
      const onLost: Landing['onLost'] = (what) => disk.onLost?.({ path: to, what });
      try {
        return await copyFile(opened, { spot, durable, signal, exclusive: false, admit, tell, onLost }, work);
      } finally {
        await opened.file.close();
      }
    }
    case 'link': {
      const text = atSource(from, () => readLinkText(source.address(name)));
      judgeLink(disk, spot.parent, text);
      await tell(there);
      spot.demandInPlace();
      return there === undefined ? symlinkSync(text, slotOf(spot)) : replaceByLink(disk, spot, text);
    }
    case 'other':
      work.onSpecial?.(1, [from]);
  }
};
