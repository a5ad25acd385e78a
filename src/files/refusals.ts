import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, sep } from 'node:path';
import {
  ArgumentException,
  DirNotExistsException,
  FileAccessException,
  type FileAutomationException,
  FileNotExistsException,
  PathExistsException,
  PathTraversalException,
} from '../core/errors.ts';
import type { EntryKind } from '../core/files.ts';
import { refuseEntry } from '../lib/fs/directory-handle.ts';
import { translate } from '../lib/fs/faults.ts';
import { codeOf, ownFault } from '../lib/fs/system-fault.ts';
import { kindOf } from './entry.ts';

// What both ports refuse, in the same words: a dry run must fail where the real run would.

/** What a call missed when the system says that nothing is there. */
export type Missing = 'file' | 'directory' | 'parent';

/** Turns a fault into the caller's words. Nothing exists below a file, so ENOTDIR is a missing path too. */
export const faultAt = (
  fault: unknown,
  { path, missing = 'file' }: { readonly path: string; readonly missing?: Missing | undefined },
): FileAutomationException => {
  const code = codeOf(fault);
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return translate(fault, { path });
  if (missing !== 'parent') return missing === 'file' ? noFile(path, fault) : noDir(path, fault);
  const parent = dirname(path);
  return code === 'ENOENT' && isFreePlace(path) ? nothingCanBeMade(path, fault) : noDir(parent, fault);
};

/**
 * Asked only after a failure: some file systems, /proc above all, say that nothing is there where nothing can be made. What stands there is a
 * link, which leads to where the directory is missing.
 */
const isFreePlace = (path: string): boolean =>
  isAbsolute(path) &&
  lstatSync(path, { throwIfNoEntry: false }) === undefined &&
  statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true;

const nothingCanBeMade = (path: string, cause: unknown) =>
  new FileAccessException(`Nothing can be made at ${path}, because that file system takes no new entries there; choose another place.`, {
    context: { path, code: 'ENOENT' },
    cause,
  });

/** Looks at a source; faults name it, not its copy. */
export const atSource = <T>(path: string, look: () => T): T => {
  try {
    return look();
  } catch (fault) {
    throw faultAt(fault, { path });
  }
};

/** The refusal to work on a file that is not there. */
export const noFile = (path: string, cause?: unknown) =>
  new FileNotExistsException(`No file at ${path}; check the path.`, { context: { path }, cause });

/** The refusal to work in a directory that is not there. */
export const noDir = (path: string, cause?: unknown) =>
  new DirNotExistsException(`No directory at ${path}; check the path or create it.`, { context: { path }, cause });

/** The refusal to put something where something is. */
export const taken = (path: string, cause?: unknown) =>
  new PathExistsException(`Something is already at ${path}; choose another path or allow overwriting.`, { context: { path }, cause });

/** The refusal to move a directory onto one that holds something. */
export const notEmpty = (path: string) =>
  new PathExistsException(`A directory that is not empty is at ${path}; choose another path or empty it first.`, { context: { path } });

/** The refusal to make a directory where something else stands. */
export const notDirectory = (path: string) =>
  new PathExistsException(`Something that is no directory is at ${path}; choose another path or move it away.`, { context: { path } });

/** The refusal to put what is private into a directory of somebody else. */
export const notOurs = (path: string) =>
  new FileAccessException(`The directory at ${path} belongs to another user, who could read what is put there; choose another one.`, {
    context: { path },
  });

const isDirectory = (path: string) =>
  new FileAccessException(`${path} is a directory; give the path of a file.`, { context: { path, code: 'EISDIR' } });

const onlyDirectory = (path: string) =>
  new FileNotExistsException(`${path} is a directory; give the path of a file.`, { context: { path, code: 'EISDIR' } });

/**
 * Refuses what is never moved to another device: devices, whose numbers mean something on this machine only, and pipes and sockets where
 * no program can make them.
 */
export const demandMovable = (stats: Stats | undefined, path: string): void => {
  const isSpecial = stats !== undefined && kindOf(stats) === 'other';
  const isMade = process.platform === 'linux' && (stats?.isFIFO() || stats?.isSocket());
  if (isSpecial && !isMade) throw notRegular(path);
};

/** The refusal of pipes, sockets and devices: reading one may wait for ever, replacing one breaks what it serves. */
export const notRegular = (path: string) =>
  new FileAccessException(`${path} is a pipe, socket or device; give the path of a regular file.`, { context: { path } });

/** The refusal of a source that is no longer what was copied. */
export const changedMeanwhile = (path: string) => translate(ownFault('ECHANGED'), { path });

/** What no edit can prevent: somebody wrote into a file in the moment it was replaced, elsewhere than behind its end. */
export const lostMeanwhile = (path: string) =>
  new FileAccessException(
    `Another program changed ${path} in the moment it was replaced, and its change is not in the file; see that it is made again.`,
    { context: { path } },
  );

