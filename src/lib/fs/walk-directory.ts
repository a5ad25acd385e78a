import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { EntryKind, Shut } from '../../core/files.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { openDirectory } from './handles.ts';
import { systemFault } from './system-fault.ts';

/** A directory that is being walked. */
export interface WalkedDirectory {
  /** From the walked root, `/` behind every name; empty for the root itself. */
  readonly relative: string;
  /** A path for any file call on one of its entries, or without a name on itself (links followed); good while the entries are told. */
  address(name?: string): string;
}

/** A directory with the means to go on from it; all throw the system's faults. */
export interface OpenedDirectory extends WalkedDirectory, Disposable {
  enter(name: string): OpenedDirectory;
  /** Its entries, in no order. */
  read(): Dirent[];
}

/**
 * Opens the directory at `relative` below a real path: as a path, or held open so that no link swapped in is followed. What is `shut` is
 * not there for those that are held.
 */
export const openWalked = (root: string, relative: string, byHandles: boolean, shut?: Shut): OpenedDirectory => {
  const names = namesOf(relative);
  if (!byHandles) return namedAt(join(root, ...names), relative);
  if (shut !== undefined) demandOpen(names, shut);
  return held(openDirectory(root, names), relative, shut);
};

/** No way leads to what is shut, so only a path from elsewhere, as that of a part that was found before, comes here. */
const demandOpen = (names: readonly string[], { paths }: Shut): void => {
  const path = names.join(sep);
  if (!paths.some((shut) => path === shut || path.startsWith(shut + sep))) return;
  throw systemFault('EACCES', 'opendir', path);
};

/** The names in one directory that are shut; mostly none. */
export const shutIn = ({ paths }: Shut, relative: string): readonly string[] => {
  const at = relative.length === 0 ? '' : namesOf(relative).join(sep) + sep;
  return paths.filter((path) => path.startsWith(at) && !path.includes(sep, at.length)).map((path) => path.slice(at.length));
};

/** What is shut is not there. */
const withoutShut = (entries: Dirent[], relative: string, shut: Shut): Dirent[] => {
  const names = shutIn(shut, relative);
  return names.length === 0 ? entries : entries.filter(({ name }) => !names.includes(name));
};

const namesOf = (relative: string, ...further: readonly string[]): readonly string[] => [...relative.split('/').slice(0, -1), ...further];

const namedAt = (path: string, relative: string): OpenedDirectory => {
  const prefix = path.endsWith(sep) ? path : path + sep;
  return {
    relative,
    address: (name) => (name === undefined ? path : prefix + name),
    enter: (name) => namedAt(prefix + name, `${relative}${name}/`),
    read: () => readdirSync(path, { withFileTypes: true }),
    [Symbol.dispose]() {},
  };
};

const held = (handle: DirectoryHandle, relative: string, shut: Shut | undefined): OpenedDirectory => ({
  relative,
  address: (name) => handle.address(name),
  enter(name) {
    if (shut !== undefined) demandOpen(namesOf(relative, name), shut);
    return held(handle.enter(name), `${relative}${name}/`, shut);
  },
  read() {
    const entries = readdirSync(handle.address(), { withFileTypes: true });
    return shut === undefined ? entries : withoutShut(entries, relative, shut);
  },
  [Symbol.dispose]: () => handle[Symbol.dispose](),
});

/** What an entry is; undefined where it is gone by now. The system is asked only where the entry does not tell. */
export const kindOf = (entry: Dirent, directory: WalkedDirectory): EntryKind | undefined => {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'dir';
  if (entry.isSymbolicLink()) return 'link';
  return kindAt(directory.address(entry.name));
};

/** What stands at a path; undefined where nothing does. */
export const kindAt = (path: string): EntryKind | undefined => {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'dir';
  return stats.isSymbolicLink() ? 'link' : 'other';
};
