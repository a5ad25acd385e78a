import type { ColumnMetaData, PageHeader } from 'hyparquet';
import { crc32 } from '../../../hash/crc32.ts';
import type { MemoryBudget } from './budget.ts';
import { type Decompress, openDecompressor } from './decompress.ts';
import { openPart, type ReadRange } from './file-bytes.ts';
import { type Levels, onlyLevel, readLevels } from './levels.ts';
import type { Leaf } from './schema-node.ts';
import type { StoredValues } from './stored-values.ts';
import { demand, ParquetFault, WITHOUT_COLUMN } from './unreadable.ts';
import { readPlain, readValues } from './values.ts';

/** A page of values, unpacked. */
export interface LoadedPage {
  /** How many entries it has; one more or fewer values or rows. */
  readonly count: number;
  readonly repetitions: Levels['each'];
  readonly definitions: Levels['each'];
  readonly values: StoredValues;
  /** How many rows begin in it. */
  readonly rows: number;
  /** What it takes of the budget. */
  readonly bytes: number;
}

/** The pages of one column in one group. */
export interface PageSource {
  /** The next page; undefined behind the last one. */
  next(): Promise<LoadedPage | undefined>;
  /** Passes by the next page without unpacking it, if it has no more than these rows and that can be told; answers how many it has. */
  skip(maxRows: number): Promise<number>;
}

const MAX_PAGE_BYTES = 64 * 1024 * 1024;
/** More entries than any sensible page has. */
const MAX_ENTRIES = 32 * 1024 * 1024;

/** Opens the pages of a column. `ahead` is how much of it is read at once. */
export const openPages = async (
  { read, ahead, budget }: { readonly read: ReadRange; readonly ahead: number; readonly budget: MemoryBudget },
  chunk: ColumnMetaData,
  leaf: Leaf,
): Promise<PageSource> => {
  const { parquetHeader } = await import('hyparquet/src/column.js');
  const decompress = await openDecompressor(chunk.codec);
  const part = openPart(read, ...spanOf(chunk), ahead);
  const total = Number(chunk.num_values);
  let seen = 0;
  let dictionary: StoredValues | undefined;
  let waiting: PageHeader | undefined;

  const header = async (): Promise<PageHeader | undefined> => {
    if (waiting !== undefined) return waiting;
    if (seen >= total || part.isAtEnd) return undefined;
    waiting = await part.parse((bytes) => {
      const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
      const value = parquetHeader(reader);
      return { value, used: reader.offset };
    });
    demandSizes(waiting);
    return waiting;
  };
  const body = async (head: PageHeader): Promise<Uint8Array> => {
    waiting = undefined;
    const bytes = await part.take(head.compressed_page_size);
    demand(head.crc === undefined || crc32(bytes) >>> 0 === head.crc >>> 0, 'the checksum of a page does not fit');
    return bytes;
  };
  const readDictionary = async (head: PageHeader): Promise<void> => {
    const count = head.dictionary_page_header?.num_values;
    demand(dictionary === undefined && isCount(count), 'a dictionary is impossible');
    const { encoding } = head.dictionary_page_header ?? {};
    demand(encoding === 'PLAIN' || encoding === 'PLAIN_DICTIONARY', 'a dictionary has an unknown encoding');
    const plain = decompress(await body(head), head.uncompressed_page_size);
    dictionary = remembered(readPlain(plain, leaf.element, count), leaf);
    // What is read from it is remembered, as texts and objects.
    budget.take(plain.byteLength * 3 + dictionary.extraBytes + count * 8);
  };
  /** The next page of values; what comes before is taken in. */
  const dataHeader = async (): Promise<PageHeader | undefined> => {
    for (let head = await header(); head !== undefined; head = await header()) {
      if (head.type === 'DICTIONARY_PAGE') await readDictionary(head);
      else if (head.type === 'INDEX_PAGE') {
        waiting = undefined;
        part.skip(head.compressed_page_size);
      } else return head;
    }
    return undefined;
  };

  return {
    async next() {
      const head = await dataHeader();
      if (head === undefined) return undefined;
      const page =
        head.type === 'DATA_PAGE'
          ? readFirst(head, await body(head), { leaf, decompress, dictionary })
          : readSecond(head, await body(head), { leaf, decompress, dictionary });
      seen += page.count;
      budget.take(page.bytes);
      return page;
    },
    async skip(maxRows) {
      const head = await dataHeader();
      const entries = head?.data_page_header?.num_values ?? head?.data_page_header_v2?.num_values;
      const rows = head?.data_page_header_v2?.num_rows ?? (leaf.rep === 0 ? entries : undefined);
      if (head === undefined || !isCount(rows) || !isCount(entries) || rows > maxRows || rows === 0) return 0;
      waiting = undefined;
      part.skip(head.compressed_page_size);
      seen += entries;
      return rows;
    },
  };
};

