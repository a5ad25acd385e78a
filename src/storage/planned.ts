import { StorageException } from '../core/errors.ts';
import type { Interruptible } from '../core/files.ts';
import { type Foresight, NotYetKnown } from '../core/planning.ts';
import type { ListOptions, Storage, StoredItem } from '../core/storage.ts';
import { isBelow, parentOf, parentsOf } from '../lib/location/storage-path.ts';
import { createFaults } from './faults.ts';

/** What a dry run has changed of one storage: what would be there, or undefined for what would be gone. */
export type PlannedItems = Map<string, StoredItem | undefined>;

export interface PlannedStorageOptions {
  readonly foresight: Foresight;
  /** Shared by all who plan on the same storage in one dry run. */
  readonly items?: PlannedItems;
}

/**
 * A storage in a dry run: what is there is found by looking, and changes are only written down, as effects with the location as their
 * target. The service itself is never asked to change anything. Content that would be written is not known.
 */
export const planStorage = (real: Storage, { foresight, items = new Map() }: PlannedStorageOptions): Storage => {
  const { location } = real;
  const faults = createFaults(StorageException, location);
  const target = (path: string): string => `${location}/${path}`;
  const isReal = real.can.directories === 'real';

  const stat = async (path: string, options: Interruptible): Promise<StoredItem | undefined> =>
    items.has(path) ? items.get(path) : isUnderRemoved(path) ? undefined : real.stat(path, options);

  /** A directory that would be gone takes with it what is in it. */
  const isUnderRemoved = (path: string): boolean => parentsOf(path).some((parent) => items.has(parent) && items.get(parent) === undefined);

  const seenAs = (item: StoredItem) =>
    item.isPlanned === true ? undefined : { size: item.bytes, mtimeMs: item.modifiedMs ?? 0, version: item.version };

  const demandFile = async (path: string, options: Interruptible): Promise<StoredItem> => {
    const item = await stat(path, options);
    if (item === undefined) throw faults.notFound(path);
    if (item.kind === 'dir') throw faults.isDirectory(path);
    return item;
  };

  const recordRead = (item: StoredItem): void =>
    foresight.record({ kind: 'read', target: target(item.path), ...(item.isPlanned !== true && { bytes: item.bytes }) }, seenAs(item));

  const makeDirs = async (paths: readonly string[], options: Interruptible): Promise<void> => {
    for (const path of paths) {
      const there = await stat(path, options);
      if (there?.kind === 'file') throw faults.exists(path);
      if (there !== undefined || path === '') continue;
      if (isReal) foresight.record({ kind: 'create', target: target(path) });
      items.set(path, { path, kind: 'dir', bytes: 0, isPlanned: true });
    }
  };

  const put = async (
    path: string,
    bytes: number | undefined,
    options: Interruptible & { readonly exclusive?: boolean },
  ): Promise<StoredItem> => {
    const there = await stat(path, options);
    if (path === '' || there?.kind === 'dir') throw faults.isDirectory(path);
    if (there !== undefined && options.exclusive === true) throw faults.exists(path);
    await makeDirs(parentsOf(path), options);
    foresight.record(
      { kind: there === undefined ? 'create' : 'overwrite', target: target(path), ...(bytes !== undefined && { bytes }) },
      there && seenAs(there),
    );
    const item: StoredItem = { path, kind: 'file', bytes: bytes ?? 0, isPlanned: true };
    items.set(path, item);
    return item;
  };

  const take = (item: StoredItem): void => {
    foresight.record({ kind: 'delete', target: target(item.path), ...(item.isPlanned !== true && { bytes: item.bytes }) }, seenAs(item));
    items.set(item.path, undefined);
  };

  return {
    location,
    // Parts are a way to write, and nothing is written.
    can: withoutParts(real.can),
    stat,
    list: (path, options) => listPlanned(real, items, path, options, isUnderRemoved),
    async read(path, options) {
      const item = await demandFile(path, options);
      recordRead(item);
      if (item.isPlanned === true) throw new NotYetKnown(`the content of ${target(path)}`);
      return real.read(path, options);
    },
    willRead: async (path, options) => recordRead(await demandFile(path, options)),
    write: (path, { bytes }, options) => put(path, bytes, options),
    async remove(path, options) {
      const item = await stat(path, options);
      if (item === undefined) return false;
      if (item.kind === 'dir') throw faults.isDirectory(path);
      take(item);
      return true;
    },
    ...(real.makeDir && { makeDir: (path: string, options: Interruptible) => makeDirs([...parentsOf(path), path], options) }),
    ...(real.removeDir && {
      async removeDir(path: string, options: Interruptible) {
        const item = await stat(path, options);
        if (item === undefined) return false;
        for await (const _ of listPlanned(real, items, path, options, isUnderRemoved)) throw faults.notEmpty(path);
        take(item);
        return true;
      },
    }),
    ...(real.copy && {
      async copy(from, to, options) {
        const item = await demandFile(from, options);
        recordRead(item);
        return put(to, item.isPlanned === true ? undefined : item.bytes, options);
      },
    }),
    ...(real.move && {
      async move(from, to, options) {
        const item = await demandFile(from, options);
        const moved = await put(to, item.isPlanned === true ? undefined : item.bytes, options);
        if (from !== to) take(item);
        return moved;
      },
    }),
    [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
  };
};

const withoutParts = ({ parts: _, ...can }: Storage['can']): Storage['can'] => can;

/** What is there and would stay, then what would come. */
async function* listPlanned(
  real: Storage,
  items: PlannedItems,
  directory: string,
  options: ListOptions,
  isUnderRemoved: (path: string) => boolean,
): AsyncGenerator<StoredItem> {
  const seen = new Set<string>();
  if (items.get(directory)?.isPlanned !== true && !(items.has(directory) && items.get(directory) === undefined)) {
    for await (const item of real.list(directory, options)) {
      if (items.has(item.path) || isUnderRemoved(item.path)) continue;
      seen.add(item.path);
      yield item;
    }
  }
  const planned = [...items.values()].filter(
    (item) => item !== undefined && isBelow(item.path, directory) && (options.deep === true || parentOf(item.path) === directory),
  );
  for (const item of planned.toSorted((a, b) => ((a?.path ?? '') < (b?.path ?? '') ? -1 : 1))) {
    options.signal.throwIfAborted();
    if (item !== undefined && !seen.has(item.path)) yield item;
  }
}
