import { lstatSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { EntryKind } from '../../core/files.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { openDirectory } from './handles.ts';

/** A directory that is being walked. */
export interface WalkedDirectory {
  /** From the walked root, `/` behind every name; empty for the root itself. */
  readonly relative: string;
  /** A path for any file call on one of its entries; good while the entries are told. */
  address(name: string): string;
}

/** A directory with the means to enter what is in it. */
export interface OpenedDirectory extends WalkedDirectory, Disposable {
  enter(name: string): OpenedDirectory;
  /** Tells name and kind of each entry. Throws the system's faults. */
  list(tell: (name: string, kind: EntryKind) => void): void;
}

/** Opens the directory at `relative` below a real path: as a path, or held open so that no link swapped in is followed. */
export const openWalked = (root: string, relative: string, byHandles: boolean): OpenedDirectory => {
  const names = relative.split('/').slice(0, -1);
  return byHandles ? held(openDirectory(root, names), relative) : namedAt(join(root, ...names), relative);
};

const namedAt = (path: string, relative: string): OpenedDirectory => {
  const prefix = path.endsWith(sep) ? path : path + sep;
  const address = (name: string): string => prefix + name;
  return {
    relative,
    address,
    enter: (name) => namedAt(prefix + name, `${relative}${name}/`),
    list: (tell) => listEntries(path, address, tell),
    [Symbol.dispose]() {},
  };
};

const held = (handle: DirectoryHandle, relative: string): OpenedDirectory => ({
  relative,
  address: (name) => handle.address(name),
  enter: (name) => held(handle.enter(name), `${relative}${name}/`),
  list: (tell) => listEntries(handle.address(), handle.address, tell),
  [Symbol.dispose]: () => handle[Symbol.dispose](),
});

const listEntries = (path: string, address: (name: string) => string, tell: (name: string, kind: EntryKind) => void): void => {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isFile()) tell(entry.name, 'file');
    else if (entry.isDirectory()) tell(entry.name, 'dir');
    else if (entry.isSymbolicLink()) tell(entry.name, 'link');
    else tellOther(entry.name, address, tell);
  }
};

/** Pipes, sockets, devices, and everything on file systems that list names without kinds. */
const tellOther = (name: string, address: (name: string) => string, tell: (name: string, kind: EntryKind) => void): void => {
  const stats = lstatSync(address(name), { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isFile()) tell(name, 'file');
  else if (stats.isDirectory()) tell(name, 'dir');
  else tell(name, stats.isSymbolicLink() ? 'link' : 'other');
};