/** A record of which only a part could be written, behind which others have written since. */
export const halfAppended = (path: string, cause?: unknown) =>
  new FileAccessException(
    `Only a part of the record could be appended to ${path}, and others have written behind it; remove the broken line and append again.`,
    { context: { path, ...(codeOf(cause) !== undefined && { code: codeOf(cause) ?? '' }) }, cause },
  );

/** A record that stands behind half a line of somebody else. */
export const joinedToHalf = (path: string) =>
  new FileAccessException(
    `Another program wrote half a line to ${path} in the moment a record was appended, so that both stand on one line; part them by hand.`,
    { context: { path } },
  );

/** The refusal to put a new tree where somebody else has put something since the first look. */
export const madeMeanwhile = (path: string) => translate(ownFault('ETAKEN'), { path });

/** The refusal to take away a directory of ours with the tree that it lies in. */
export const holdsOwnPlace = (path: string) => translate(ownFault('EKEPT'), { path });

/** The refusal to use a directory of ours as if it were anybody's. */
export const isOwnPlaceAt = (path: string, place: string) =>
  new FileAccessException(`${place} is where factotum keeps its own files; leave ${path} alone and use factotum undo and factotum runs.`, {
    context: { path },
  });

/** The refusal to create, replace or remove what has no directory above it that may be used. */
export const isRoot = (path: string) =>
  new PathTraversalException(`${path} is a root and cannot itself be created, replaced or removed; choose something inside it.`, {
    context: { path },
  });

/** The refusal to take much into memory. */
export const tooLarge = (path: string, { wanted, limit }: { readonly wanted: number; readonly limit: number }) =>
  new FileAccessException(`${wanted} bytes of ${path} are too many to take into memory at once; ask for a part with offset and limit.`, {
    context: { path, bytes: wanted, limit },
  });

/** A regular file to read, or the reason why not. A directory is no file: whoever wants a file finds none there. */
export const demandFile = <E extends { readonly kind: EntryKind }>(entry: E | undefined, path: string): E => {
  if (entry === undefined) throw noFile(path);
  if (entry.kind === 'dir') throw onlyDirectory(path);
  if (entry.kind !== 'file') throw entry.kind === 'link' ? refuseEntry(path, 'replaced') : notRegular(path);
  return entry;
};

/** A directory, or the reason why not. */
export const demandDir = <E extends { readonly kind: EntryKind }>(entry: E | undefined, path: string): E => {
  if (entry?.kind !== 'dir') throw noDir(path);
  return entry;
};

/** Something that is no directory: what `remove` takes. */
export const demandRemovable = <E extends { readonly kind: EntryKind }>(entry: E | undefined, path: string): E => {
  if (entry === undefined) throw noFile(path);
  if (entry.kind === 'dir') throw isDirectory(path);
  return entry;
};

/** Refuses to write where a file cannot stand. Links were followed, so one that is there now was put there meanwhile. */
export const demandWritable = (
  there: EntryKind | undefined,
  { path, exclusive }: { readonly path: string; readonly exclusive: boolean },
): void => {
  if (there === undefined) return;
  if (there === 'dir') throw isDirectory(path);
  demandFile({ kind: there }, path);
  if (exclusive) throw taken(path);
};

/** Refuses to move or merge something onto what has another kind. Links in the way are replaced, never followed. */
export const demandReplaceable = (
  kind: EntryKind,
  there: EntryKind | undefined,
  { path, exclusive = false }: { readonly path: string; readonly exclusive?: boolean },
): void => {
  if (there === undefined) return;
  if (exclusive) throw taken(path);
  if (kind === 'dir' && there !== 'dir') throw notDirectory(path);
  if (kind !== 'dir' && there === 'dir') throw isDirectory(path);
  if (there === 'other') throw notRegular(path);
};

/** Refuses to copy or move a directory into itself; both are real paths. */
export const demandApart = (from: string, to: string): void => {
  if (to === from || to.startsWith(from.endsWith(sep) ? from : from + sep)) {
    throw new FileAccessException(`${to} lies inside ${from}; choose a target outside the directory.`, {
      context: { path: to, source: from },
    });
  }
};

/** Stops cancelled work. */
export const demandGoing = (signal: AbortSignal, path: string): void => {
  if (signal.aborted) throw translate(signal.reason, { path });
};

/** Refuses link targets that no link can hold. */
export const demandLinkTarget = (target: string, path: string): void => {
  if (target !== '' && !/\0|\p{Surrogate}/u.test(target)) return;
  throw new ArgumentException(`The link ${path} needs a target that is not empty and is well-formed text without NUL.`, {
    context: { path },
  });
};
