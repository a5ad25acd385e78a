import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  DIRECTORY_FLAGS,
  type DirectoryHandle,
  descend,
  ENTRY_FLAGS,
  entryPath,
  faultOfOpen,
  type OpenDirectory,
} from './directory-handle.ts';
import { openDirectoryByPath } from './handles-by-path.ts';
import { systemFault } from './system-fault.ts';

const DESCRIPTORS = '/proc/self/fd';

let chosen: OpenDirectory | undefined;

/** Opens a directory by walking from an open root, so that no link on the way is followed; chosen once for this system. */
export const openDirectory: OpenDirectory = (rootRealPath, segments) => {
  chosen ??= statSync(DESCRIPTORS, { throwIfNoEntry: false })?.isDirectory() ? openDirectoryByDescriptor : openDirectoryByPath;
  return chosen(rootRealPath, segments);
};

/** A path that leads to what is open, whatever its own has become; undefined where the system has none. */
export const descriptorPath = (fd: number): string | undefined =>
  process.platform === 'linux' && statSync(DESCRIPTORS, { throwIfNoEntry: false })?.isDirectory() ? `${DESCRIPTORS}/${fd}` : undefined;

/** Linux's openat in plain Node: the kernel looks entries up in the open directory itself, whatever its path has become. */
const openDirectoryByDescriptor: OpenDirectory = (rootRealPath, segments) => descend(hold(rootRealPath, rootRealPath), segments);

/** `address` is where to open it now, `realPath` what to call it. */
function hold(address: string, realPath: string): DirectoryHandle {
  const fd = openHere(address, realPath);
  let isOpen = true;
  const addressOf = (name?: string): string => {
    // A closed number may already belong to another directory.
    if (!isOpen) throw systemFault('EBADF', 'address', realPath);
    const own = `${DESCRIPTORS}/${fd}`;
    return name === undefined ? own : entryPath(own, name);
  };
  return {
    fd,
    realPath,
    address: addressOf,
    enter: (name) => hold(addressOf(name), entryPath(realPath, name)),
    async openFile(name, flags, mode) {
      try {
        return await open(addressOf(name), flags | ENTRY_FLAGS, mode);
      } catch (fault) {
        throw faultOfOpen(fault, entryPath(realPath, name));
      }
    },
    makeDir: (name, mode = 0o777) => mkdirSync(addressOf(name), { mode }),
    [Symbol.dispose]() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(fd);
    },
  };
}

function openHere(address: string, realPath: string): number {
  try {
    return openSync(address, DIRECTORY_FLAGS);
  } catch (fault) {
    throw faultOfOpen(fault, realPath);
  }
}
