import type { Attributes, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import { SFTPException } from '../../../core/errors.ts';
import type { StorageFaults } from '../../faults.ts';
import type { OpenedSsh } from './connect.ts';
import { STATUS, statusOf } from './status.ts';

/** What is known of a file or directory. A server may leave anything out. */
export interface Attrs {
  readonly kind: 'file' | 'dir' | 'link' | 'other';
  readonly bytes: number;
  readonly modifiedMs: number | undefined;
}

export interface DirEntry {
  readonly name: string;
  readonly attrs: Attrs;
}

type Done<T> = (fault?: Error | null, value?: T) => void;

/**
 * One connection, seen as requests that may be under way at the same time. Answers are judged here: whatever is no answer to the request is
 * a fault. A server that is silent for too long while something is asked of it loses the connection.
 */
export interface SftpSession {
  /** The most bytes of one read or write, and how many of them are worth while at once. */
  readonly requestBytes: number;
  readonly depth: number;
  readonly isOpen: boolean;
  /** Calls that use it now; the pool counts them. */
  users: number;
  stat(path: string): Promise<Attrs | undefined>;
  fstat(handle: Buffer): Promise<Attrs>;
  realPath(path: string): Promise<string>;
  open(path: string, flags: 'r' | 'r+' | 'wx'): Promise<Buffer>;
  openDir(path: string): Promise<Buffer>;
  /** The next entries; undefined at the end. */
  readDir(handle: Buffer): Promise<readonly DirEntry[] | undefined>;
  /** Bytes into the buffer; 0 at the end of the file. */
  read(handle: Buffer, buffer: Buffer, length: number, position: number): Promise<number>;
  /** The bytes are copied before it returns. */
  write(handle: Buffer, bytes: Buffer, position: number): Promise<void>;
  setTime(handle: Buffer, modifiedMs: number): Promise<void>;
  setLength(handle: Buffer, bytes: number): Promise<void>;
  /** Resolves to false where the server cannot. */
  sync(handle: Buffer): Promise<boolean>;
  close(handle: Buffer): Promise<void>;
  remove(path: string): Promise<void>;
  makeDir(path: string): Promise<void>;
  removeDir(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Renames and replaces in one step; false where the server cannot. */
  replace(from: string, to: string): Promise<boolean>;
  /** A second name for a file, which must be free; false where the server cannot. */
  link(from: string, to: string): Promise<boolean>;
  /** Free bytes of the file system; undefined where the server does not tell. */
  freeBytes(path: string): Promise<number | undefined>;
  destroy(): void;
}

const OPENSSH_REQUEST = 255 * 1024;
const PROMISED_REQUEST = 32 * 1024;
const MAX_MTIME = 0xffff_ffff;

export const createSession = (
  { client, sftp, socket, isOpenSsh }: OpenedSsh,
  { faults, host, timeoutMs }: { readonly faults: StorageFaults; readonly host: string; readonly timeoutMs: number },
): SftpSession => {
  let lost: SFTPException | undefined;
  /** Whoever waits for an answer. */
  const waiting = new Set<(fault: Error) => void>();
  let sentBefore = 0;

  const lose = (why: SFTPException): void => {
    if (lost !== undefined) return;
    lost = why;
    clearTimeout(timer);
    client.destroy();
    socket.destroy();
    for (const reject of waiting) reject(why);
    waiting.clear();
  };
  const broken = (why: string, isRetryable: boolean, cause?: unknown): SFTPException =>
    faults.because(
      'broken',
      `The connection to ${host} broke (${why.slice(0, 200)}); ${isRetryable ? 'try again' : 'check what answers there'}.`,
      {
        retryable: isRetryable,
        context: { host },
        ...(cause !== undefined && { cause }),
      },
    );

  const onSilence = (): void => {
    const sent = socket.bytesWritten - socket.writableLength;
    if (waiting.size === 0) return;
    // A slow line that still takes bytes is not a dead one.
    if (sent === sentBefore) lose(broken(`no answer within ${timeoutMs / 1000} s`, true));
    else {
      sentBefore = sent;
      timer.refresh();
    }
  };
  const timer = setTimeout(onSilence, timeoutMs);
  timer.unref();

  socket.on('data', () => timer.refresh());
  client.on('error', (fault) => lose(broken(fault.message, true, fault)));
  client.on('close', () => lose(broken('it was closed', true)));
  sftp.on('error', (fault: Error) => lose(broken(`no SFTP came: ${fault.message}`, false, fault)));
  sftp.on('close', () => lose(broken('the server ended SFTP', true)));
  sftp.on('end', () => lose(broken('the server ended SFTP', true)));

  const ask = <T>(send: (sftp: SFTPWrapper, done: Done<T>) => void, judge: (value: T | undefined) => boolean): Promise<T> =>
    new Promise((resolve, reject) => {
      if (lost !== undefined) return reject(lost);
      if (waiting.size === 0) {
        sentBefore = socket.bytesWritten - socket.writableLength;
        timer.refresh();
      }
      waiting.add(reject);
      const done: Done<T> = (fault, value) => {
        waiting.delete(reject);
        if (fault)
          reject(statusOf(fault) === undefined && !(fault instanceof SFTPException) ? (lost ?? broken(fault.message, true, fault)) : fault);
        else if (judge(value))
          resolve(value as T); // just judged
        else {
          lose(broken('an answer belongs to another request', false));
          reject(lost);
        }
      };
      try {
        send(sftp, done);
      } catch (fault) {
        waiting.delete(reject);
        reject(fault);
      }
    });
  const isNothing = (value: unknown): boolean => value === undefined;
  const command = (send: (sftp: SFTPWrapper, done: Done<void>) => void): Promise<void> => ask(send, isNothing);
  /** An extended request; the library throws where the server has not offered it. */
  const extended = async (send: (sftp: SFTPWrapper, done: Done<void>) => void): Promise<boolean> => {
    let isOffered = false;
    try {
      await command((each, done) => {
        send(each, done);
        isOffered = true;
      });
      return true;
    } catch (fault) {
      if ((!isOffered && lost === undefined) || statusOf(fault) === STATUS.OP_UNSUPPORTED) return false;
      throw fault;
    }
  };
  const statBy = async (send: (sftp: SFTPWrapper, done: Done<Stats>) => void): Promise<Attrs | undefined> => {
    try {
      return attrsOf(await ask(send, isAttrs));
    } catch (fault) {
      if (statusOf(fault) === STATUS.NO_SUCH_FILE) return undefined;
      throw fault;
    }
  };

  return {
    requestBytes: isOpenSsh ? OPENSSH_REQUEST : PROMISED_REQUEST,
    depth: isOpenSsh ? 8 : 32,
    users: 0,
    get isOpen() {
      return lost === undefined;
    },
    stat: (path) => statBy((each, done) => each.stat(path, done)),
    async fstat(handle) {
      return attrsOf(await ask<Stats>((each, done) => each.fstat(handle, done), isAttrs));
    },
    realPath: (path) =>
      ask<string>(
        (each, done) => each.realpath(path, done),
        (value) => typeof value === 'string' && value.startsWith('/'),
      ),
    open: (path, flags) => ask<Buffer>((each, done) => each.open(path, flags, done), Buffer.isBuffer),
    openDir: (path) => ask<Buffer>((each, done) => each.opendir(path, done), Buffer.isBuffer),
    async readDir(handle) {
      try {
        const list = await ask<FileEntryWithStats[]>((each, done) => each.readdir(handle, done), Array.isArray);
        return list.map(({ filename, attrs }) => ({ name: filename, attrs: attrsOf(attrs) }));
      } catch (fault) {
        if (statusOf(fault) === STATUS.EOF) return undefined;
        throw fault;
      }
    },
    read: (handle, buffer, length, position) =>
      ask<number>(
        (each, done) => each.read(handle, buffer, 0, length, position, (fault, count) => done(fault, count)),
        (count) => typeof count === 'number' && count >= 0 && count <= length,
      ),
    write: (handle, bytes, position) =>
      command((each, done) => each.write(handle, bytes, 0, bytes.length, position, (fault) => done(fault))),
    async setTime(handle, modifiedMs) {
      const seconds = Math.min(MAX_MTIME, Math.max(0, Math.floor(modifiedMs / 1000)));
      await command((each, done) => each.futimes(handle, seconds, seconds, done));
    },
    setLength: (handle, bytes) => command((each, done) => each.fsetstat(handle, { size: bytes } as Attributes, done)), // only what is named is set
    sync: (handle) => extended((each, done) => each.ext_openssh_fsync(handle, done)),
    close: (handle) => command((each, done) => each.close(handle, done)),
    remove: (path) => command((each, done) => each.unlink(path, done)),
    makeDir: (path) => command((each, done) => each.mkdir(path, done)),
    removeDir: (path) => command((each, done) => each.rmdir(path, done)),
    rename: (from, to) => command((each, done) => each.rename(from, to, done)),
    replace: (from, to) => extended((each, done) => each.ext_openssh_rename(from, to, done)),
    link: (from, to) => extended((each, done) => each.ext_openssh_hardlink(from, to, done)),
    async freeBytes(path) {
      let free: number | undefined;
      await extended((each, done) =>
        each.ext_openssh_statvfs(path, (fault, told: unknown) => {
          free = freeOf(told);
          done(fault);
        }),
      );
      return free;
    },
    destroy: () => lose(faults.because('broken', `The connection to ${host} was closed.`, { context: { host } })),
  };
};

const TYPE_BITS = 0o170000;
const KINDS: ReadonlyMap<number, Attrs['kind']> = new Map([
  [0o100000, 'file'],
  [0o040000, 'dir'],
  [0o120000, 'link'],
]);

const isAttrs = (value: Stats | undefined): boolean =>
  value !== undefined && !Buffer.isBuffer(value) && typeof value === 'object' && !Array.isArray(value);

const attrsOf = (stats: Partial<Attributes>): Attrs => {
  const { mode, size, mtime } = stats;
  return {
    // Without a mode nothing says what it is; a plain file is all that such servers hold.
    kind: typeof mode === 'number' ? (KINDS.get(mode & TYPE_BITS) ?? ((mode & TYPE_BITS) === 0 ? 'file' : 'other')) : 'file',
    bytes: typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : 0,
    modifiedMs: typeof mtime === 'number' ? mtime * 1000 : undefined,
  };
};

const freeOf = (told: unknown): number | undefined => {
  if (typeof told !== 'object' || told === null || !('f_bavail' in told) || !('f_frsize' in told)) return undefined;
  const free = Number(told.f_bavail) * Number(told.f_frsize);
  return Number.isFinite(free) ? free : undefined;
};
