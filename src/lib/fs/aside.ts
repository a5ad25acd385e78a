import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { entryPath } from './directory-handle.ts';
import { newFileMode } from './new-file-mode.ts';
import { renameIfFree } from './rename-if-free.ts';
import { codeOf } from './system-fault.ts';

/** How the file looks when it appears, and what must be true by then. */
export interface CommitOptions {
  /** The file before the rename and its directory after it are synced to the device. */
  readonly durable: boolean;
  /** Undefined: the mode of the file that is replaced, else that of a new file. */
  readonly mode: number | undefined;
  readonly times?: { readonly atimeMs: number; readonly mtimeMs: number };
  /** Fail with EEXIST instead of replacing. */
  readonly exclusive?: boolean;
}

/** A file that is written next to its target and appears there whole or not at all. Faults are the system's own. */
export interface Aside {
  /**
   * For writing: at positions with `handle.write`, streams with `writeFile(handle, chunks)` of `node:fs/promises`.
   * Never `createWriteStream`: it closes the file too early, or with `autoClose: false` keeps it from closing at all.
   */
  readonly handle: FileHandle;
  readonly address: string;
  /** Gives the file its name, replacing a link instead of following it; a failure before that discards the file. */
  commit(name: string, options: CommitOptions): Promise<void>;
  /** Removes the file unless it was committed; may be called again. */
  discard(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

// Windows has no O_NOFOLLOW: Node leaves it undefined there.
const FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);

/** Creates the file in `directory`, a real path or a handle's address that stays good until commit or discard. */
export async function openAside(
  directory: string,
  { mode: createMode = 0o600, signal }: { mode?: number; signal?: AbortSignal } = {},
): Promise<Aside> {
  signal?.throwIfAborted();
  const address = entryPath(directory, `.factotum-${randomBytes(16).toString('hex')}.part`);
  const handle = await open(address, FLAGS, createMode);
  let isCommitted = false;

  const place = async (name: string, { durable, mode, times, exclusive = false }: CommitOptions): Promise<void> => {
    const target = entryPath(directory, name);
    await dress(handle, { replaced: await fileAt(target), mode, times });
    if (durable) await handle.sync();
    await handle.close();
    // Opened before the rename: what can fail should fail while the old file is still there.
    await using parent = durable ? await open(directory, constants.O_RDONLY) : undefined;
    signal?.throwIfAborted();
    await (exclusive ? renameIfFree : rename)(address, target);
    isCommitted = true;
    // Windows and some network file systems cannot sync a directory.
    if (parent) await tolerating(['EINVAL', 'ENOTSUP', 'EPERM'], parent.sync());
  };

  const discard = async (): Promise<void> => {
    if (isCommitted) return;
    try {
      await handle.close();
    } finally {
      await tolerating(['ENOENT', 'ENOTDIR'], unlink(address));
    }
  };

  return {
    handle,
    address,
    async commit(name, options) {
      try {
        await place(name, options);
      } catch (fault) {
        await discard().catch(() => {}); // the first fault is the one to report
        throw fault;
      }
    },
    discard,
    [Symbol.asyncDispose]: discard,
  };
}

interface Dress extends Pick<CommitOptions, 'mode'> {
  readonly replaced: Stats | undefined;
  readonly times: CommitOptions['times'];
}

/** Owner first: changing it may clear bits of the mode. */
async function dress(handle: FileHandle, { replaced, mode, times }: Dress): Promise<void> {
  if (replaced) await keepOwner(handle, replaced);
  if (mode !== undefined) {
    await handle.chmod(mode);
  } else {
    // Not set-user-id: new content must not inherit it. Our own file refuses a mode only where the file system has none.
    const derived = replaced ? replaced.mode & 0o777 : newFileMode();
    await tolerating(['EPERM', 'ENOTSUP'], handle.chmod(derived));
  }
  if (times) await handle.utimes(utime(times.atimeMs), utime(times.mtimeMs));
}

async function keepOwner(handle: FileHandle, { uid, gid }: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== uid || own.gid !== gid) await tolerating(['EPERM', 'ENOTSUP'], handle.chown(uid, gid));
}

/** Seconds keep microseconds; Node takes negative numbers for "now", but not negative dates. */
const utime = (ms: number): number | Date => (ms < 0 ? new Date(ms) : ms / 1000);

async function fileAt(path: string): Promise<Stats | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() ? found : undefined;
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return undefined;
    throw fault;
  }
}

async function tolerating(codes: readonly string[], work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (fault) {
    const code = codeOf(fault);
    if (code === undefined || !codes.includes(code)) throw fault;
  }
}
