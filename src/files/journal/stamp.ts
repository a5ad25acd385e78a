import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Entry } from '../../core/files.ts';
import { entryPath } from '../../lib/fs/directory-handle.ts';
import { isOwnName } from '../../lib/fs/own-names.ts';
import { kindOf, statAt } from '../entry.ts';
import type { Left } from './inverse.ts';
import { createLate } from './late.ts';

/** Device and inode as one text, as `Entry` has it. */
export const identityOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/** The identity of what stands at a path; undefined where nothing does. */
export const identityAt = (path: string): string | undefined => {
  const stats = statAt(path);
  return stats && identityOf(stats);
};

/**
 * What stands at a path, as a text that changes when somebody touches it. Directories count by mode alone: their time and inode change
 * when what is in them is taken back. Times count to the millisecond, because copies keep them no better everywhere.
 */
export const stampOf = (stats: Stats, path: string): string => {
  const kind = kindOf(stats);
  const mode = (stats.mode & 0o7777).toString(8);
  if (kind === 'dir') return `dir ${mode}`;
  if (kind === 'link') return `link ${readlinkSync(path, 'latin1')}`;
  return kind === 'file' ? stampOfFile(stats) : `other ${mode}`;
};

/** The stamp of a regular file. */
export const stampOfFile = ({ mode, size, mtimeMs }: Pick<Stats, 'mode' | 'size' | 'mtimeMs'>): string =>
  `file ${(mode & 0o7777).toString(8)} ${size} ${Math.round(mtimeMs)}`;

/** The stamp of what is about to stand at a path and is no link. */
export const stampOfEntry = (entry: Entry): string =>
  entry.kind === 'file' ? stampOfFile(entry) : `${entry.kind} ${entry.mode.toString(8)}`;

const FILE = /^file ([0-7]+ [0-9]+) (-?[0-9]+)$/;

/** Whether two stamps are of the same thing. A time that was foretold may have been rounded to the next millisecond when it was set. */
export const isSameStamp = (one: string, other: string | undefined): boolean => {
  if (one === other || other === undefined) return one === other;
  const [[, looks, time], [, otherLooks, otherTime]] = [FILE.exec(one) ?? [], FILE.exec(other) ?? []];
  return looks !== undefined && looks === otherLooks && Math.abs(Number(time) - Number(otherTime)) <= 1;
};

/** The stamp of what stands at a path; undefined where nothing does. */
export const stampAt = (path: string): string | undefined => {
  const stats = statAt(path);
  return stats && stampOf(stats, path);
};

const ENTRIES_A_TURN = 500;

/** Of trees with more directories only the looks are kept: each would be a line's worth of a journal. */
const MOST_DIRECTORIES = 2_000;

/** What a change left where it made a tree. */
export const leftTreeAt = async (root: string): Promise<Left> => {
  const late = createLate();
  const directories: string[] = [];
  const left = await treeStampAt(root, (stats, path) => {
    if (!stats.isDirectory()) late.see(path, stats);
    else if (directories.length <= MOST_DIRECTORIES) directories.push(identityOf(stats));
  });
  if (directories.length > MOST_DIRECTORIES) return { left };
  return { left, tree: { ctimeMs: late.latestMs(), directories, late: late.contents(root) } };
};

/** The stamp of a whole tree: of the directory and of every entry below it, by name; but for files that are still being written. */
export const treeStampAt = async (root: string, see?: (stats: Stats, path: string) => void): Promise<string> => {
  const hash = createHash('sha256');
  let seen = 0;
  const add = async (path: string, shown: string): Promise<void> => {
    const stats = lstatSync(path);
    see?.(stats, path);
    hash.update(`${shown}\0${stampOf(stats, path)}\0`);
    seen += 1;
    if (seen % ENTRIES_A_TURN === 0) await nextTurn();
    if (!stats.isDirectory()) return;
    const names = readdirSync(path).filter((name) => !isOwnName(name));
    for (const name of names.sort()) await add(entryPath(path, name), `${shown}/${name}`);
  };
  await add(root, '');
  return `tree ${hash.digest('base64url')}`;
};
