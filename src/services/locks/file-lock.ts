import { spawn } from 'node:child_process';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { LockTimeoutException } from '../../core/errors.ts';
import type { LockPatience, Locks } from '../../core/ports/locks.ts';
import type { Clock } from '../../core/ports.ts';
import { createTurns } from '../../lib/async/turns.ts';
import type { Wait } from '../../lib/async/wait.ts';
import { translate } from '../../lib/fs/faults.ts';

export interface FileLocksParts {
  readonly clock: Clock;
  readonly wait: Wait;
  /** Counts a program that runs for the caller of a run, until what it answers is called. */
  takeChild?(runId: string): () => void;
}

/**
 * Does the work while holding the lock of an open file. Node cannot ask for such a lock, but it belongs to the open file, which a child
 * inherits: `flock` takes it and ends, and it stays ours until the file is closed, by us or by the end of the process.
 */
export const createFileLocks = ({ clock, wait, takeChild }: FileLocksParts): Pick<Locks, 'holdFile'> => {
  const turns = createTurns();

  /** In this process one after the other: who waits behind others needs no program for that. */
  const standInLine = async (path: string, { timeoutS, signal }: LockPatience): Promise<() => void> => {
    if (timeoutS === null) return turns.take(path, signal);
    const waiting = new AbortController();
    const stop = () => waiting.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const over = new AbortController();
    void wait(timeoutS * 1000, over.signal).then(
      () => waiting.abort(notFree(path, timeoutS)),
      () => {}, // it is our turn
    );
    try {
      return await turns.take(path, waiting.signal);
    } finally {
      over.abort();
      signal.removeEventListener('abort', stop);
    }
  };

  return {
    async holdFile(path, { create = false, runId, ...patience }, work) {
      patience.signal.throwIfAborted();
      const startedMs = clock.monotonic();
      const endTurn = await standInLine(path, patience);
      try {
        const handle = await openForLock(path, create);
        try {
          const { timeoutS } = patience;
          const leftS = timeoutS === null ? null : Math.max(0, timeoutS - (clock.monotonic() - startedMs) / 1000);
          const endChild = runId === undefined ? undefined : takeChild?.(runId);
          try {
            await takeLock(handle.fd, path, { ...patience, timeoutS: leftS });
          } finally {
            endChild?.();
          }
          return await work();
        } finally {
          await handle.close();
        }
      } finally {
        endTurn();
      }
    },
  };
};

/** Network file systems lock only what is open for writing, and not everything that is locked may be written. */
const openForLock = async (path: string, create: boolean): Promise<FileHandle> => {
  try {
    return await open(path, constants.O_RDWR | (create ? constants.O_CREAT : 0), 0o666);
  } catch (fault) {
    if (!isOneOf(fault, ['EACCES', 'EROFS', 'EISDIR'])) throw translate(fault, { path });
  }
  return open(path, 'r').catch((fault: unknown) => {
    throw translate(fault, { path });
  });
};

const isOneOf = (fault: unknown, codes: readonly string[]): boolean =>
  fault instanceof Error && 'code' in fault && codes.includes(String(fault.code));

/** The place of the file among those that the child inherits. */
const CHILD_FD = 3;
/** Exit code of `flock -n` where somebody else has the lock. */
const IS_TAKEN = 1;
/** Longer timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const takeLock = (fd: number, path: string, { timeoutS, signal }: LockPatience): Promise<void> =>
  new Promise((resolve, reject) => {
    const argv = ['-x', ...(timeoutS === 0 ? ['-n'] : []), String(CHILD_FD)];
    const child = spawn('flock', argv, { stdio: ['ignore', 'ignore', 'ignore', fd], env: { PATH: process.env.PATH } });
    const stop = () => child.kill('SIGKILL');
    const timer = timeoutS === null || timeoutS === 0 ? undefined : setTimeout(stop, Math.min(timeoutS * 1000, MAX_TIMER_MS));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    child.once('error', (cause) => {
      over();
      reject(noProgram(path, cause));
    });
    child.once('exit', (code) => {
      over();
      if (code === 0) resolve();
      else if (signal.aborted) reject(signal.reason);
      else if (code === null || code === IS_TAKEN) reject(notFree(path, timeoutS ?? 0));
      else reject(cannotLock(path, code));
    });
  });

const noProgram = (path: string, cause: unknown) =>
  new LockTimeoutException('File locks need the program flock, which is not on the PATH; install util-linux, or use FA_with_lock.', {
    context: { path },
    cause,
  });

const notFree = (path: string, timeoutS: number) =>
  new LockTimeoutException(`The lock of ${path} was not free within ${timeoutS} s; try later or wait longer.`, {
    context: { path, timeout: timeoutS },
    retryable: true,
  });

const cannotLock = (path: string, code: number) =>
  new LockTimeoutException(`${path} cannot be locked (flock ended with ${code}); choose a file on a file system with locks.`, {
    context: { path },
  });
