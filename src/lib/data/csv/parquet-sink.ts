import { openParquetWriter, type ParquetFileWriter } from '../parquet/writer.ts';
import type { CsvSink } from './reader.ts';

/** A group of rows is in memory whole, several times over while it is encoded. */
const GROUP_LENGTH = 1_500_000;
const GROUP_ROWS = 25_000;

/** Rows as a Parquet file: every column a text, null for what a short row leaves out. */
export const parquetSink = (write: (bytes: Uint8Array) => Promise<void>): CsvSink & { finish(): Promise<void> } => {
  let names: readonly string[] = [];
  let columns: (string | null)[][] = [];
  let length = 0;
  let writer: ParquetFileWriter | undefined;

  const writeGroup = async () => {
    writer ??= await openParquetWriter(
      names.map((name) => ({ name, type: { kind: 'string' } })),
      write,
    );
    await writer.writeGroup(columns);
    columns = names.map(() => []);
    length = 0;
    return writer;
  };

  return {
    header(header) {
      names = header;
      columns = header.map(() => []);
    },
    row(fields) {
      for (let index = 0; index < columns.length; index += 1) {
        const value = fields[index] ?? null;
        columns[index]?.push(value);
        length += value?.length ?? 0;
      }
    },
    async flush() {
      if (length >= GROUP_LENGTH || (columns[0]?.length ?? 0) >= GROUP_ROWS) await writeGroup();
    },
    async finish() {
      const file = await writeGroup();
      await file.finish();
    },
  };
};