/** The bytes of a column in a file. */
const spanOf = ({ dictionary_page_offset, data_page_offset, total_compressed_size }: ColumnMetaData): [start: number, end: number] => {
  const data = Number(data_page_offset);
  const dictionary = Number(dictionary_page_offset ?? 0);
  const start = dictionary >= MAGIC_BYTES && dictionary < data ? dictionary : data;
  return [start, start + Number(total_compressed_size)];
};

const MAGIC_BYTES = 4;

interface PageContext {
  readonly leaf: Leaf;
  readonly decompress: Decompress;
  readonly dictionary: StoredValues | undefined;
}

/** The first kind of page: levels and values are compressed together, and the levels have their lengths before them. */
const readFirst = (head: PageHeader, body: Uint8Array, { leaf, decompress, dictionary }: PageContext): LoadedPage => {
  const { num_values: count, encoding, repetition_level_encoding, definition_level_encoding } = head.data_page_header ?? {};
  demand(isCount(count), 'a page has too many values');
  const plain = decompress(body, head.uncompressed_page_size);
  const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength);
  let at = 0;
  const levels = (highest: number, counted: number, way: string | undefined): Levels => {
    if (highest === 0 || count === 0) return onlyLevel(count);
    if (way !== 'RLE')
      throw new ParquetFault(`its levels are written as ${way ?? 'something unknown'}, which is not supported`, { remedy: WITHOUT_COLUMN });
    demand(at + 4 <= plain.byteLength, 'the levels of a page lie outside it');
    const length = view.getUint32(at, true);
    at += 4;
    demand(length <= plain.byteLength - at, 'the levels of a page lie outside it');
    const found = readLevels(plain.subarray(at, at + length), { highest, counted, count });
    at += length;
    return found;
  };
  const repetitions = levels(leaf.rep, 0, repetition_level_encoding);
  const definitions = levels(leaf.def, leaf.def, definition_level_encoding);
  return pageOf({ count, repetitions, definitions, bytes: plain.subarray(at), encoding, leaf, dictionary });
};

/** The second kind: levels stand uncompressed before the values, their lengths in the header. */
const readSecond = (head: PageHeader, body: Uint8Array, { leaf, decompress, dictionary }: PageContext): LoadedPage => {
  const { data_page_header_v2: second } = head;
  demand(head.type === 'DATA_PAGE_V2' && second !== undefined, 'a page is of an unknown kind');
  const { num_values: count, num_rows, encoding, repetition_levels_byte_length: first, definition_levels_byte_length: last } = second;
  demand(isCount(count) && isCount(num_rows), 'a page has too many values');
  demand(first >= 0 && last >= 0 && first + last <= body.byteLength, 'the levels of a page lie outside it');
  const repetitions = readLevels(body.subarray(0, first), { highest: leaf.rep, counted: 0, count });
  const definitions = readLevels(body.subarray(first, first + last), { highest: leaf.def, counted: leaf.def, count });
  const values = body.subarray(first + last);
  const size = head.uncompressed_page_size - first - last;
  demand(size >= 0, 'the levels of a page lie outside it');
  // Where there are no values there is nothing to unpack, whatever the writer made of it.
  const bytes = definitions.matches === 0 ? new Uint8Array(0) : second.is_compressed === false ? values : decompress(values, size);
  const page = pageOf({ count, repetitions, definitions, bytes, encoding, leaf, dictionary });
  demand(page.rows === num_rows, 'a page has another number of rows than it tells');
  return page;
};

const pageOf = ({
  count,
  repetitions,
  definitions,
  bytes,
  encoding,
  leaf,
  dictionary,
}: {
  readonly count: number;
  readonly repetitions: Levels;
  readonly definitions: Levels;
  readonly bytes: Uint8Array;
  readonly encoding: string | undefined;
  readonly leaf: Leaf;
  readonly dictionary: StoredValues | undefined;
}): LoadedPage => {
  const values = readValues({ bytes, encoding, count: definitions.matches }, leaf.element, dictionary);
  const isFromDictionary = encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY';
  return {
    count,
    repetitions: repetitions.each,
    definitions: definitions.each,
    values: isFromDictionary ? values : { ...values, at: (index) => leaf.convert(values.at(index)) },
    rows: repetitions.matches,
    bytes: bytes.byteLength + values.extraBytes + repetitions.bytes + definitions.bytes,
  };
};

/** Values of a dictionary are converted once each. */
const remembered = (values: StoredValues, { convert }: Leaf): StoredValues => {
  const known: unknown[] = [];
  return {
    ...values,
    at(index) {
      if (!(index in known)) known[index] = convert(values.at(index));
      return known[index];
    },
  };
};

const demandSizes = ({ compressed_page_size: packed, uncompressed_page_size: plain }: PageHeader): void => {
  demand(Number.isInteger(packed) && packed >= 0 && Number.isInteger(plain) && plain >= 0, 'a page has an impossible size');
  if (packed > MAX_PAGE_BYTES || plain > MAX_PAGE_BYTES)
    throw new ParquetFault(`a page has ${Math.max(packed, plain)} bytes, of which ${MAX_PAGE_BYTES} are read at most`, {
      remedy: 'name the other columns in columns, or have it written with smaller pages',
    });
};

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= MAX_ENTRIES;
