import { type BigIntStats, closeSync, fstatSync, lstatSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  DIRECTORY_FLAGS,
  type DirectoryHandle,
  descend,
  ENTRY_FLAGS,
  entryPath,
  faultOfOpen,
  type OpenDirectory,
  refuseEntry,
} from './directory-handle.ts';
import { systemFault } from './system-fault.ts';

/**
 * For systems without descriptor paths: works by real path and checks before and after that it still names what was opened.
 * A swap in between is noticed, not prevented.
 */
export const openDirectoryByPath: OpenDirectory = (rootRealPath, segments) => descend(hold(rootRealPath), segments);

function hold(path: string, parentRealPath?: string): DirectoryHandle {
  const { fd, realPath } = openChecked(path, parentRealPath);
  let isOpen = true;
  const address = (name?: string): string => {
    if (!isOpen) throw systemFault('EBADF', 'address', realPath);
    if (!isNamedBy(realPath, fstatSync(fd, { bigint: true }))) throw refuseEntry(realPath, 'replaced');
    return name === undefined ? realPath : entryPath(realPath, name);
  };
  const handle: DirectoryHandle = {
    fd,
    realPath,
    address,
    enter: (name) => hold(address(name), realPath),
    openFile: (name, flags, mode) => openEntry(handle, name, { flags, mode }),
    makeDir(name, mode = 0o777) {
      mkdirSync(address(name), { mode });
      address();
    },
    [Symbol.dispose]() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(fd);
    },
  };
  return handle;
}

function openChecked(path: string, parentRealPath: string | undefined): { fd: number; realPath: string } {
  const fd = openHere(path);
  try {
    const opened = fstatSync(fd, { bigint: true });
    if (!opened.isDirectory()) throw refuseEntry(path, 'link_or_not_directory');
    return { fd, realPath: realPathOf(path, opened, parentRealPath) };
  } catch (fault) {
    closeSync(fd);
    throw fault;
  }
}

function openHere(path: string): number {
  try {
    return openSync(path, DIRECTORY_FLAGS);
  } catch (fault) {
    throw faultOfOpen(fault, path);
  }
}

interface EntryOptions {
  readonly flags: number;
  readonly mode: number | undefined;
}

async function openEntry(directory: DirectoryHandle, name: string, { flags, mode }: EntryOptions): Promise<FileHandle> {
  const path = directory.address(name);
  const file = await open(path, flags | ENTRY_FLAGS, mode).catch((fault: unknown) => {
    throw faultOfOpen(fault, path);
  });
  try {
    realPathOf(path, await file.stat({ bigint: true }), directory.realPath);
    directory.address();
    return file;
  } catch (fault) {
    await file.close();
    throw fault;
  }
}

/** The system's spelling of a path just opened; refuses when the path names something else or has left its parent. */
function realPathOf(path: string, opened: BigIntStats, parentRealPath: string | undefined): string {
  if (!isNamedBy(path, opened)) throw refuseEntry(path, 'replaced');
  const realPath = realpathSync.native(path);
  if (parentRealPath !== undefined && dirname(realPath) !== parentRealPath) throw refuseEntry(path, 'replaced');
  return realPath;
}

/** Whether the path itself, not what a link at its place names, is the very thing that was opened. */
function isNamedBy(path: string, opened: BigIntStats): boolean {
  const there = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return there !== undefined && there.dev === opened.dev && there.ino === opened.ino;
}
