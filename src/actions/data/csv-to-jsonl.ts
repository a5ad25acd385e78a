import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';
import { readCsvHeader } from '../../lib/data/csv/reader.ts';
import { csvToJsonl as convert } from '../../lib/data/csv/to-jsonl.ts';
import { transformFile } from '../../lib/fs/edit-file.ts';
import { demandFile } from './source-file.ts';
import { DELIMITER, ENCODING } from './words.ts';

interface CsvToJsonlArgs {
  readonly src: string;
  readonly target: string;
  readonly delimiter: string;
  readonly encoding: string;
}

const plan = async ({ files, signal }: Context, { src, target, delimiter, encoding }: CsvToJsonlArgs): Promise<void> => {
  await demandFile(files, src, 'src');
  await using writer = await files.create(target, { signal });
  await writer.commit();
  await using reader = await files.open(src);
  await readCsvHeader(reader.stream(), { name: src, delimiter, encoding });
};

const run = async (context: Context, { src, target, delimiter, encoding }: CsvToJsonlArgs): Promise<number> => {
  const { files, signal, progress } = context;
  const { name, size } = await demandFile(files, src, 'src');
  return transformFile(context, { from: src, to: target }, async (reader, writer) => {
    const shown = progress(`convert ${name}`, size);
    const records = await convert(reader, {
      format: { name: src, delimiter, encoding },
      write: (bytes) => writer.write(bytes),
      onBytes(bytes) {
        signal.throwIfAborted();
        shown.advance(bytes);
      },
    });
    return { value: records, isChanged: true };
  });
};

export const csvToJsonl = defineAction({
  name: 'FA_csv_to_jsonl',
  summary: 'Converts a CSV file of any size to JSON Lines, one object a row; tells how many.',
  args: {
    src: path('The CSV file to read; its first line names the columns.', { role: 'reads' }),
    target: path('The JSON Lines file to write, in UTF-8.', { role: 'writes' }),
    delimiter: text(DELIMITER, { default: ',' }),
    encoding: text(ENCODING, { default: 'utf-8' }),
  },
  returns: shapes.integer(),
  idempotent: true,
  examples: [
    {
      about: 'Values stay texts; what a short row leaves out is null.',
      files: { 'a.csv': 'id,name\n007,"Ann ""A."""\n8\n' },
      args: { src: 'a.csv', target: 'a.jsonl' },
      value: 2,
      leaves: { 'a.jsonl': '{"id":"007","name":"Ann \\"A.\\""}\n{"id":"8","name":null}\n' },
    },
  ],
  plan,
  run,
});
