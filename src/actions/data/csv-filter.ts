import { defineAction } from '../../core/action.ts';
import { flag, list, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { DataOpsException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { type CsvFilter, checkFilter, filterSink } from '../../lib/data/csv/filter-sink.ts';
import { type CsvFormat, readCsv, readCsvHeader } from '../../lib/data/csv/reader.ts';
import { transformFile } from '../../lib/fs/edit-file.ts';
import { openEncoder } from '../../lib/text/encoding.ts';
import { demandHeader } from './csv-header.ts';
import { CHUNK_BYTES, counted, demandFile } from './source-file.ts';
import { DELIMITER, ENCODING } from './words.ts';

interface CsvFilterArgs {
  readonly src: string;
  readonly target: string;
  readonly columns: readonly string[] | null;
  readonly where_column: string | null;
  readonly where_equals: string | null;
  readonly delimiter: string;
  readonly encoding: string;
  readonly escape_formulas: boolean;
}

const plan = async ({ files, signal }: Context, args: CsvFilterArgs): Promise<void> => {
  const filter = filterOf(args);
  await demandFile(files, args.src, 'src');
  await using target = await files.create(args.target, { signal });
  await target.commit();
  await using source = await files.open(args.src);
  checkFilter(demandHeader(await readCsvHeader(source.stream(), formatOf(args)), { argument: 'src', path: args.src }), filter);
};

const run = async (context: Context, args: CsvFilterArgs): Promise<number> => {
  const { files, signal, progress } = context;
  const filter = filterOf(args);
  const { name, size } = await demandFile(files, args.src, 'src');
  return transformFile(context, { from: args.src, to: args.target }, async (source, target) => {
    const encoder = await openEncoder(args.encoding);
    const sink = filterSink(filter, encoder, (bytes) => target.write(bytes));
    const { columns } = await readCsv(
      counted(source.stream({ chunkBytes: CHUNK_BYTES }), progress(`filter ${name}`, size), signal),
      formatOf(args),
      sink,
    );
    demandHeader(columns, { argument: 'src', path: args.src });
    return { value: await sink.finish(), isChanged: true };
  });
};

const formatOf = ({ src, delimiter, encoding }: CsvFilterArgs): CsvFormat => ({ name: src, delimiter, encoding });

const filterOf = ({ columns, where_column, where_equals, delimiter, escape_formulas }: CsvFilterArgs): CsvFilter => {
  if ((where_column === null) !== (where_equals === null)) {
    throw new DataOpsException('where_column and where_equals go together; give both or none.', {
      context: { argument: where_column === null ? 'where_column' : 'where_equals' },
    });
  }
  const seen = new Set<string>();
  const double = columns?.find((name) => seen.size === seen.add(name).size);
  if (double !== undefined)
    throw new DataOpsException(`columns names ${JSON.stringify(double.slice(0, 100))} twice; name each column once.`, {
      context: { argument: 'columns' },
    });
  return {
    delimiter,
    columns,
    where: where_column === null || where_equals === null ? undefined : { column: where_column, equals: where_equals },
    escapeFormulas: escape_formulas,
  };
};

export const csvFilter = defineAction({
  name: 'FA_csv_filter',
  summary: 'Copies a CSV file of any size, keeping chosen columns and rows; tells how many rows were written.',
  args: {
    src: path('The CSV file to read.', { role: 'reads' }),
    target: path('The CSV file to write; it may be the same.', { role: 'writes' }),
    columns: list('The columns to keep, in the order wanted; null keeps all.', shapes.text(), { default: null, minItems: 1 }),
    where_column: text('Keep only rows with where_equals in this column.', { default: null }),
    where_equals: text('The text to compare with, exactly.', { default: null }),
    delimiter: text(DELIMITER, { default: ',' }),
    encoding: text(`${ENCODING} The target gets the same.`, { default: 'utf-8' }),
    escape_formulas: flag('Put an apostrophe before values that a sheet program would calculate.', { default: false }),
  },
  returns: shapes.integer(),
  examples: [
    {
      files: { 'people.csv': 'id,name,city\n1,Ann,Rome\n2,Bob,Oslo\n' },
      args: { src: 'people.csv', target: 'rome.csv', columns: ['name', 'id'], where_column: 'city', where_equals: 'Rome' },
      value: 1,
      leaves: { 'rome.csv': 'name,id\r\nAnn,1\r\n' },
    },
  ],
  plan,
  run,
});
