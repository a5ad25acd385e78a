import { defineAction } from '../../core/action.ts';
import { integer, list, path, record } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileNotExistsException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { TYPE_WORDS } from '../../lib/data/parquet/column-type.ts';
import { readParquet } from '../../lib/data/parquet/read/read-parquet.ts';
import { writeRecords } from '../../lib/data/parquet/write-records.ts';
import { demandFile } from './source-file.ts';

/** Two rows: `id` int64, `price` decimal(9,2). */
const EXAMPLE =
  'UEFSMRUGFSQVKFwVBBUAFQQVABUEFQAAAAMDEDwBAAAAAAAgAAIAAAAAAAAAFQYVDBUQXBUEFQIVBBUAFQQVAAAAAwEEDG4AAAAVBBk8SAZzY2hlbWEVBAAVBCUCGAJpZCUkABUCJQIYBXByaWNlJQoVBBUSABYEGRwZLCYIHBUEGRUAGRgCaWQVAhYEFlIWUiYIAAAmWhwVAhkVABkYBXByaWNlFQIWBBY6FjomWgAAFowBFgQAKAloeXBhcnF1ZXQAeQAAAFBBUjE=';

interface ParquetReadArgs {
  readonly path: string;
  readonly limit: number | null;
  readonly columns: readonly string[] | null;
  readonly offset: number;
}

const read = async ({ files, signal }: Context, { path: file, limit, columns, offset }: ParquetReadArgs) => {
  await demandFile(files, file, 'path');
  await using source = await files.open(file);
  return await readParquet(
    { size: source.entry.size, readAt: (into, position) => source.readAt(into, position) },
    { name: file, columns, offset, limit: limit ?? Number.POSITIVE_INFINITY, signal },
  );
};

export const parquetRead = defineAction({
  name: 'FA_parquet_read',
  summary: 'Reads rows of a Parquet file as records, all or some of them.',
  args: {
    path: path('The Parquet file.', { role: 'reads', wrong: FileNotExistsException }),
    limit: integer('Most rows to read; 0 gives none, null all of them up to 64 MiB.', { default: null, min: 0 }),
    columns: list('The columns to read, in the order wanted; null reads all.', shapes.text(), { default: null, minItems: 1 }),
    offset: integer('Rows to leave out at the start.', { default: 0, min: 0 }),
  },
  returns: shapes.list(shapes.record(shapes.json())),
  idempotent: true,
  examples: [
    {
      about: 'Whole numbers beyond 2^53 and decimals come out as texts, times as ISO 8601, bytes as base64.',
      files: { 'a.parquet': { base64: EXAMPLE } },
      args: { path: 'a.parquet', columns: ['id', 'price'], limit: 1 },
      value: [{ id: '9007199254740993', price: '1.10' }],
    },
  ],
  plan: (ctx, args) => read(ctx, { ...args, limit: 0 }),
  run: read,
});

interface ParquetWriteArgs {
  readonly path: string;
  readonly records: readonly Readonly<Record<string, unknown>>[];
  readonly schema: Readonly<Record<string, unknown>>;
}

const write = async ({ files, signal }: Context, { path: file, records, schema }: ParquetWriteArgs): Promise<number> => {
  await using target = await files.create(file, { signal });
  await writeRecords(records, schema, (bytes) => target.write(bytes));
  await target.commit();
  return records.length;
};

export const parquetWrite = defineAction({
  name: 'FA_parquet_write',
  summary: 'Writes records as a Parquet file; tells how many.',
  args: {
    path: path('The Parquet file to write.', { role: 'writes' }),
    records: list('The records; the columns are their keys, and a missing key is null.', shapes.record(shapes.json()), {
      isContent: true,
    }),
    schema: record(
      `Types by column where the values do not tell them (whole numbers become int64, other numbers double, lists and objects nest): ${TYPE_WORDS}.`,
      shapes.json(),
      { default: {} },
    ),
  },
  returns: shapes.integer(),
  idempotent: true,
  examples: [
    {
      about: 'Types that JSON does not have are named in schema.',
      args: {
        path: 'a.parquet',
        records: [
          { id: '9007199254740993', price: '1.10' },
          { id: 2, price: null },
        ],
        schema: { id: 'int64', price: 'decimal(9,2)' },
      },
      value: 2,
    },
  ],
  plan: write,
  run: write,
});
