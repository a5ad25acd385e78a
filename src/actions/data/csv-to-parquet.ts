import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';
import { parquetSink } from '../../lib/data/csv/parquet-sink.ts';
import { readCsv, readCsvHeader } from '../../lib/data/csv/reader.ts';
import { transformFile } from '../../lib/fs/edit-file.ts';
import { demandHeader } from './csv-header.ts';
import { CHUNK_BYTES, counted, demandFile } from './source-file.ts';
import { DELIMITER, ENCODING } from './words.ts';

interface CsvToParquetArgs {
  readonly csv_path: string;
  readonly parquet_path: string;
  readonly delimiter: string;
  readonly encoding: string;
}

const plan = async ({ files, signal }: Context, { csv_path, parquet_path, delimiter, encoding }: CsvToParquetArgs): Promise<void> => {
  await demandFile(files, csv_path, 'csv_path');
  await using target = await files.create(parquet_path, { signal });
  await target.commit();
  await using source = await files.open(csv_path);
  demandHeader(await readCsvHeader(source.stream(), { name: csv_path, delimiter, encoding }), { argument: 'csv_path', path: csv_path });
};

const run = async (context: Context, { csv_path, parquet_path, delimiter, encoding }: CsvToParquetArgs): Promise<number> => {
  const { files, signal, progress } = context;
  const { name, size } = await demandFile(files, csv_path, 'csv_path');
  return transformFile(context, { from: csv_path, to: parquet_path }, async (source, target) => {
    const sink = parquetSink((bytes) => target.write(bytes));
    const chunks = counted(source.stream({ chunkBytes: CHUNK_BYTES }), progress(`convert ${name}`, size), signal);
    const { rows, columns } = await readCsv(chunks, { name: csv_path, delimiter, encoding }, sink);
    demandHeader(columns, { argument: 'csv_path', path: csv_path });
    await sink.finish();
    return { value: rows, isChanged: true };
  });
};

export const csvToParquet = defineAction({
  name: 'FA_csv_to_parquet',
  summary: 'Converts a CSV file of any size to Parquet, every column a text; tells how many rows.',
  args: {
    csv_path: path('The CSV file to read; its first line names the columns.', { role: 'reads' }),
    parquet_path: path('The Parquet file to write.', { role: 'writes' }),
    delimiter: text(DELIMITER, { default: ',' }),
    encoding: text(ENCODING, { default: 'utf-8' }),
  },
  returns: shapes.integer(),
  idempotent: true,
  examples: [{ files: { 'a.csv': 'id,name\n007,Ann\n8\n' }, args: { csv_path: 'a.csv', parquet_path: 'a.parquet' }, value: 2 }],
  plan,
  run,
});
