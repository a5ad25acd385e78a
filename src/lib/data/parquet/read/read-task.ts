import { serialize } from 'node:v8';
import { rangeTask } from '../../../workers/foreign/serve-stream.ts';
import { type ParquetOrder, rowBatches } from './rows.ts';

/** Reads rows on whatever thread runs it; the bytes of the file are asked for, and each piece that it gives is a batch of rows. */
export const readParquetRows = rangeTask(async function* (read, order: ParquetOrder): AsyncGenerator<Uint8Array> {
  for await (const batch of rowBatches(read, order)) yield serialize(batch);
});
