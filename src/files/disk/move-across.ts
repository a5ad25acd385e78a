import { fstatSync, rmdirSync, type Stats, symlinkSync, unlinkSync } from 'node:fs';
import { kindOf, statAt } from '../entry.ts';
import { readLinkText } from '../names.ts';
import { type Spot, slotOf } from '../place.ts';
import { atSource, changedMeanwhile, demandReplaceable, faultAt, notRegular } from '../refusals.ts';
import type { Disk } from './disk.ts';
import { copyFile } from './file/landing.ts';
import { replaceByLink } from './links.ts';
import { openToRead, type Source } from './reading.ts';
import { growTree } from './tree/grow-tree.ts';
import { removeCopied } from './tree/remove-copied.ts';

/** A thing on its way: where it stands, where it goes, and what callers call both. */
export interface Move {
  readonly leaving: Spot;
  readonly arriving: Spot;
  readonly from: string;
  readonly to: string;
  readonly moved: Stats;
  readonly there: Stats | undefined;
  readonly exclusive: boolean;
  /** It goes into a trash. */
  readonly isDeletion: boolean;
  readonly signal: AbortSignal;
}

/** To another device: copied whole and synced, then removed, so that the source goes only once its copy is safe. The journal knows already. */
export const moveAcross = async (disk: Disk, move: Move): Promise<void> => {
  await copyAcross(disk, move);
  try {
    await takeAway(disk, move);
  } catch (fault) {
    throw faultAt(fault, { path: move.from });
  }
};

const copyAcross = (disk: Disk, move: Move): void | Promise<void> => {
  switch (kindOf(move.moved)) {
    case 'dir':
      return copyTreeAcross(disk, move);
    case 'file':
      return copyFileAcross(disk, move);
    case 'link':
      return copyLinkAcross(disk, move);
    case 'other':
      throw notRegular(move.from);
  }
};

const copyFileAcross = async (disk: Disk, { leaving, arriving: spot, from, to, exclusive, signal }: Move): Promise<void> => {
  const source = atSource(from, () => openToRead(leaving, from));
  const admit = (there: Stats | undefined) => demandReplaceable('file', there && kindOf(there), { path: to, exclusive });
  const tell = async () => demandUnchanged(source, leaving.at);
  try {
    await copyFile(source, { spot, exclusive, signal, durable: true, admit, tell }, { disk, keepMetadata: true });
  } finally {
    await source.file.close();
  }
};

/** What was written to the source after it was read would be lost with it. */
const demandUnchanged = ({ file, entry }: Source, at: string): void => {
  const [now, named] = [fstatSync(file.fd), statAt(at)];
  const isUnchanged = now.size === entry.size && now.mtimeMs === entry.mtimeMs && named?.ino === now.ino && named.dev === now.dev;
  if (!isUnchanged) throw changedMeanwhile(entry.path);
};

const copyLinkAcross = (disk: Disk, { leaving, arriving, from, there }: Move): void => {
  const text = atSource(from, () => readLinkText(leaving.at));
  if (there === undefined) symlinkSync(text, slotOf(arriving));
  else replaceByLink(disk, arriving, text);
};

const copyTreeAcross = async (disk: Disk, { leaving, arriving: spot, from, to, signal }: Move): Promise<void> => {
  using directory = atSource(from, () => leaving.enter());
  const work = { disk, signal, keepMetadata: true, durable: true, isComplete: true };
  await growTree({ directory, shown: from }, { spot, shown: to, tell: async () => {} }, work);
};

const takeAway = async (disk: Disk, { leaving, arriving, from, to, moved }: Move): Promise<void> => {
  if (!moved.isDirectory()) return unlinkSync(slotOf(leaving));
  {
    using source = leaving.enter();
    using target = arriving.enter();
    await removeCopied({ source: { directory: source, shown: from }, target: { directory: target, shown: to } }, disk);
  }
  rmdirSync(slotOf(leaving));
};
