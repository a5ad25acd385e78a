import { isAbsolute, sep } from 'node:path';
import { StorageException } from '../../core/errors.ts';
import type { Entry, FilePort } from '../../core/files.ts';
import type { Storage, StorageAbilities, StoredItem } from '../../core/storage.ts';
import { createFaults } from '../faults.ts';
import { localParts, PARTS } from './local-parts.ts';

const LOOKING: StorageAbilities = { range: true, exclusiveWrite: true, directories: 'real', hashes: [], timeStepMs: 1 };
const CAN: StorageAbilities = { ...LOOKING, parts: PARTS };
const CHUNK_BYTES = 1024 * 1024;

export interface LocalOptions {
  /** The port is that of a dry run. */
  readonly isPlan?: boolean;
}

/**
 * This machine, seen as a storage. Everything goes through the file port of the run, so that roots, budgets, undo and dry runs hold here
 * as they do for paths. Links are followed by reads and left out of lists.
 */
export const openLocal = (files: FilePort, { isPlan = false }: LocalOptions = {}): Storage => {
  const location = 'local://';
  const faults = createFaults(StorageException, location);
  const at = (path: string): string => `${sep}${path}`;
  const demandFile = async (path: string): Promise<Entry> => {
    const entry = await files.stat(at(path));
    if (entry === undefined) throw faults.notFound(path);
    if (entry.kind === 'dir') throw faults.isDirectory(path);
    return entry;
  };
  const itemAt = async (path: string): Promise<StoredItem> => itemOf(path, await demandFile(path));

  return {
    location,
    can: isPlan ? LOOKING : CAN,
    async stat(path) {
      const entry = await files.stat(at(path));
      return entry && itemOf(path, entry);
    },
    async *list(path, { deep = false, onUnreadable, onSkipped, signal }) {
      const root = await files.stat(at(path));
      if (root?.kind !== 'dir') return;
      if (!deep) {
        for (const { name, kind } of await files.list(at(path))) {
          signal.throwIfAborted();
          if (kind === 'file' || kind === 'dir') yield* found(path === '' ? name : `${path}/${name}`);
        }
        return;
      }
      const bypass = onUnreadable && { unreadable: (where: string, fault: unknown) => onUnreadable(localPath(where, files), fault) };
      for await (const { relative, kind } of files.walk(at(path), { signal, ...(bypass && { bypass }) })) {
        const name = sep === '/' ? relative : relative.replaceAll(sep, '/');
        const where = path === '' ? name : `${path}/${name}`;
        if (kind === 'file' || kind === 'dir') yield* found(where);
        else onSkipped?.(where);
      }
    },
    async read(path, { stretch, version, signal }) {
      const entry = await demandFile(path);
      if (version !== undefined && version !== versionOf(entry)) throw faults.changed(path);
      return streamed(files, entry.path, stretch, signal);
    },
    ...(isPlan && {
      async willRead(path) {
        await using _reader = await files.open((await demandFile(path)).path);
      },
    }),
    async write(path, content, { signal, exclusive = false, modifiedMs, confirm }) {
      if ((await files.stat(at(path)))?.kind === 'dir') throw faults.isDirectory(path);
      await using writer = await files.create(at(path), {
        signal,
        exclusive,
        ...(modifiedMs !== undefined && { mtimeMs: modifiedMs }),
        ...(content.bytes !== undefined && { expectedBytes: content.bytes }),
      });
      let bytes = 0;
      for await (const chunk of content.chunks({ start: 0 }, { signal })) {
        await writer.write(chunk);
        bytes += chunk.byteLength;
      }
      signal.throwIfAborted();
      confirm?.({ bytes });
      await writer.commit();
      return itemAt(path);
    },
    ...(!isPlan && localParts({ files, faults, at, itemAt })),
    async remove(path) {
      const entry = await files.stat(at(path), { followLinks: false });
      if (entry === undefined) return false;
      if (entry.kind === 'dir') throw faults.isDirectory(path);
      await files.remove(at(path));
      return true;
    },
    makeDir: async (path) => void (await files.makeDir(at(path), { parents: true })),
    async removeDir(path, { signal }) {
      const entry = await files.stat(at(path), { followLinks: false });
      if (entry === undefined) return false;
      if (entry.kind !== 'dir') throw faults.because('unsupported', `${at(path)} is no directory; remove it as a file.`);
      if ((await files.list(at(path))).length > 0) throw faults.notEmpty(path);
      await files.removeTree(at(path), { signal });
      return true;
    },
    async copy(from, to, { signal, exclusive = false, modifiedMs }) {
      await demandFile(from);
      await files.copy(at(from), at(to), { keepMetadata: true, exclusive, signal });
      if (modifiedMs !== undefined) await files.setTimes(at(to), { mtimeMs: modifiedMs });
      return itemAt(to);
    },
    async move(from, to, { signal }) {
      await demandFile(from);
      await files.move(at(from), at(to), { signal });
      return itemAt(to);
    },
    async [Symbol.asyncDispose]() {},
  };

  /** What is gone by now was never there. */
  async function* found(path: string): AsyncGenerator<StoredItem> {
    const entry = await files.stat(at(path), { followLinks: false });
    if (entry?.kind === 'file' || entry?.kind === 'dir') yield itemOf(path, entry);
  }
};

/** The path of a place on this machine below the root that `openLocal` has. */
export const localPath = (written: string, files: FilePort): string => {
  const absolute = isAbsolute(written) ? written : files.absolute(written);
  return absolute
    .split(sep)
    .filter((name) => name !== '')
    .join('/');
};

const versionOf = ({ identity, size, mtimeMs }: Entry): string => `${identity}:${size}:${mtimeMs}`;

const itemOf = (path: string, entry: Entry): StoredItem =>
  entry.kind === 'dir'
    ? { path, kind: 'dir', bytes: 0, modifiedMs: entry.mtimeMs }
    : { path, kind: 'file', bytes: entry.size, modifiedMs: entry.mtimeMs, version: versionOf(entry) };

async function* streamed(
  files: FilePort,
  path: string,
  stretch: { readonly start?: number; readonly end?: number } | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  await using reader = await files.open(path);
  for await (const chunk of reader.stream({ ...stretch, chunkBytes: CHUNK_BYTES })) {
    signal.throwIfAborted();
    yield chunk;
  }
}
