import { constants, lstatSync } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, readlink, rename, rmdir, symlink, unlink, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DirNotExistsException, FileAccessException, FileNotExistsException, PathExistsException } from '../core/errors.ts';
import type { Access, Change, CopyOptions, Entry, FilePort, Journal, Listed, WriteOptions } from '../core/files.ts';
import type { Budget } from '../core/quota.ts';
import { openAside } from '../lib/fs/aside.ts';
import { translate } from '../lib/fs/faults.ts';
import { renameIfFree } from '../lib/fs/rename-if-free.ts';
import { codeOf } from '../lib/fs/system-fault.ts';
import { entryOf, kindOfStats } from './entry.ts';
import { grantFor } from './grant.ts';
import type { Place, Spot } from './place.ts';
import { readerOf, writerOf } from './streams.ts';
import { copyInto, demandApart, emptyTree, walkTree } from './tree.ts';
import type { Policy } from '../access/policy.ts';

export interface RealFilesOptions {
  readonly cwd: string;
  readonly place: Place;
  readonly policy: Policy | undefined;
  readonly budget: Budget | undefined;
  /** Without a journal nothing is kept and nothing can be undone. */
  readonly journal?: Journal;
}

/** The most that `read` takes into memory at once. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The port on the real disk. */
export const createRealFiles = (options: RealFilesOptions): FilePort => {
  const { cwd, place, policy, budget, journal } = options;
  const absolute = (path: string) => resolve(cwd, path);

  /** Works at the spot of a path and translates the system's errors into the caller's words. */
  const at = async <T>(path: string, access: Access, followLinks: boolean, work: (spot: Spot, shown: string) => T | Promise<T>, missing: 'file' | 'directory' = 'file'): Promise<T> => {
    const shown = absolute(path);
    try {
      using spot = place(shown, { access, followLinks });
      return await work(spot, shown);
    } catch (fault) {
      throw translate(fault, { path: shown, missing });
    }
  };

  const before = async (change: Change) => {
    if (journal !== undefined) await journal.before(change);
  };

  const statSpot = (spot: Spot, shown: string): Entry | undefined => {
    const stats = lstatSync(spot.at, { throwIfNoEntry: false });
    return stats === undefined ? undefined : entryOf(shown, stats);
  };

  const stat: FilePort['stat'] = async (path, { followLinks = true } = {}) => {
    try {
      return await at(path, 'read', followLinks, statSpot);
    } catch (fault) {
      if (fault instanceof FileNotExistsException || isNotDir(fault)) return undefined;
      throw fault;
    }
  };

  const openFile = async (path: string) => {
    const shown = absolute(path);
    const spot = place(shown, { access: 'read', followLinks: true });
    try {
      const handle = await open(spot.at, READ_FLAGS);
      try {
        const entry = entryOf(shown, await handle.stat());
        if (entry.kind !== 'file') throw notAFile(entry);
        return { entry, handle, spot };
      } catch (fault) {
        await handle.close();
        throw fault;
      }
    } catch (fault) {
      spot[Symbol.dispose]();
      throw fault;
    }
  };

  const openReader: FilePort['open'] = async (path) => {
    try {
      const { entry, handle, spot } = await openFile(path);
      return readerOf(entry, handle, () => spot[Symbol.dispose]());
    } catch (fault) {
      throw translate(fault, { path: absolute(path) });
    }
  };

  const create: FilePort['create'] = async (path, { exclusive = false, mode, mtimeMs, durable = true, signal }) => {
    const shown = absolute(path);
    let spot: Spot;
    try {
      spot = place(shown, { access: 'write', followLinks: true });
    } catch (fault) {
      throw translate(fault, { path: dirname(shown), missing: 'directory' });
    }
    try {
      const existing = statSpot(spot, shown);
      if (existing?.kind === 'dir') throw new FileAccessException(`${shown} is a directory; give the path of a file.`, { context: { path: shown, code: 'EISDIR' } });
      if (existing !== undefined && exclusive) throw taken(shown);
      const aside = await openAside(spot.directory, { signal });
      return writerOf({
        handle: aside.handle,
        signal,
        spend: (bytes) => budget?.spend(bytes),
        commit: async () => {
          try {
            await before(existing === undefined ? { kind: 'create', path: spot.real } : { kind: 'overwrite', path: spot.real, entry: existing });
            await aside.commit(spot.name, { durable, exclusive, mode, ...(mtimeMs !== undefined && { times: { atimeMs: mtimeMs, mtimeMs } }) });
          } catch (fault) {
            throw translate(fault, { path: shown });
          }
        },
        dispose: async () => {
          try {
            await aside.discard();
          } finally {
            spot[Symbol.dispose]();
          }
        },
      });
    } catch (fault) {
      spot[Symbol.dispose]();
      throw translate(fault, { path: codeOf(fault) === 'ENOENT' ? dirname(shown) : shown, missing: 'directory' });
    }
  };

  const write: FilePort['write'] = async (path, content, writeOptions) => {
    await using writer = await create(path, writeOptions);
    await writer.write(content);
    await writer.commit();
  };

  const copy: FilePort['copy'] = async (from, to, { keepMetadata, onBytes, ...rest }) => {
    await using source = await openReader(from);
    const { mode, mtimeMs } = source.entry;
    const kept: Partial<WriteOptions> = keepMetadata ? { mode: mode & 0o777, mtimeMs } : {};
    await using target = await create(to, { ...rest, ...kept });
    for await (const chunk of source.stream()) {
      await target.write(chunk);
      onBytes?.(chunk.byteLength);
    }
    await target.commit();
  };

  const remove: FilePort['remove'] = (path) =>
    at(path, 'remove', false, async (spot, shown) => {
      const entry = statSpot(spot, shown);
      if (entry === undefined) throw new FileNotExistsException(`No file at ${shown}; check the path.`, { context: { path: shown } });
      if (entry.kind === 'dir') throw notAFile(entry);
      await before({ kind: 'delete', path: spot.real, entry });
      await unlink(spot.at);
    });

  const removeDir = (path: string): Promise<void> =>
    at(path, 'remove', false, async (spot, shown) => {
      const entry = statSpot(spot, shown);
      if (entry !== undefined) await before({ kind: 'delete', path: spot.real, entry });
      await rmdir(join(spot.directory, spot.name));
    }, 'directory');

  const makeDir: FilePort['makeDir'] = async (path, { parents = false } = {}) => {
    const shown = absolute(path);
    const existing = await stat(shown);
    if (existing?.kind === 'dir') return false;
    if (existing !== undefined) throw taken(shown);
    if (parents && dirname(shown) !== shown) await makeDir(dirname(shown), { parents });
    return at(path, 'write', true, async (spot) => {
      await before({ kind: 'make_dir', path: spot.real });
      await mkdir(join(spot.directory, spot.name));
      return true;
    }, 'directory');
  };

  const list: FilePort['list'] = (path) =>
    at(path, 'read', true, async (spot): Promise<Listed[]> => {
      const entries = await readdir(spot.at, { withFileTypes: true });
      return Promise.all(entries.map(async (entry) => ({ name: entry.name, kind: hasType(entry) ? kindOfStats(entry) : kindOfStats(await lstat(join(spot.at, entry.name))) })));
    }, 'directory');

  const move: FilePort['move'] = async (from, to, { signal, exclusive = false }) => {
    const [source, target] = [absolute(from), absolute(to)];
    const entry = await stat(source, { followLinks: false });
    if (entry === undefined) throw new FileNotExistsException(`Nothing is at ${source}; check the path.`, { context: { path: source } });
    if (entry.kind === 'dir') demandApart(source, target);
    const moved = await at(from, 'remove', false, (leaving) =>
      at(to, 'write', false, async (arriving, shown) => {
        const there = statSpot(arriving, shown);
        if (there !== undefined && exclusive) throw taken(shown);
        if (there !== undefined && there.kind !== 'dir') await before({ kind: 'overwrite', path: arriving.real, entry: there });
        await before({ kind: 'move', from: leaving.real, to: arriving.real });
        try {
          await (exclusive ? renameIfFree : rename)(leaving.at, join(arriving.directory, arriving.name));
          return true;
        } catch (fault) {
          if (codeOf(fault) === 'EXDEV') return false;
          throw fault;
        }
      }, 'directory'));
    if (!moved) await moveAcross(source, target, entry, { signal, exclusive });
  };

  /** Another device: copy whole, then remove, so that the source goes only once its copy is safe. */
  const moveAcross = async (source: string, target: string, entry: Entry, { signal, exclusive }: { signal: AbortSignal; exclusive: boolean }) => {
    if (entry.kind === 'dir') {
      await copyTree(source, target, { keepMetadata: true, durable: true, signal });
      return removeTree(source, { signal });
    }
    if (entry.kind === 'link') await makeLink(target, await readLink(source));
    else await copy(source, target, { keepMetadata: true, signal, exclusive });
    return remove(source);
  };

  const readLink: FilePort['readLink'] = (path) => at(path, 'read', false, (spot) => readlink(spot.at));

  const makeLink: FilePort['makeLink'] = (path, target) =>
    at(path, 'write', false, async (spot, shown) => {
      // A link may only lead where the caller may read: otherwise it would be a door for later commands.
      policy?.rootFor(resolve(dirname(spot.real), target), 'read', target);
      if (statSpot(spot, shown) !== undefined) throw taken(shown);
      await before({ kind: 'create', path: spot.real });
      await symlink(target, join(spot.directory, spot.name));
    }, 'directory');

  const copyTree: FilePort['copyTree'] = async (from, to, copyOptions) => {
    const [source, target] = [absolute(from), absolute(to)];
    await demandDir(source);
    demandApart(source, target);
    if ((await stat(target)) !== undefined) {
      await makeDir(target);
      return copyInto(port, source, target, copyOptions);
    }
    return buildAside(source, target, copyOptions);
  };

  /** A wholly new tree grows under a hidden name and appears at once. */
  const buildAside = async (source: string, target: string, copyOptions: CopyOptions) => {
    const aside = join(dirname(target), `.factotum-${basename(target)}-${process.hrtime.bigint().toString(36)}.part`);
    const { journal: _, ...unrecorded } = options;
    const builder = createRealFiles(unrecorded);
    try {
      await builder.makeDir(aside);
      await copyInto(builder, source, aside, copyOptions);
      await before({ kind: 'create', path: target });
      await builder.move(aside, target, { signal: copyOptions.signal });
    } catch (fault) {
      if ((await builder.stat(aside)) !== undefined) await builder.removeTree(aside, { signal: new AbortController().signal });
      throw fault;
    }
  };

  const removeTree: FilePort['removeTree'] = async (path, interruptible) => {
    const shown = absolute(path);
    const entry = await stat(shown, { followLinks: false });
    if (entry?.kind !== 'dir') throw noDir(shown);
    await grantFor(shown, 'remove', { place, policy });
    await emptyTree(port, shown, interruptible, removeDir);
    await removeDir(shown);
  };

  const demandDir = async (path: string) => {
    if ((await stat(path))?.kind !== 'dir') throw noDir(path);
  };

  const port: FilePort = {
    absolute,
    stat,
    readLink,
    list,
    walk: (path, interruptible) => walkTree(port, path, interruptible),
    async targetFor(path, name) {
      return (await stat(path))?.kind === 'dir' ? join(absolute(path), name) : absolute(path);
    },
    async read(path, { offset = 0, limit } = {}) {
      await using reader = await openReader(path);
      const wanted = Math.max(0, Math.min(limit ?? Number.POSITIVE_INFINITY, reader.entry.size - offset));
      if (wanted > MAX_READ_BYTES) throw tooLarge(reader.entry, wanted);
      const into = Buffer.allocUnsafe(wanted);
      return into.subarray(0, await reader.readAt(into, offset));
    },
    open: openReader,
    write,
    create,
    copy,
    move,
    remove,
    makeDir,
    makeLink,
    setTimes: (path, { mtimeMs }) =>
      at(path, 'write', true, async (spot, shown) => {
        const entry = statSpot(spot, shown);
        if (entry !== undefined) await before({ kind: 'set', path: spot.real, entry });
        await utimes(spot.at, mtimeMs / 1000, mtimeMs / 1000);
      }),
    setMode: (path, mode) =>
      at(path, 'write', true, async (spot, shown) => {
        const entry = statSpot(spot, shown);
        if (entry !== undefined) await before({ kind: 'set', path: spot.real, entry });
        await chmod(spot.at, mode);
      }),
    copyTree,
    removeTree,
    grant: (root, access) => grantFor(absolute(root), access, { place, policy }),
  };
  return port;
};

const hasType = (entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean; isFIFO(): boolean; isSocket(): boolean; isBlockDevice(): boolean; isCharacterDevice(): boolean }) =>
  entry.isFile() || entry.isDirectory() || entry.isSymbolicLink() || entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice();

const isNotDir = (fault: unknown): boolean => fault instanceof FileAccessException && fault.context.code === 'ENOTDIR';

const notAFile = ({ path, kind }: Entry) =>
  kind === 'dir'
    ? new FileAccessException(`${path} is a directory; give the path of a file.`, { context: { path, code: 'EISDIR' } })
    : new FileAccessException(`${path} is no regular file; give the path of one.`, { context: { path } });

const noDir = (path: string) => new DirNotExistsException(`No directory at ${path}; check the path.`, { context: { path } });

const taken = (path: string) => new PathExistsException(`Something is already at ${path}; choose another path or allow overwriting.`, { context: { path } });

const tooLarge = ({ path, size }: Entry, wanted: number) =>
  new FileAccessException(`${wanted} bytes of ${path} are too many to take into memory at once; ask for a part with offset and limit.`, {
    context: { path, size, limit: MAX_READ_BYTES },
  });
