import { readSync, writeSync } from 'node:fs';
import { atSource, changedMeanwhile, faultAt } from '../../refusals.ts';
import type { Source } from '../reading.ts';
import { type OpenFile, QUICK_BYTES } from './open-file.ts';

/** What happens on the way of the bytes. */
export interface Passage {
  readonly signal: AbortSignal;
  /** Before a chunk is written; throws to stop. */
  spend(bytes: number): void;
  /** After it was written. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

const CHUNK_BYTES = 512 * 1024;

// Filled and emptied without a pause in between, so two copies cannot meet in it.
const quickBuffer = Buffer.allocUnsafeSlow(QUICK_BYTES);

/**
 * Copies what a file held when it was opened: what is added meanwhile is left out, a file that shrinks is refused.
 * Files of the system (/proc) tell no size; they are read to their end.
 */
export const copyBytes = (source: Source, target: OpenFile, passage: Passage): void | Promise<void> => {
  const { size, path } = source.entry;
  const wanted = Math.min(size === 0 ? QUICK_BYTES : size, QUICK_BYTES);
  let bytes = 0;
  for (let more = -1; bytes < wanted && more !== 0; bytes += more)
    more = atSource(path, () => readSync(source.file.fd, quickBuffer, bytes, wanted - bytes, bytes));
  if (bytes < wanted && size > 0) throw changedMeanwhile(path);
  if (bytes === 0) return;
  passage.signal.throwIfAborted();
  passage.spend(bytes);
  for (let done = 0; done < bytes; ) done += writeSync(target.fd, quickBuffer, done, bytes - done, done);
  passage.onBytes?.(bytes);
  if (bytes !== size) return copyRest(source, target, { ...passage, start: bytes });
};

const copyRest = async (
  source: Source,
  target: OpenFile,
  { start, signal, spend, onBytes }: Passage & { readonly start: number },
): Promise<void> => {
  const { entry } = source;
  const size = entry.size === 0 ? Number.POSITIVE_INFINITY : entry.size;
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, size - start));
  for (let position = start; position < size; ) {
    signal.throwIfAborted();
    const bytes = await readFrom(source, buffer.subarray(0, Math.min(buffer.byteLength, size - position)), position);
    if (bytes === 0 && entry.size > 0) throw changedMeanwhile(entry.path);
    if (bytes === 0) return;
    spend(bytes);
    await target.write(buffer.subarray(0, bytes), position);
    onBytes?.(bytes);
    position += bytes;
  }
};

/** Faults of the source name it, not the copy. */
const readFrom = async ({ file, entry }: Source, into: Uint8Array, position: number): Promise<number> => {
  try {
    return await file.read(into, position);
  } catch (fault) {
    throw faultAt(fault, { path: entry.path });
  }
};
