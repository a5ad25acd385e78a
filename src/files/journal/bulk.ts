import { linkSync, readlinkSync, type Stats, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { BulkArrival, BulkChanges } from '../../core/files.ts';
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

interface Old extends BulkArrival {
  readonly path: string;
  readonly stats: Stats;
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
    for (const place of places) {
      await pace.pauseIfOver();
      const path = join(root, place.relative);
      const stats = statAt(path);
      if (stats === undefined) free.push(place);
      else if (stats.dev === device && canBeKept(stats, path)) taken.push({ ...place, path, stats });
      else return undefined;
    }
    return { taken, free };
  };

  const going = await look(removed.map((relative) => ({ relative })));
  const coming = going && (await look(arrivals));
  if (going === undefined || coming === undefined) return undefined;
  const keepAt = roomFor(root, [...going.taken, ...coming.taken], { keeper, first });
  if (keepAt === undefined) return undefined;

  const entries: JournalEntry[] = [];
  const unseen: { index: number; inverse: Inverse }[] = [];
  const add = (inverse: Inverse, { file, bytes = 0 }: { readonly file?: BulkArrival['file']; readonly bytes?: number } = {}): void => {
    const index = first + entries.length;
    const left = file && stampOfFile({ ...file, mode: file.mode & 0o777 });
    entries.push({ index, bytes, inverse: { ...inverse, at: now(), bulk: first, ...(left !== undefined && { left }) } });
    const staysEmpty = 'isReplaced' in inverse && !inverse.isReplaced;
    if (left === undefined && !staysEmpty) unseen.push({ index, inverse });
  };
  const addOld = async ({ relative, path, stats, file }: Old, { isReplaced }: { readonly isReplaced: boolean }): Promise<void> => {
    await pace.pauseIfOver();
    const identity = identityOf(stats);
    const bytes = stats.isFile() ? stats.size : 0;
    const inverse: Inverse = stats.isFile()
      ? { undo: 'put_back', path, identity, kept: { at: keepAt + keptName(relative), identity }, isReplaced }
      : { undo: 'link_back', path, identity, target: readlinkSync(path), isReplaced };
    add(inverse, { bytes, ...(file && { file }) });
  };
  for (const old of going.taken) await addOld(old, { isReplaced: false });
  for (const old of coming.taken) await addOld(old, { isReplaced: true });
  for (const { relative, file } of coming.free) add({ undo: 'remove', path: join(root, relative) }, { ...(file && { file }) });
  for (const relative of marked) {
    const path = join(root, relative);
    const stats = statAt(path);
    if (stats !== undefined) add({ undo: 'set_back', path, mode: stats.mode & 0o7777, mtimeMs: stats.mtimeMs });
  }
  return { entries, keepAt, unseen };
};

/** Nobody may give a second name to somebody else's file; other kinds than files and links are never replaced. */
const canBeKept = (stats: Stats, path: string): boolean => {
  if (stats.isSymbolicLink()) return !readlinkSync(path).includes('\uFFFD');
  const own = process.getuid?.();
  return stats.isFile() && stats.nlink < MAX_NAMES && (own === undefined || own === 0 || stats.uid === own);
};

/** Where old files are kept, all with the same beginning; undefined where the file system knows no second names, too. */
const roomFor = (
  root: string,
  olds: readonly Old[],
  { keeper, first }: { readonly keeper: Keeper; readonly first: number },
): string | undefined => {
  const files = olds.filter(({ stats }) => stats.isFile());
  const room = keeper.roomFor(
    root,
    files.reduce((sum, { stats }) => sum + stats.size, 0),
  );
  if (typeof room === 'string') return undefined;
  const keepAt = join(room.home, `${first}-`);
  const [probe] = files;
  if (probe === undefined) return keepAt;
  try {
    linkSync(probe.path, `${keepAt}probe`);
    unlinkSync(`${keepAt}probe`);
    return keepAt;
  } catch {
    return undefined;
  }
};
