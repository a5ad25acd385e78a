import { type ParquetOrder, type ParquetRow, rowBatches } from '../../src/lib/data/parquet/read/rows.ts';

/** The rows of a Parquet file, read on this thread: starting another takes longer than most files of tests. */
export const parquetRows = async (file: Uint8Array, order: Partial<ParquetOrder> = {}): Promise<ParquetRow[]> => {
  const rows: ParquetRow[] = [];
  const read = async (start: number, end: number) => {
    if (start < 0 || start > end || end > file.byteLength) throw new RangeError(`bytes ${start} to ${end} lie outside the file`);
    return new Uint8Array(file.subarray(start, end));
  };
  const batches = rowBatches(read, {
    name: 'a.parquet',
    fileBytes: file.byteLength,
    columns: null,
    offset: 0,
    limit: Number.POSITIVE_INFINITY,
    maxWeight: 64 * 1024 * 1024,
    ...order,
  });
  for await (const batch of batches) rows.push(...batch);
  return rows;
};
