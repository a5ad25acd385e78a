import { closeSync, constants, fsync, openSync, read, readSync, write, writeSync } from 'node:fs';
import { refuseEntry } from '../../../lib/fs/directory-handle.ts';
import { codeOf, systemFault } from '../../../lib/fs/system-fault.ts';

/** A file held open by its descriptor. Faults are the system's own. */
export interface OpenFile {
  readonly fd: number;
  /** Reads once; 0 at the end of the file. */
  read(into: Uint8Array, position: number): number | Promise<number>;
  /** Writes all of it. */
  write(chunk: Uint8Array, position: number): void | Promise<void>;
  /** Brings what was written to the device. */
  sync(): Promise<void>;
  /** Waits for what is under way, because a closed number may soon belong to another file; may be called again. */
  close(): void | Promise<void>;
}

/**
 * How much of one file is read or written at once, without a promise: from the cache that takes microseconds.
 * All beyond it goes through the thread pool, so that a large file holds nobody up.
 */
export const QUICK_BYTES = 256 * 1024;

export const openFile = (address: string, flags: number, mode?: number): OpenFile => holdFile(openSync(address, flags, mode), address);

/** Never through a link, never waiting at a pipe; Windows has neither flag. */
const LOOK_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens what stands at an address after links were followed: one that is there now was put there meanwhile. */
export const openResolved = (address: string, shown: string): OpenFile => openNoLink(address, LOOK_FLAGS, shown);

const openNoLink = (address: string, flags: number, shown: string): OpenFile => {
  try {
    return openFile(address, flags);
  } catch (fault) {
    throw codeOf(fault) === 'ELOOP' ? refuseEntry(shown, 'replaced', fault) : fault;
  }
};

const APPEND_FLAGS = constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a file so that every write goes behind whatever it holds by then. */
export const openToAppend = (address: string, shown: string): OpenFile => openNoLink(address, APPEND_FLAGS, shown);

const holdFile = (fd: number, address: string): OpenFile => {
  let quickLeft = QUICK_BYTES;
  let underWay = 0;
  let isOpen = true;
  let whenIdle = () => {};

  const demandOpen = (): void => {
    if (!isOpen) throw systemFault('EBADF', 'read', address);
  };

  const isQuick = (bytes: number): boolean => {
    demandOpen();
    quickLeft -= bytes;
    return quickLeft >= 0;
  };

  const later = <T>(start: (settle: (fault: Error | null, value: T) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      demandOpen();
      underWay += 1;
      start((fault, value) => {
        underWay -= 1;
        if (underWay === 0) whenIdle();
        if (fault === null) resolve(value);
        else reject(fault);
      });
    });

  const writeNow = (chunk: Uint8Array, position: number): void => {
    for (let done = 0; done < chunk.byteLength; ) done += writeSync(fd, chunk, done, chunk.byteLength - done, position + done);
  };

  const writeLater = async (chunk: Uint8Array, position: number): Promise<void> => {
    for (let done = 0; done < chunk.byteLength; ) {
      const from = done;
      done += await later<number>((settle) => write(fd, chunk, from, chunk.byteLength - from, position + from, settle));
    }
  };

  return {
    fd,
    read(into, position) {
      if (isQuick(into.byteLength)) return readSync(fd, into, 0, into.byteLength, position);
      return later<number>((settle) => read(fd, into, 0, into.byteLength, position, settle));
    },
    write(chunk, position) {
      if (isQuick(chunk.byteLength)) return writeNow(chunk, position);
      return writeLater(chunk, position);
    },
    sync: () => later<void>((settle) => fsync(fd, (fault) => settle(fault, undefined))),
    close() {
      if (!isOpen) return undefined;
      isOpen = false;
      if (underWay === 0) return closeSync(fd);
      return new Promise<void>((idle) => {
        whenIdle = idle;
      }).then(() => closeSync(fd));
    },
  };
};
