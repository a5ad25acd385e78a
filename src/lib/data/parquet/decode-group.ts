import type { AsyncBuffer, ColumnMetaData, Compressors, FileMetaData, RowGroup, SchemaTree } from 'hyparquet';
import { DataOpsException, FileAutomationException } from '../../../core/errors.ts';
import type { Task } from '../../workers/task.ts';
import { checkPages, type FileSpan, type PageChecks, shapeOf } from './check-pages.ts';
import { columnReader, rawSchema } from './columns.ts';

/** A group of rows to decode: plain data, so that any thread can do it. */
export interface GroupOrder {
  /** The file, for messages. */
  readonly name: string;
  readonly fileBytes: number;
  /** What the file says of itself, with this group as its only one. */
  readonly metadata: FileMetaData;
  /** The bytes of the wanted columns, one span for each of `wantedChunks`. */
  readonly spans: readonly FileSpan[];
  readonly columns: readonly string[];
  /** Rows of the group, the end not included. */
  readonly rowStart: number;
  readonly rowEnd: number;
  readonly maxWeight: number;
}

/** Rows as JSON, and what they weigh: their characters, eight for what is no text. */
export interface DecodedGroup {
  readonly rows: Record<string, unknown>[];
  readonly weight: number;
}

const MAX_PAGE_BYTES = 64 * 1024 * 1024;
const ATOM_WEIGHT = 8;

/** Decodes a group on whatever thread runs it. A hostile file can make the library loop or fill the memory: see `decode-thread.ts`. */
export const decodeGroup: Task<GroupOrder, DecodedGroup> = async (order) => {
  try {
    return { value: await decode(order) };
  } catch (fault) {
    throw unreadable(order.name, fault);
  }
};

/** The library complains by plain errors of many kinds; what the house itself says passes. */
export const unreadable = (name: string, fault: unknown): FileAutomationException => {
  if (fault instanceof FileAutomationException) return fault;
  const words = fault instanceof Error ? fault.message : String(fault);
  return new DataOpsException(`${name} cannot be read as Parquet: ${words}; check that it is whole and not encrypted.`, {
    context: { path: name },
    cause: fault,
  });
};

const decode = async (order: GroupOrder): Promise<DecodedGroup> => {
  const { metadata, columns, rowStart, rowEnd } = order;
  const { parquetRead, parquetSchema } = await import('hyparquet');
  const tree = parquetSchema(metadata);
  const readers = columns.map((name) => {
    const column = tree.children.find(({ element }) => element.name === name);
    return column === undefined ? () => null : columnReader(column);
  });
  const starts = new WeakMap<ArrayBufferLike, number>();
  const checks = await checkSpans(order, tree);
  const rows: Record<string, unknown>[] = [];
  let weight = 0;
  await parquetRead({
    file: fromSpans(order, starts),
    metadata: { ...metadata, schema: rawSchema(tree) },
    columns: [...columns],
    rowStart,
    rowEnd,
    rowFormat: 'array',
    utf8: false,
    geoparquet: false,
    compressors: await checkedCompressors(starts, checks),
    parsers: { timestampFromNanoseconds: (nanos) => nanos },
    onComplete(group) {
      for (const stored of group) {
        const values = readers.map((read, index) => read(stored[index]));
        weight += weightOf(values);
        if (weight > order.maxWeight) throw tooMuch(order, rows.length);
        rows.push(Object.fromEntries(columns.map((column, index) => [column, values[index]])));
      }
    },
  });
  return { rows, weight };
};

const checkSpans = async ({ metadata, spans, columns }: GroupOrder, tree: SchemaTree): Promise<PageChecks> => {
  const { parquetHeader } = await import('hyparquet/src/column.js');
  const { getTreePath } = await import('hyparquet/src/schema.js');
  const checks: PageChecks = new Map();
  const chunks = metadata.row_groups.flatMap((group) => wantedChunks(group, columns));
  for (const [index, chunk] of chunks.entries()) {
    const span = spans[index];
    if (span === undefined) throw new RangeError('the bytes of a column are missing');
    checkPages(parquetHeader, span, chunk, shapeOf(getTreePath(tree, chunk.path_in_schema)), checks);
  }
  return checks;
};

/** What a group says of the columns that are wanted, in its own order; `spans` of an order have the same. */
export const wantedChunks = ({ columns }: RowGroup, wanted: readonly string[]): ColumnMetaData[] =>
  columns.flatMap(({ meta_data }) => (meta_data !== undefined && wanted.includes(meta_data.path_in_schema[0] ?? '') ? [meta_data] : []));

/**
 * The file as far as it is here. The library reads columns that lie close together at once, with what is between: that stays empty. Of every
 * buffer it is told where it begins, also of those that the library cuts out of one.
 */
const fromSpans = ({ spans, fileBytes }: GroupOrder, starts: WeakMap<ArrayBufferLike, number>): AsyncBuffer => {
  const slice = (start: number, end = fileBytes): ArrayBuffer => {
    const part = new Uint8Array(Math.max(0, end - start));
    for (const span of spans) {
      const from = Math.max(start, span.start);
      const to = Math.min(end, span.start + span.bytes.byteLength);
      if (from < to) part.set(span.bytes.subarray(from - span.start, to - span.start), from - start);
    }
    starts.set(part.buffer, start);
    return Object.assign(part.buffer, { slice: (from: number, to: number) => slice(start + from, start + to) });
  };
  return { byteLength: fileBytes, slice };
};

/** Decompressors that refuse pages of absurd size before memory is taken for them, and let pass only what was checked. */
const checkedCompressors = async (starts: WeakMap<ArrayBufferLike, number>, checks: PageChecks): Promise<Compressors> => {
  const { compressors } = await import('hyparquet-compressors');
  return Object.fromEntries(
    Object.entries(compressors).map(([codec, decompress]) => [
      codec,
      (input: Uint8Array, length: number) => {
        const wanted = checks.get((starts.get(input.buffer) ?? Number.NaN) + input.byteOffset);
        if (wanted === undefined || length > MAX_PAGE_BYTES) throw new RangeError(`a page of ${length} bytes is unexpected or too large`);
        const page = decompress(input, length);
        for (const check of wanted) check(page);
        return page;
      },
    ]),
  );
};

const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length + ATOM_WEIGHT;
  if (typeof value !== 'object' || value === null) return ATOM_WEIGHT;
  let weight = ATOM_WEIGHT;
  for (const inner of Object.values(value)) weight += weightOf(inner);
  return weight;
};

const tooMuch = ({ name, maxWeight }: GroupOrder, rows: number) =>
  new DataOpsException(`The rows wanted of ${name} are more than fits into one answer; ask for fewer with limit, offset and columns.`, {
    context: { path: name, rows, limit: maxWeight },
  });
