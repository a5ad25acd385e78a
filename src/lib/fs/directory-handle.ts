import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { sep } from 'node:path';
import { PathTraversalException } from '../../core/errors.ts';
import { codeOf } from './system-fault.ts';

/**
 * A directory held open, so that work in it stays in it when its path is swapped for a link.
 * Names are single names. A link, or a non-directory where a directory must be, is a PathTraversalException;
 * every other fault is the system's own.
 */
export interface DirectoryHandle {
  readonly fd: number;
  /** Where the directory was when it was opened. */
  readonly realPath: string;
  /** A path for any file call: of an entry, or without a name of the directory itself. Good until the handle is disposed. */
  address(name?: string): string;
  /** Opens a directory inside; both handles are the caller's to dispose. */
  enter(name: string): DirectoryHandle;
  /** Opens an entry without following a link or waiting at a pipe; the handle must outlive the promise. */
  openFile(name: string, flags: number, mode?: number): Promise<FileHandle>;
  /** Makes one directory; the process umask applies to the mode, 0777 unless given. */
  makeDir(name: string, mode?: number): void;
  [Symbol.dispose](): void;
}

/** Opens the directory that the segments name below a real path. */
export type OpenDirectory = (rootRealPath: string, segments: readonly string[]) => DirectoryHandle;

// Windows has none of these three: Node leaves them undefined there, although its types say otherwise.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** How a directory is opened: itself, never what a link at its place names. */
export const DIRECTORY_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;
/** What is added to the flags of every entry that is opened. */
export const ENTRY_FLAGS = NO_FOLLOW | (constants.O_NONBLOCK ?? 0);

/** Enters the segments one by one and disposes every handle it passes, `root` included. */
export function descend(root: DirectoryHandle, segments: readonly string[]): DirectoryHandle {
  let here = root;
  for (const segment of segments) {
    using passed = here;
    here = passed.enter(segment);
  }
  return here;
}

/** The path of one entry of a directory; refuses everything that is not a single name. */
export function entryPath(directory: string, name: string): string {
  if (name === '' || name === '.' || name === '..' || name.includes('\0') || name.includes('/') || name.includes(sep)) {
    throw refuseEntry(name, 'not_a_name');
  }
  return directory.endsWith(sep) ? directory + name : directory + sep + name;
}

/** What a failed open means: a refusal where the system met a link or a non-directory, else the fault itself. */
export function faultOfOpen(fault: unknown, path: string): unknown {
  const code = codeOf(fault);
  // With both flags Linux says ENOTDIR for a link; FreeBSD says EMLINK for O_NOFOLLOW.
  return code === 'ELOOP' || code === 'ENOTDIR' || code === 'EMLINK' ? refuseEntry(path, 'link_or_not_directory', fault) : fault;
}

/** The refusal of an entry that is not, or no longer is, what it must be. */
export function refuseEntry(path: string, reason: keyof typeof SENTENCES, cause?: unknown): PathTraversalException {
  return new PathTraversalException(`The entry ${JSON.stringify(path)} ${SENTENCES[reason]}.`, { context: { path, reason }, cause });
}

const SENTENCES = {
  not_a_name: 'is not a single name; give one segment without separators',
  link_or_not_directory: 'is a link, or not a directory where one is needed; give the real path and see that nobody changes it meanwhile',
  replaced: 'was replaced while it was in use; see that nobody changes it meanwhile and run again',
} as const;
