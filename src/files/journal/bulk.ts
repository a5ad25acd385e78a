import { linkSync, readlinkSync, type Stats, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { BulkArrival, BulkChanges } from '../../core/journal.ts';
import { createPace } from '../../lib/fs/walk-pace.ts';
import { keptName } from '../../lib/tree/kept-name.ts';
import { statAt } from '../entry.ts';
import type { Inverse, JournalEntry } from './inverse.ts';
import type { Keeper } from './keep.ts';
import { identityOf, stampOfFile } from './stamp.ts';

/** Changes of a bulk work, described together. */
export interface DescribedBulk {
  readonly entries: readonly JournalEntry[];
  readonly keepAt: string;
  /** What is left there can only be looked at when the work has ended. */
  readonly unseen: readonly { readonly index: number; readonly inverse: Inverse }[];
}

/** Far below what any file system allows, so that there is one more name for every file. */
const MAX_NAMES = 30_000;

/** What stands where something arrives or from where something goes. */
interface Old extends BulkArrival {
  readonly path: string;
  readonly identity: string;
  readonly size: number;
  /** Where it leads; undefined for a file. */
  readonly link: string | undefined;
}

/**
 * Says how to take back what other threads are about to do. They keep old files themselves, under names that follow from `keepAt`.
 * Undefined where that would not work for every one of them: links that are no text, files of others, other devices, too many bytes.
 */
export const describeBulk = async (
  { root, arrivals, removed, marked }: BulkChanges,
  { keeper, first, now }: { readonly keeper: Keeper; readonly first: number; now(): number },
): Promise<DescribedBulk | undefined> => {
  const pace = createPace();
  const device = statAt(root)?.dev;
  const look = async (places: readonly BulkArrival[]) => {
    const taken: Old[] = [];
    const free: BulkArrival[] = [];
    for (const { relative, file } of places) {
      if (pace.isOver()) await pace.pause();
      const path = join(root, relative);
      const stats = statAt(path);
      const arrival = file === undefined ? { relative } : { relative, file };
      if (stats === undefined) free.push(arrival);
      else if (stats.dev !== device || !canBeKept(stats)) return undefined;
      else {
        const link = stats.isSymbolicLink() ? readlinkSync(path) : undefined;
        if (link?.includes('\uFFFD')) return undefined;
        taken.push({ ...arrival, path, identity: identityOf(stats), size: stats.size, link });
      }
    }
    return { taken, free };
  };

  const going = await look(removed.map((relative) => ({ relative })));
  const coming = going && (await look(arrivals));
  if (going === undefined || coming === undefined) return undefined;
  const keepAt = roomFor(root, [...going.taken, ...coming.taken], { keeper, first });
  if (keepAt === undefined) return undefined;

  const at = now();
  const entries: JournalEntry[] = [];
  const unseen: { index: number; inverse: Inverse }[] = [];
  const add = (inverse: Inverse, file: BulkArrival['file'], bytes = 0): void => {
    const index = first + entries.length;
    const record = { ...inverse, at, bulk: first };
    const isFree = 'isReplaced' in inverse && !inverse.isReplaced;
    if (file === undefined && !isFree) unseen.push({ index, inverse });
    entries.push({
      index,
      bytes,
      inverse: file === undefined ? record : { ...record, left: stampOfFile({ ...file, mode: file.mode & 0o777 }) },
    });
  };
  const addOld = ({ relative, path, identity, size, link, file }: Old, { isReplaced }: { readonly isReplaced: boolean }): void => {
    if (link !== undefined) add({ undo: 'link_back', path, identity, target: link, isReplaced }, file);
    else add({ undo: 'put_back', path, identity, kept: { at: keepAt + keptName(relative), identity }, isReplaced }, file, size);
  };
  for (const old of going.taken) addOld(old, { isReplaced: false });
  for (const old of coming.taken) {
    if (pace.isOver()) await pace.pause();
    addOld(old, { isReplaced: true });
  }
  for (const { relative, file } of coming.free) add({ undo: 'remove', path: join(root, relative) }, file);
  for (const relative of marked) {
    const path = join(root, relative);
    const stats = statAt(path);
    if (stats !== undefined) add({ undo: 'set_back', path, mode: stats.mode & 0o7777, mtimeMs: stats.mtimeMs }, undefined);
  }
  return { entries, keepAt, unseen };
};

/** Nobody may give a second name to somebody else's file; other kinds than files and links are never replaced. */
const canBeKept = (stats: Stats): boolean => {
  if (stats.isSymbolicLink()) return true;
  const own = process.getuid?.();
  return stats.isFile() && stats.nlink < MAX_NAMES && (own === undefined || own === 0 || stats.uid === own);
};

/** Where old files are kept, all with the same beginning; undefined where the file system knows no second names, too. */
const roomFor = (
  root: string,
  olds: readonly Old[],
  { keeper, first }: { readonly keeper: Keeper; readonly first: number },
): string | undefined => {
  const files = olds.filter(({ link }) => link === undefined);
  const room = keeper.roomFor(root, { bytes: files.reduce((sum, { size }) => sum + size, 0), files: files.length });
  if (typeof room === 'string') return undefined;
  const keepAt = join(room.home, `${first}-`);
  const [probe] = files;
  if (probe === undefined) return keepAt;
  try {
    linkSync(probe.path, `${keepAt}probe`);
    unlinkSync(`${keepAt}probe`);
    return keepAt;
  } catch {
    room.giveBack();
    return undefined;
  }
};
