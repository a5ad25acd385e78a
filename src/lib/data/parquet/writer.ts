import type { RowGroup } from 'hyparquet';
import { TimeSlice, threadSlices } from '../../async/time-slice.ts';
import type { Column } from './column-type.ts';
import { schemaOf } from './schema.ts';

/** A Parquet file being written, one group of rows at a time. */
export interface ParquetFileWriter {
  /** Writes a group: for each column its values as stored, all of one length. Only this group is in memory. */
  writeGroup(columns: readonly (readonly unknown[])[]): Promise<void>;
  /** Writes the footer, without which nobody can read the file. */
  finish(): Promise<void>;
}

/** Encoding a column takes as long as many small steps. */
const STEPS_OF_COLUMN = 64;

/** Starts a file; `write` gets its bytes in order. */
export const openParquetWriter = async (
  columns: readonly Column[],
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<ParquetFileWriter> => {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const buffer = new ByteWriter();
  const writer = new ParquetWriter({
    writer: buffer,
    schema: schemaOf(columns),
    // The library orders texts by UTF-16 units, Parquet by bytes: its bounds would make other readers skip rows.
    statistics: false,
  });
  const slice = new TimeSlice(threadSlices);
  const empty = async () => {
    await write(buffer.getBytes());
    buffer.index = 0;
  };
  return {
    async writeGroup(values) {
      const rows = values[0]?.length ?? 0;
      if (rows === 0) return;
      const group: RowGroup = { columns: [], total_byte_size: 0n, num_rows: BigInt(rows) };
      const rowsBefore = writer.num_rows;
      // One column at a time, each with a schema of its own: the library goes through the whole schema for every column.
      for (const [index, column] of columns.entries()) {
        writer.schema = schemaOf([column]);
        await writer.write({ columnData: [dataOf(column, values[index] ?? [])], rowGroupSize: rows });
        const written = writer.row_groups.pop();
        for (const chunk of written?.columns ?? []) group.columns.push(chunk);
        group.total_byte_size += written?.total_byte_size ?? 0n;
        if (slice.isOver(STEPS_OF_COLUMN)) await slice.next();
      }
      writer.row_groups.push(group);
      writer.num_rows = rowsBefore + group.num_rows;
      await empty();
    },
    async finish() {
      writer.schema = schemaOf(columns);
      await writer.finish();
      if (writer.row_groups.length === 0) mendEmptyList(buffer.getBytes());
      await empty();
    },
  };
};

const dataOf = ({ name, type }: Column, values: readonly unknown[]) => ({
  name,
  data: type.kind === 'string' ? encoded(values) : [...values],
});

/** Texts as bytes, equal ones as one: the library would make a buffer of its own for each, and spend most of its time on freeing them. */
const encoded = (texts: readonly unknown[]): unknown[] => {
  const known = new Map<unknown, Buffer>();
  return texts.map((text) => {
    if (typeof text !== 'string') return text;
    const before = known.get(text);
    if (before !== undefined) return before;
    const bytes = Buffer.from(text);
    known.set(text, bytes);
    return bytes;
  });
};

/**
 * The library writes the list of no groups as a list of nothing, which other readers refuse: it has to be a list of structures. Before it
 * stand the number of rows, 0, and the head of the field; behind it the field that names the writer.
 */
const mendEmptyList = (file: Uint8Array): void => {
  const at = Buffer.from(file.buffer, file.byteOffset, file.byteLength).lastIndexOf(Buffer.from([0x16, 0x00, 0x19, 0x00, 0x28]));
  if (at >= 0) file[at + 3] = 0x0c;
};
