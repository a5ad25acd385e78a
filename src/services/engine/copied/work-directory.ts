import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerOfWork, ownWorkName } from '../../../lib/fs/own-names.ts';

/** A directory that only this process uses, and the database in it. */
export interface WorkDirectory extends Disposable {
  readonly file: string;
  /** Makes the database what is given, whatever it was. */
  fill(content: AsyncIterable<Uint8Array>): Promise<void>;
  chunks(): Iterable<Uint8Array>;
}

const CHUNK_BYTES = 256 * 1024;

/** Makes one whose name nobody can foresee; it goes with everything in it on disposal. */
export const makeWorkDirectory = (parent = tmpdir()): WorkDirectory => {
  sweepOnce(parent);
  const directory = join(parent, ownWorkName());
  mkdirSync(directory, { mode: 0o700 });
  const file = join(directory, 'store.db');
  const discard = () => rmSync(directory, { recursive: true, force: true });
  return {
    file,
    async fill(content) {
      for (const name of readdirSync(directory)) rmSync(join(directory, name));
      const fd = openSync(file, 'wx', 0o600);
      try {
        for await (const chunk of content) writeAll(fd, chunk);
      } finally {
        closeSync(fd);
      }
    },
    *chunks() {
      const fd = openSync(file, 'r');
      try {
        for (;;) {
          const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
          const count = readSync(fd, chunk);
          if (count === 0) return;
          yield chunk.subarray(0, count);
        }
      } finally {
        closeSync(fd);
      }
    },
    [Symbol.dispose]: discard,
  };
};

const writeAll = (fd: number, chunk: Uint8Array): void => {
  for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done);
};

const swept = new Set<string>();
/** Numbers of processes mean something else in another container that shares the directory, so what is young stays. */
const FORGOTTEN_MS = 3_600_000;

/** Removes what processes left that were killed; looked for once, because a temporary directory can be long. */
const sweepOnce = (parent: string): void => {
  if (swept.has(parent)) return;
  swept.add(parent);
  for (const name of readdirSync(parent)) {
    const owner = ownerOfWork(name);
    if (owner === undefined || isRunning(owner)) continue;
    const directory = join(parent, name);
    const made = statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (made < Date.now() - FORGOTTEN_MS) rmSync(directory, { recursive: true, force: true });
  }
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return !(fault instanceof Error && 'code' in fault && fault.code === 'ESRCH');
  }
};
