import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Json, LockTimeoutException } from '../../core/errors.ts';
import type { TransferNote, TransferNotes } from '../../core/ports/transfers.ts';
import { makeDirectories } from '../../lib/fs/make-directories.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { holdOnMachine } from '../../lib/process/machine-lock.ts';

/** Services forget parts that nobody goes on with, and so do we. */
const FORGOTTEN_AFTER_MS = 7 * 24 * 3600 * 1000;
/** Whoever has the note is sending the same file; it is not waited for. */
const PATIENCE_MS = 50;

export interface TransferNotesOptions {
  /** A directory of the instance's own; made when first needed. */
  readonly directory: string;
  readonly now: () => number;
}

/** Keeps each note in a small file, replaced as a whole: after a crash there is the last one or none. */
export const createTransferNotes = ({ directory, now }: TransferNotesOptions): TransferNotes => {
  let opening: Promise<void> | undefined;
  const open = async (): Promise<void> => {
    makeDirectories(directory, 0o700);
    await forgetOld(directory, now());
  };
  return {
    async hold(key, signal, work) {
      const name = createHash('sha256').update(key).digest('hex');
      let hasBegun = false;
      try {
        return await holdOnMachine(join(directory, name), { signal, shown: key, maxWaitMs: PATIENCE_MS }, async () => {
          hasBegun = true;
          opening ??= open();
          await opening;
          return work(noteAt(join(directory, `${name}.json`)));
        });
      } catch (fault) {
        if (hasBegun || !(fault instanceof LockTimeoutException)) throw fault;
        return work(undefined);
      }
    },
  };
};

const noteAt = (file: string): TransferNote => ({
  async read() {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as Json; // whatever it is, it is JSON
    } catch (fault) {
      if (fault instanceof SyntaxError || codeOf(fault) === 'ENOENT') return undefined;
      throw fault;
    }
  },
  async write(note) {
    const next = `${file}.next`;
    await writeFile(next, JSON.stringify(note), { mode: 0o600 });
    await rename(next, file);
  },
  remove: () => rm(file, { force: true }),
});

const forgetOld = async (directory: string, now: number): Promise<void> => {
  for (const name of await readdir(directory)) {
    const file = join(directory, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now })); // somebody else was quicker
    if (now - mtimeMs > FORGOTTEN_AFTER_MS) await rm(file, { force: true });
  }
};
