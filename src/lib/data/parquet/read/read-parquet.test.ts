import { describe, expect, test } from 'vitest';
import { parquetOfEmptyLists as emptyLists } from '../../../../../test/support/parquet-empty-lists.ts';
import { type ParquetSelection, type ParquetSource, readParquet } from './read-parquet.ts';

const sourceOf = (file: Uint8Array): ParquetSource => ({
  size: file.byteLength,
  async readAt(into, position) {
    const part = file.subarray(position, position + into.byteLength);
    into.set(part);
    return part.byteLength;
  },
});

const read = (file: Uint8Array, selection: Partial<ParquetSelection> = {}, source = sourceOf(file)) =>
  readParquet(source, {
    name: 'a.parquet',
    columns: null,
    offset: 0,
    limit: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
    ...selection,
  });

describe('a file is read on a thread of its own', () => {
  test('and all of its rows come back', async () => {
    const rows = await read(emptyLists(5_000));
    expect(rows).toHaveLength(5_000);
    expect(rows.at(-1)).toEqual({ c0: [] });
  });

  test('which is ended by the signal, wherever it is', async () => {
    const stop = new AbortController();
    const file = emptyLists(30_000_000);
    const source = sourceOf(file);
    let reads = 0;
    const running = read(
      file,
      { signal: stop.signal, offset: 29_999_999 },
      {
        ...source,
        async readAt(into, position) {
          reads += 1;
          // The third piece is the column; with it the thread is busy for long.
          if (reads === 3) setImmediate(() => stop.abort(new Error('enough')));
          return source.readAt(into, position);
        },
      },
    );
    await expect(running).rejects.toThrow('enough');
  });

  test('which is ended when it gives no sign', async () => {
    await expect(read(emptyLists(30_000_000), { maxSilentMs: 1, limit: 1 })).rejects.toMatchObject({
      type: 'DataOpsException',
      context: { path: 'a.parquet', reason: 'silent' },
    });
  });

  test('which takes no more memory than it may', async () => {
    await expect(read(emptyLists(30_000_000, 8), { limit: 1 })).rejects.toMatchObject({
      type: 'QuotaExceededException',
      context: { path: 'a.parquet', limit: 'memory' },
    });
  });

  test('and gives no more rows than fit into one answer', async () => {
    await expect(read(emptyLists(2_200_000))).rejects.toMatchObject({
      type: 'DataOpsException',
      message: 'The rows wanted of a.parquet are more than fits into one answer; ask for fewer with limit, offset and columns.',
    });
  });

  test('and a fault of reading is told as it is', async () => {
    const file = emptyLists(1);
    await expect(read(file, {}, { size: file.byteLength, readAt: () => Promise.reject(new Error('disk')) })).rejects.toThrow('disk');
    await expect(read(file, {}, { size: file.byteLength, readAt: async () => 0 })).rejects.toThrow('it became shorter while it was read');
  });
});
