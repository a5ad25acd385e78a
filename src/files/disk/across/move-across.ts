import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, renameSync, type Stats, symlinkSync } from 'node:fs';
import type { Entry, MoveOptions } from '../../../core/files.ts';
import { carryOver, copyNode } from '../../../lib/fs/carry-over.ts';
import { readLinkText } from '../../../lib/fs/raw-names.ts';
import { renameIfFree } from '../../../lib/fs/rename-if-free.ts';
import { entryOf, kindOf, statAt } from '../../entry.ts';
import { type Spot, slotOf } from '../../place.ts';
import { atSource, changedMeanwhile, demandMovable, demandReplaceable, faultAt, notRegular } from '../../refusals.ts';
import { type Disk, lookAt } from '../disk.ts';
import { CREATE_FLAGS } from '../file/aside.ts';
import { copyBytes } from '../file/copy-bytes.ts';
import { openFile } from '../file/open-file.ts';
import { openToSync } from '../file/sync-directory.ts';
import { judgeLink } from '../links.ts';
import { openToRead, type Source } from '../reading.ts';
import { renameWhole } from '../tree/grow-tree.ts';
import { besideTarget } from './beside-target.ts';
import { crossTree } from './cross-tree.ts';
import { createSeenSources, nameOfMissing, type SeenSources } from './crossing.ts';
import { createLosses, type Losses } from './losses.ts';
import { mend, mendableAt, openMendable } from './mend.ts';
import { takeAway } from './take-away.ts';

/** A thing on its way: where it stands, where it goes, and what callers call both. */
export interface Move extends Pick<MoveOptions, 'onLost'> {
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
  /** Tells the journal of the copy that is about to take the place of what is moved. */
  readonly tellCopy?: ((arriving: Entry) => Promise<void>) | undefined;
}

/** A move, and what is learnt on its way. */
export interface Journey extends Move {
  readonly losses: Losses;
  readonly seen: SeenSources;
}

/**
 * To another device: copied whole with all that belongs to it, looked at and synced, then removed, so that the source goes only once its
 * copy is safe. The journal knows already.
 */
export const moveAcross = async (disk: Disk, move: Move): Promise<void> => {
  const journey = { ...move, losses: createLosses(), seen: createSeenSources() };
  const unknown = await copyAcross(disk, journey);
  const lost = journey.losses.all();
  if (lost.length > 0 || unknown !== undefined) move.onLost?.(lost, unknown);
  try {
    await takeAway(disk, journey, { isKept: lost.some(({ what }) => what !== 'time') });
  } catch (fault) {
    throw faultAt(fault, { path: move.from });
  }
};

/** Answers why it is not known whether all attributes have come along, where it is not. */
const copyAcross = (disk: Disk, journey: Journey): Promise<string | undefined> => {
  switch (kindOf(journey.moved)) {
    case 'dir':
      return copyTreeAcross(disk, journey);
    case 'file':
      return copyFileAcross(disk, journey);
    case 'link':
    case 'other':
      return copyNodeAcross(disk, journey);
  }
};

const copyFileAcross = async (disk: Disk, journey: Journey): Promise<string | undefined> => {
  const { leaving, arriving, from, to, exclusive, signal, losses } = journey;
  const source = atSource(from, () => openToRead(leaving, from));
  const admit = () => {
    const there = lookAt(arriving);
    demandReplaceable('file', there && kindOf(there), { path: to, exclusive });
  };
  try {
    return await besideTarget(disk, arriving, async (aside) => {
      const file = openFile(slotOf(aside), CREATE_FLAGS, 0o600);
      try {
        await copyBytes(source, file, { signal, spend: disk.spend });
        const { missing, unknown } = await carryOver(source.file.fd, file.fd, { signal, isTree: false });
        for (const each of missing) losses.add(nameOfMissing(each), to);
        for (const what of mend(fstatSync(source.file.fd, { bigint: true }), openMendable(file.fd))) losses.add(what, to);
        await file.sync();
        admit();
        demandUnchanged(source, leaving.at);
        await giveName(slotOf(aside), journey);
        return unknown;
      } finally {
        await file.close();
      }
    });
  } finally {
    await source.file.close();
  }
};

/** The name, too, is on the device before the source goes. */
const giveName = async (part: string, { arriving, exclusive, there, moved, signal, tellCopy }: Journey): Promise<void> => {
  if (!moved.isSymbolicLink()) await tellCopy?.(entryOf(arriving.real, lstatSync(part))); // a link stays what it says
  using parent = openToSync(arriving.directory);
  signal.throwIfAborted();
  arriving.demandInPlace();
  if (exclusive || there === undefined) await renameIfFree(part, slotOf(arriving));
  else renameSync(part, slotOf(arriving));
  await parent?.sync();
};

/** What was written to the source after it was read would be lost with it. */
const demandUnchanged = ({ file, entry }: Source, at: string): void => {
  const [now, named] = [fstatSync(file.fd), statAt(at)];
  const isUnchanged = now.size === entry.size && now.mtimeMs === entry.mtimeMs && named?.ino === now.ino && named.dev === now.dev;
  if (!isUnchanged) throw changedMeanwhile(entry.path);
};

/** A link, a pipe or a socket: made by a program or, of a link, here. */
const copyNodeAcross = async (disk: Disk, journey: Journey): Promise<undefined> => {
  const { leaving, arriving, from, moved, signal, losses, to } = journey;
  demandMovable(moved, from);
  await besideTarget(disk, arriving, async (aside) => {
    const part = slotOf(aside);
    await copyByProgram(leaving, aside, signal);
    if (statAt(part) === undefined && !moved.isSymbolicLink()) throw notRegular(from);
    if (statAt(part) === undefined)
      symlinkSync(
        atSource(from, () => readLinkText(leaving.at)),
        part,
      );
    if (moved.isSymbolicLink()) judgeLink(disk, arriving.parent, readLinkText(part)); // it may have been another one when it was judged
    for (const what of mend(lstatSync(leaving.at, { bigint: true }), mendableAt(part))) losses.add(what, to);
    await giveName(part, journey);
  });
  return undefined;
};

const copyByProgram = async (from: Spot, to: Spot, signal: AbortSignal): Promise<void> => {
  using source = heldDirectory(from);
  using target = heldDirectory(to);
  await copyNode({ directory: source.fd, name: from.name }, { directory: target.fd, name: to.name }, signal);
};

const heldDirectory = ({ directory }: Spot): { readonly fd: number } & Disposable => {
  const fd = openSync(directory, constants.O_RDONLY);
  return { fd, [Symbol.dispose]: () => closeSync(fd) };
};

const copyTreeAcross = async (disk: Disk, journey: Journey): Promise<string | undefined> => {
  const { leaving, arriving: spot, from, to, signal } = journey;
  using source = atSource(from, () => leaving.enter());
  return await besideTarget(disk, spot, async (aside) => {
    mkdirSync(slotOf(aside), 0o700);
    using directory = aside.enter();
    const pair = { source: { directory: source, shown: from }, target: { directory, shown: to, real: spot.real } };
    const unknown = await crossTree(pair, { ...journey, work: { disk, signal, keepMetadata: true } });
    await journey.tellCopy?.(entryOf(spot.real, fstatSync(directory.fd)));
    using parent = openToSync(spot.directory);
    signal.throwIfAborted();
    spot.demandInPlace();
    renameWhole(slotOf(aside), { spot, shown: to });
    await parent?.sync();
    return unknown;
  });
};
