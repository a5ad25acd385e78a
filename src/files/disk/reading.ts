import { fstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry, FilePort, Listed, ListOptions, Reader } from '../../core/files.ts';
import { rawNameFault, readLinkText, shownBytes } from '../../lib/fs/raw-names.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { entryOf } from '../entry.ts';
import { readNames, readNamesApart } from '../names.ts';
import type { Spot } from '../place.ts';
import { demandFile, faultAt, tooLarge } from '../refusals.ts';
import { type Disk, lookAt, lookFirst } from './disk.ts';
import { type OpenFile, openResolved } from './file/open-file.ts';

/** The most that `read` takes into memory at once. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Enough to find out that a file has ended, or to go on where it has grown. */
const PROBE_BYTES = 4096;

interface Reading extends Pick<FilePort, 'stat' | 'readLink' | 'list' | 'targetFor' | 'read' | 'open'> {
  /** Lists a directory that was found as one; a link in its place is refused. */
  listInner: FilePort['list'];
}

/** Everything that looks and changes nothing. */
export const createReading = (disk: Disk): Reading => {
  const stat: FilePort['stat'] = async (path, { followLinks = true } = {}) => {
    const shown = disk.absolute(path);
    await disk.giveWay();
    try {
      using spot = disk.place(shown, { access: 'read', followLinks });
      return entryAt(spot, shown, lookFirst);
    } catch (fault) {
      if (codeOf(fault) === 'ENOENT' || codeOf(fault) === 'ENOTDIR') return undefined;
      throw faultAt(fault, { path: shown });
    }
  };

  const open: FilePort['open'] = (path) =>
    disk.at(path, { access: 'read' }, (spot, shown) => readerOf(openToRead(spot, shown, lookFirst), shown));

  return {
    stat,
    readLink: (path) => disk.at(path, { access: 'read', followLinks: false }, (spot) => readLinkText(spot.at)),
    list: (path, options) =>
      disk.at(path, { access: 'read', missing: 'directory' }, (spot, shown) =>
        withoutShut(namesAt(spot.at, shown, options), spot.real, disk),
      ),
    listInner: (path, options) =>
      disk.at(path, { access: 'read', followLinks: false, missing: 'directory' }, (spot, shown) => {
        using directory = spot.enter();
        return withoutShut(namesAt(directory.address(), shown, options), spot.real, disk);
      }),
    async targetFor(path, name) {
      return (await stat(path))?.kind === 'dir' ? join(disk.absolute(path), name) : disk.absolute(path);
    },
    async read(path, { offset = 0, limit = Number.POSITIVE_INFINITY } = {}) {
      await using reader = await open(path);
      const { path: shown, size } = reader.entry;
      if (size === 0) return await readUnsized(reader, { start: offset, end: offset + limit });
      const wanted = Math.max(0, Math.min(limit, size - offset));
      if (wanted > MAX_READ_BYTES) throw tooLarge(shown, { wanted, limit: MAX_READ_BYTES });
      const into = Buffer.allocUnsafe(wanted);
      return into.subarray(0, await reader.readAt(into, offset));
    },
    open,
  };
};

/** The entries of a directory; names that are no text are told, where somebody is. */
export const namesAt = (address: string, shown: string, { bypass }: ListOptions = {}): readonly Listed[] => {
  if (bypass === undefined) return readNames(address);
  const { entries, raw } = readNamesApart(address);
  for (const name of raw) {
    const fault = faultAt(rawNameFault(name, 'readdir'), { path: shown });
    bypass.unreadable(join(shown, shownBytes(name.bytes)), fault);
  }
  return entries;
};

/** What is shut for the caller is not there. */
export const withoutShut = (listed: readonly Listed[], real: string, { policy }: Pick<Disk, 'policy'>): readonly Listed[] => {
  const paths = policy?.shutBelow(real).paths ?? [];
  return paths.length === 0 ? listed : listed.filter(({ name }) => !paths.includes(name));
};

/** The entry at a spot, under the caller's path. */
export const entryAt = (spot: Spot, shown: string, look = lookAt): Entry | undefined => {
  const stats = look(spot);
  return stats && entryOf(shown, stats);
};

/** A regular file that is open, and what it was when it was opened. */
export interface Source {
  readonly file: OpenFile;
  readonly entry: Entry;
  readonly atimeMs: number;
}

/** Opens a regular file. Its kind is asked before, because opening a device may already do something. */
export const openToRead = (spot: Spot, shown: string, look = lookAt): Source => {
  demandFile(entryAt(spot, shown, look), shown);
  return openListed(spot.at, shown);
};

/** Opens what was just listed as a regular file. */
export const openListed = (address: string, shown: string): Source => {
  const file = openResolved(address, shown);
  try {
    const stats = fstatSync(file.fd);
    return { file, entry: demandFile(entryOf(shown, stats), shown), atimeMs: stats.atimeMs };
  } catch (fault) {
    void file.close(); // nothing is under way
    throw fault;
  }
};

/** What is read through the port; disposing of it closes the file. */
export const readerOf = ({ file, entry }: Source, shown: string): Reader => {
  const readOnce = async (into: Uint8Array, position: number): Promise<number> => {
    try {
      return await file.read(into, position);
    } catch (fault) {
      throw faultAt(fault, { path: shown });
    }
  };
  return {
    entry,
    fd: file.fd,
    async readAt(into, position) {
      let filled = 0;
      while (filled < into.byteLength) {
        const bytes = await readOnce(into.subarray(filled), position + filled);
        if (bytes === 0) break;
        filled += bytes;
      }
      return filled;
    },
    async *stream({ start = 0, end = Number.POSITIVE_INFINITY, chunkBytes = CHUNK_BYTES } = {}) {
      for (let position = start; position < end; ) {
        const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - position, Math.max(entry.size - position, PROBE_BYTES)));
        const bytes = await readOnce(chunk, position);
        if (bytes === 0) return;
        position += bytes;
        yield chunk.subarray(0, bytes);
      }
    },
    [Symbol.asyncDispose]: async () => file.close(),
  };
};

/** Files of the system (/proc) have no size until they are read. */
const readUnsized = async (reader: Reader, range: { readonly start: number; readonly end: number }): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of reader.stream(range)) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > MAX_READ_BYTES) throw tooLarge(reader.entry.path, { wanted: bytes, limit: MAX_READ_BYTES });
  }
  return Buffer.concat(chunks);
};
