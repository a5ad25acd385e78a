import type { AsyncBuffer, Compressors, FileMetaData, SchemaTree } from 'hyparquet';
import { DataOpsException, FileAutomationException } from '../../../core/errors.ts';
import { didYouMean } from '../../text/nearest.ts';
import { columnReader, hasPrototypeField, rawSchema } from './columns.ts';

/** A file open for reading at any place. */
export interface ParquetSource {
  readonly size: number;
  readAt(into: Uint8Array, position: number): Promise<number>;
}

/** Which rows and columns are wanted. */
export interface ParquetSelection {
  /** The file, for messages. */
  readonly name: string;
  readonly columns: readonly string[] | null;
  readonly offset: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** One answer is in memory whole; counted in characters, eight for what is no text. */
const MAX_ANSWER_WEIGHT = 64 * 1024 * 1024;
/** What a hostile file may make the library allocate at once. */
const MAX_SLICE_BYTES = 512 * 1024 * 1024;
const MAX_PAGE_BYTES = 256 * 1024 * 1024;
const MAX_GROUP_ROWS = 16 * 1024 * 1024;

/** The wanted rows as objects, read group by group. */
export const readParquet = async (source: ParquetSource, selection: ParquetSelection): Promise<Record<string, unknown>[]> => {
  const { name } = selection;
  try {
    return await readRows(source, selection);
  } catch (fault) {
    // What the house itself says passes; the library complains by plain errors of many kinds.
    if (fault instanceof FileAutomationException || selection.signal.aborted) throw fault;
    const words = fault instanceof Error ? fault.message : String(fault);
    throw new DataOpsException(`${name} cannot be read as Parquet: ${words}; check that it is whole and not encrypted.`, {
      context: { path: name },
      cause: fault,
    });
  }
};

const readRows = async (
  source: ParquetSource,
  { name, columns, offset, limit, signal }: ParquetSelection,
): Promise<Record<string, unknown>[]> => {
  const { parquetMetadataAsync, parquetRead, parquetSchema } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const file = asyncBuffer(source, name);
  const metadata = await parquetMetadataAsync(file, { geoparquet: false });
  const tree = parquetSchema(metadata);
  if (tree.children.some(hasPrototypeField))
    throw new DataOpsException(`${name} has a nested field called __proto__, which cannot be read; rename it.`, {
      context: { path: name },
    });
  const wanted = chosenColumns(tree, columns, name);
  const readers = wanted.map(columnReader);
  const names = wanted.map(({ element }) => element.name);
  const raw: FileMetaData = { ...metadata, schema: rawSchema(tree) };

  const rows: Record<string, unknown>[] = [];
  let weight = 0;
  for (const { start, end } of groupRanges(metadata, { offset, limit }, name)) {
    signal.throwIfAborted();
    await parquetRead({
      file,
      metadata: raw,
      columns: names,
      rowStart: start,
      rowEnd: end,
      rowFormat: 'array',
      utf8: false,
      geoparquet: false,
      useOffsetIndex: true,
      compressors: limited(compressors),
      parsers: { timestampFromNanoseconds: (nanos) => nanos },
      onComplete(group) {
        for (const stored of group) {
          const values = stored.map((value, index) => readers[index]?.(value) ?? null);
          weight += weightOf(values);
          if (weight > MAX_ANSWER_WEIGHT) throw tooMuch(name, rows.length);
          rows.push(Object.fromEntries(names.map((column, index) => [column, values[index]])));
        }
      },
    });
  }
  return rows;
};

const chosenColumns = (tree: SchemaTree, columns: readonly string[] | null, name: string): SchemaTree[] => {
  if (columns === null) return tree.children;
  const names = tree.children.map(({ element }) => element.name);
  return columns.map((column) => {
    const found = tree.children.find(({ element }) => element.name === column);
    if (found !== undefined) return found;
    throw new DataOpsException(
      `${name} has no column ${JSON.stringify(column.slice(0, 100))}${didYouMean(column, names) || '; use a name of its schema.'}`,
      {
        context: { argument: 'columns', path: name, column: column.slice(0, 100) },
      },
    );
  });
};

/** The wanted part of each group of rows. */
const groupRanges = ({ row_groups }: FileMetaData, { offset, limit }: Pick<ParquetSelection, 'offset' | 'limit'>, name: string) => {
  const last = offset + limit;
  let begin = 0;
  return row_groups.flatMap(({ num_rows }) => {
    const start = Math.max(begin, offset);
    const end = Math.min(begin + Number(num_rows), last);
    begin += Number(num_rows);
    if (start < end && Number(num_rows) > MAX_GROUP_ROWS) {
      throw new DataOpsException(
        `${name} has a group of ${num_rows} rows; groups of up to ${MAX_GROUP_ROWS} are read: write it again with smaller ones.`,
        { context: { path: name, limit: MAX_GROUP_ROWS } },
      );
    }
    return start < end ? [{ start, end }] : [];
  });
};

const asyncBuffer = (source: ParquetSource, name: string): AsyncBuffer => ({
  byteLength: source.size,
  async slice(start, end = source.size) {
    const from = start < 0 ? Math.max(0, source.size + start) : start;
    const length = Math.min(end, source.size) - from;
    if (!(length >= 0) || length > MAX_SLICE_BYTES)
      throw new DataOpsException(
        `${name} has a part that is larger than ${MAX_SLICE_BYTES} bytes or lies outside the file; write it again.`,
        { context: { path: name } },
      );
    const buffer = new ArrayBuffer(length);
    await source.readAt(new Uint8Array(buffer), from);
    return buffer;
  },
});

/** Decompressors that refuse pages of absurd size before memory is taken for them. */
const limited = (compressors: Compressors): Compressors =>
  Object.fromEntries(
    Object.entries(compressors).map(([codec, decompress]) => [
      codec,
      (input: Uint8Array, length: number) => {
        if (length > MAX_PAGE_BYTES) throw new Error(`a page of ${length} bytes is too large`);
        return decompress(input, length);
      },
    ]),
  );

const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length + 8;
  if (typeof value !== 'object' || value === null) return 8;
  let weight = 8;
  for (const inner of Object.values(value)) weight += weightOf(inner);
  return weight;
};

const tooMuch = (name: string, rows: number) =>
  new DataOpsException(
    `The first ${rows} rows of ${name} already fill ${MAX_ANSWER_WEIGHT} characters; ask for fewer with limit, offset and columns.`,
    { context: { path: name, limit: MAX_ANSWER_WEIGHT } },
  );
