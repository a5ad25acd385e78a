import type { FileMetaData, RowGroup, SchemaTree } from 'hyparquet';
import { DataOpsException } from '../../../core/errors.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { FileSpan } from './check-pages.ts';
import { hasPrototypeField } from './columns.ts';
import { unreadable, wantedChunks } from './decode-group.ts';
import type { GroupDecoder } from './decode-thread.ts';

/** A file open for reading at any place. */
export interface ParquetSource {
  readonly size: number;
  readAt(into: Uint8Array, position: number): Promise<number>;
}

/** Which rows and columns are wanted. */
export interface ParquetSelection {
  /** The file, for messages. */
  readonly name: string;
  /** Null: all of them. */
  readonly columns: readonly string[] | null;
  readonly offset: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** One answer is in memory whole. */
const MAX_ANSWER_WEIGHT = 64 * 1024 * 1024;
const MAX_GROUP_BYTES = 512 * 1024 * 1024;
const MAX_GROUP_ROWS = 16 * 1024 * 1024;

/** The wanted rows as objects, read group by group. */
export const readParquet = async (
  source: ParquetSource,
  selection: ParquetSelection,
  decoder: Pick<GroupDecoder, 'decode'>,
): Promise<Record<string, unknown>[]> => {
  try {
    return await readGroups(source, selection, decoder);
  } catch (fault) {
    selection.signal.throwIfAborted();
    throw unreadable(selection.name, fault);
  }
};

const readGroups = async (
  source: ParquetSource,
  selection: ParquetSelection,
  decoder: Pick<GroupDecoder, 'decode'>,
): Promise<Record<string, unknown>[]> => {
  const { name, signal } = selection;
  const { parquetMetadataAsync, parquetSchema } = await import('hyparquet');
  const slice = async (start: number, end = source.size) => (await readSpan(source, start, end)).bytes.buffer;
  const metadata = await parquetMetadataAsync({ byteLength: source.size, slice }, { geoparquet: false });
  const columns = chosenColumns(parquetSchema(metadata), selection);
  const rows: Record<string, unknown>[] = [];
  let weight = 0;
  for (const { group, rowStart, rowEnd } of wantedGroups(metadata, selection)) {
    const decoded = await decoder.decode(
      {
        name,
        fileBytes: source.size,
        metadata: { ...metadata, row_groups: [group], num_rows: group.num_rows },
        spans: await readColumns(source, group, columns, name),
        columns,
        rowStart,
        rowEnd,
        maxWeight: MAX_ANSWER_WEIGHT - weight,
      },
      signal,
    );
    weight += decoded.weight;
    for (const row of decoded.rows) rows.push(row);
  }
  return rows;
};

const chosenColumns = (tree: SchemaTree, { columns, name }: ParquetSelection): readonly string[] => {
  if (tree.children.some(hasPrototypeField)) {
    throw new DataOpsException(`${name} has a nested field called __proto__, which cannot be read; rename it.`, {
      context: { path: name },
    });
  }
  const names = tree.children.map(({ element }) => element.name);
  const unknown = columns?.find((column) => !names.includes(column));
  if (unknown === undefined) return columns ?? names;
  const shown = unknown.slice(0, 100);
  throw new DataOpsException(
    `${name} has no column ${JSON.stringify(shown)}${didYouMean(unknown, names) || '; use a name of its schema.'}`,
    {
      context: { argument: 'columns', path: name, column: shown },
    },
  );
};

/** The groups that hold wanted rows, with the rows counted from the start of each. */
const wantedGroups = ({ row_groups }: FileMetaData, { offset, limit, name }: ParquetSelection) => {
  let begin = 0;
  return row_groups.flatMap((group) => {
    const size = Number(group.num_rows);
    const rowStart = Math.max(0, offset - begin);
    const rowEnd = Math.min(size, offset + limit - begin);
    begin += size;
    if (rowStart >= rowEnd) return [];
    if (size <= MAX_GROUP_ROWS) return [{ group, rowStart, rowEnd }];
    throw new DataOpsException(
      `${name} has a group of ${size} rows; groups of up to ${MAX_GROUP_ROWS} are read: write it again with smaller ones.`,
      {
        context: { path: name, limit: MAX_GROUP_ROWS },
      },
    );
  });
};

const readColumns = async (source: ParquetSource, group: RowGroup, wanted: readonly string[], name: string): Promise<FileSpan[]> => {
  const spans: FileSpan[] = [];
  let bytes = 0;
  for (const { dictionary_page_offset, data_page_offset, total_compressed_size } of wantedChunks(group, wanted)) {
    const start = Number(dictionary_page_offset || data_page_offset);
    const size = Number(total_compressed_size);
    bytes += size;
    if (bytes > MAX_GROUP_BYTES) {
      throw new DataOpsException(
        `${name} has a group of more than ${MAX_GROUP_BYTES} bytes in the wanted columns; ask for fewer columns, or write it again with smaller groups.`,
        { context: { path: name, limit: MAX_GROUP_BYTES } },
      );
    }
    spans.push(await readSpan(source, start, start + size));
  }
  return spans;
};

const readSpan = async (source: ParquetSource, start: number, end: number) => {
  const isInside = start >= 0 && start <= end && end <= source.size && end - start <= MAX_GROUP_BYTES;
  if (!isInside) throw new RangeError(`bytes ${start} to ${end} lie outside the file`);
  const bytes = new Uint8Array(end - start);
  await source.readAt(bytes, start);
  return { start, bytes };
};
