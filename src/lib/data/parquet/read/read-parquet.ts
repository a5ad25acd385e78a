import { deserialize } from 'node:v8';
import { openForeignThreads } from '../../../workers/foreign/threads.ts';
import { readThroughForeign } from '../../../workers/foreign/through.ts';
import type { ParquetOrder, ParquetRow } from './rows.ts';
import { readerEnded, unreadable } from './unreadable.ts';

/** A file open for reading at any place. */
export interface ParquetSource {
  readonly size: number;
  readAt(into: Uint8Array, position: number): Promise<number>;
}

/** Which rows and columns are wanted. */
export interface ParquetSelection extends Pick<ParquetOrder, 'name' | 'columns' | 'offset' | 'limit'> {
  readonly signal: AbortSignal;
  /** How long the reader may give no sign before it is ended. */
  readonly maxSilentMs?: number;
}

/** One answer is in memory whole. */
const MAX_ANSWER_WEIGHT = 64 * 1024 * 1024;
const MAX_RANGE_BYTES = 128 * 1024 * 1024;
const MAX_SILENT_MS = 60_000;

/**
 * The wanted rows as objects. The file is taken apart on a thread of its own, its footer too: what is written in it can keep a reader busy for
 * ever or fill the memory. Here that ends with the signal, with the patience or with the memory of the thread, and the process goes on.
 */
export const readParquet = async (
  source: ParquetSource,
  { signal, maxSilentMs = MAX_SILENT_MS, ...selection }: ParquetSelection,
): Promise<ParquetRow[]> => {
  const { name } = selection;
  await using threads = openForeignThreads({ signal, ended: readerEnded(name), isKept: true, maxSilentMs });
  const order: ParquetOrder = { ...selection, fileBytes: source.size, maxWeight: MAX_ANSWER_WEIGHT };
  const rows: ParquetRow[] = [];
  for await (const piece of readThroughForeign(threads, 'read_parquet', order, (start, end) => readRange(source, start, end, name))) {
    // The task gives batches of rows; bytes between threads carry no types.
    for (const row of deserialize(piece) as ParquetRow[]) rows.push(row);
  }
  return rows;
};

const readRange = async (source: ParquetSource, start: number, end: number, name: string): Promise<Uint8Array> => {
  const isInside = start >= 0 && start <= end && end <= source.size && end - start <= MAX_RANGE_BYTES;
  if (!isInside) throw unreadable(name, new RangeError(`bytes ${start} to ${end} lie outside the file`));
  const bytes = new Uint8Array(end - start);
  let read = 0;
  while (read < bytes.byteLength) {
    const more = await source.readAt(bytes.subarray(read), start + read);
    if (more === 0) throw unreadable(name, new RangeError('it became shorter while it was read'));
    read += more;
  }
  return bytes;
};
