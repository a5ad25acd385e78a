import type { Writer } from '../../core/files.ts';
import { translate } from '../fs/faults.ts';
import { sharedPool } from '../workers/pool.ts';
import type { CipherShare } from './cipher-task.ts';

/** Below this threads take longer to start than they save. */
const FROM_BYTES = 64 * 1024 * 1024;

export interface InThreadsOptions extends Omit<CipherShare, 'target' | 'next' | 'source'> {
  readonly source: { readonly fd?: number | undefined; readonly path: string };
  readonly target: Pick<Writer, 'share'>;
  /** Bytes that are going to be written. */
  readonly bytes: number;
  /** Told the bytes of plaintext that are done; may throw to stop. */
  onBytes(bytes: number): void;
}

/**
 * Encrypts or decrypts a large file on all threads, each of which reads, ciphers and writes its chunks: they stay in the memory next to
 * one core. False where the file is small or a port does not let other threads in; then nothing was done.
 */
export const cipherInThreads = async ({ source, target, bytes, onBytes, ...job }: InThreadsOptions): Promise<boolean> => {
  const { fd, path } = source;
  if (bytes < FROM_BYTES || fd === undefined || target.share === undefined) return false;
  const pool = sharedPool();
  const shared = target.share(bytes);
  const next = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const order = { ...job, source: { fd, path }, target: shared.fd, next };
  // Nobody gives up while a thread works on the files: they would be closed, and their numbers given to others.
  const signal = new AbortController().signal;
  const help = async () => {
    try {
      for (
        let done = await pool.run('cipher_chunks', order, { signal });
        done > 0;
        done = await pool.run('cipher_chunks', order, { signal })
      ) {
        shared.wrote(done);
        onBytes(done);
      }
    } catch (fault) {
      Atomics.store(new Int32Array(next), 0, job.layout.count);
      throw fault;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: pool.width }, help));
  for (const end of ends)
    if (end.status === 'rejected') throw translate(end.reason, { path: isOfReading(end.reason) ? path : shared.path });
  return true;
};

const isOfReading = (fault: unknown): boolean => fault instanceof Error && 'syscall' in fault && fault.syscall === 'read';
