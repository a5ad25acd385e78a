import { createRequire } from 'node:module';
import { QuotaExceededException } from '../../../core/errors.ts';
import { openForeignThreads } from '../../workers/foreign/threads.ts';
import { throughForeign } from '../../workers/foreign/through.ts';
import { type ForwardBytes, forwardFrom } from '../forward-bytes.ts';
import { readerEnded } from '../reader-ended.ts';
import type { EntryStep } from './libarchive/read-entries.ts';

/** What the reader gets: an archive that it takes into its memory as a whole. */
export interface ForeignInput {
  readonly format: string;
  readonly bytes: number;
  stream(): AsyncIterable<Uint8Array>;
  readonly steps: readonly EntryStep[];
}

/** The reader takes the archive into memory, beside what unpacking needs. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;

/** A thread that had more than this in its memory is not kept. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Unpacks contents on a thread that ends with the work, one after the other. Nothing of them is checked yet. */
export async function* unpackedForeign({ format, bytes, stream, steps }: ForeignInput, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  demandMemory(bytes, format);
  const wasmPath = createRequire(import.meta.url).resolve('libarchive.js/dist/libarchive.wasm');
  await using threads = openForeignThreads({ signal, ended: readerEnded(format), isKept: bytes <= KEPT_BYTES });
  yield* throughForeign(threads, 'read_entries', { wasmPath, archiveBytes: bytes, steps }, stream());
}

/** The same for work that takes them piece by piece. */
export const unpackForeign = async (
  input: ForeignInput,
  signal: AbortSignal,
  work: (contents: ForwardBytes) => Promise<void>,
): Promise<void> => {
  const contents = forwardFrom(unpackedForeign(input, signal));
  try {
    await work(contents);
  } finally {
    await contents.close();
  }
};

/** Refuses what would not fit into memory. */
export const demandMemory = (bytes: number, format: string): void => {
  if (bytes <= MAX_MEMORY_BYTES) return;
  throw new QuotaExceededException(
    `Archives of format ${format} are read in memory and may have no more than ${MAX_MEMORY_BYTES} bytes; extract this one with another program.`,
    { context: { limit: 'memory', bytes, max_bytes: MAX_MEMORY_BYTES } },
  );
};
