import { type BigIntStats, constants, fstatSync, fsync, lstatSync, symlinkSync, unlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { copyNode } from '../../../lib/fs/carry-over.ts';
import { entryPath } from '../../../lib/fs/directory-handle.ts';
import { isOwnName } from '../../../lib/fs/own-names.ts';
import { readLinkText } from '../../../lib/fs/raw-names.ts';
import { readAllNames } from '../../names.ts';
import { spotIn } from '../../place.ts';
import { atSource, notRegular } from '../../refusals.ts';
import { judgeLink } from '../links.ts';
import { discardTree } from '../tree/discard-tree.ts';
import { eachEntry, type TreeEntry } from '../tree/each-entry.ts';
import type { GrowingTree } from '../tree/in-threads.ts';
import type { TreePair } from '../tree/open-tree.ts';
import type { Crossing } from './crossing.ts';
import { mend, mendableAt, openMendable } from './mend.ts';

type Pair = TreePair<GrowingTree>;

/**
 * Looks at every entry of a copied tree beside its source, whatever programs have said: makes and sets what is missing, as far as Node can,
 * tells what then still is, and takes away what should not be there. Ends with everything on the device.
 */
export const settle = async (pair: Pair, crossing: Crossing): Promise<void> => {
  const { source, target } = pair;
  const known = new Set<string>();
  await eachEntry(pair, crossing.work, (entry) => {
    known.add(entry.name);
    return settleEntry(pair, entry, crossing);
  });
  await takeSurplus(target, { ...crossing, known });
  for (const what of mend(fstatSync(source.directory.fd, { bigint: true }), openMendable(target.directory.fd)))
    crossing.losses.add(what, target.shown);
  await syncDescriptor(target.directory.fd);
};

const settleEntry = async (pair: Pair, entry: TreeEntry, crossing: Crossing): Promise<void> => {
  const { source, target } = pair;
  const { name, kind, from, to } = entry;
  const wanted = lookAt(source.directory.address(name));
  if (wanted === undefined) return; // gone since
  const address = target.directory.address(name);
  const found = lookAt(address);
  if (found === undefined) await makeMissing(pair, entry, crossing);
  const there = found ?? lookAt(address);
  // What came, changed its kind or got its first content since stays where it is.
  if (there === undefined || kindBits(there) !== kindBits(wanted)) return;
  if (kind === 'file' && there.size === 0n && wanted.size > 0n) return unlinkSync(address);
  if (kind === 'link') judgeLink(crossing.work.disk, target.real, readLinkText(address));
  if (kind !== 'dir') {
    for (const what of mend(wanted, mendableAt(address), there)) crossing.losses.add(what, to);
    return;
  }
  using directory = atSource(from, () => source.directory.enter(name));
  using inner = target.directory.enter(name);
  const real = entryPath(target.real, name);
  await settle({ source: { directory, shown: from }, target: { directory: inner, shown: to, real } }, crossing);
};

/** Where no program has done so: links are made here, pipes and sockets by whatever `cp` there is. */
const makeMissing = async ({ source, target }: Pair, { name, kind, from }: TreeEntry, { work }: Crossing): Promise<void> => {
  if (kind === 'link') {
    const text = atSource(from, () => readLinkText(source.directory.address(name)));
    judgeLink(work.disk, target.real, text);
    symlinkSync(text, target.directory.address(name));
  } else if (kind === 'other') {
    const isMade = await copyNode({ directory: source.directory.fd, name }, { directory: target.directory.fd, name }, work.signal);
    if (!isMade) throw notRegular(from);
  }
};

/**
 * Whoever sets attributes by program walks the source alone: it also finds temporary files, and what came or went meanwhile. What is gone
 * from the source and has content was copied by us, and stays.
 */
const takeSurplus = async (
  { directory }: GrowingTree,
  { work, known }: Crossing & { readonly known: ReadonlySet<string> },
): Promise<void> => {
  for (const { name, kind } of readAllNames(directory.address())) {
    if (known.has(name)) continue;
    const address = directory.address(name);
    if (!isOwnName(name) && kind === 'file' && (lookAt(address)?.size ?? 0n) > 0n) continue;
    if (kind === 'dir') await discardTree(spotIn(directory, name, { isGuarded: false }), work.disk.giveWay);
    else unlinkSync(address);
  }
};

const lookAt = (address: string): BigIntStats | undefined => lstatSync(address, { bigint: true, throwIfNoEntry: false });

const KIND = BigInt(constants.S_IFMT);
const kindBits = ({ mode }: BigIntStats): bigint => mode & KIND;

const syncDescriptor = promisify(fsync);
