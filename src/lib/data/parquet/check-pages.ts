import type { ColumnMetaData, PageHeader, SchemaTree } from 'hyparquet';

/** Bytes of a file and where they stand in it. */
export interface FileSpan {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** What reads the header of a page; the library's own. */
type ReadHeader = (reader: { view: DataView; offset: number }) => PageHeader;

/** Checks of pages, by the offset in the file of the bytes that a decompressor is given; each gets what comes out. */
export type PageChecks = Map<number, readonly CheckPage[]>;
type CheckPage = (page: Uint8Array) => void;

/** Of one column chunk what the checks depend on. */
export interface ChunkShape {
  readonly maxRepetition: number;
  readonly maxDefinition: number;
  readonly isBoolean: boolean;
}

/** More values than any sensible page has; what is below fits into memory. */
const MAX_VALUES = 32 * 1024 * 1024;

/** The shape of a column, from the path of schema nodes that leads to it. */
export const shapeOf = (path: readonly SchemaTree[]): ChunkShape => {
  const kinds = path.slice(1).map(({ element }) => element.repetition_type);
  return {
    maxRepetition: kinds.filter((kind) => kind === 'REPEATED').length,
    maxDefinition: kinds.filter((kind) => kind !== 'REQUIRED').length,
    isBoolean: path.at(-1)?.element.type === 'BOOLEAN',
  };
};

/**
 * Looks at every count in a column chunk that the library will take for granted: a wrong one makes it write beyond its arrays until the
 * process dies. What is compressed is checked when it has been decompressed.
 */
export const checkPages = (
  readHeader: ReadHeader,
  { start, bytes }: FileSpan,
  { codec }: ColumnMetaData,
  shape: ChunkShape,
  later: PageChecks,
): void => {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  while (reader.offset < bytes.byteLength - 1) {
    const header = readHeader(reader);
    const body = reader.offset;
    const size = header.compressed_page_size;
    demand(size >= 0 && body + size <= bytes.byteLength && header.uncompressed_page_size >= 0, 'a page lies outside its column');
    const page = bytes.subarray(body, body + size);
    reader.offset = body + size;

    const { data_page_header: first, data_page_header_v2: second, dictionary_page_header: dictionary } = header;
    if (header.type === 'DICTIONARY_PAGE') {
      // A value takes a byte at least; eight of them if they are bits.
      demand(
        isCount(dictionary?.num_values) && dictionary.num_values <= header.uncompressed_page_size * 8,
        'a dictionary has too many values',
      );
      if (codec !== 'UNCOMPRESSED') addCheck(later, start + body, () => {});
    } else if (header.type === 'DATA_PAGE' && first !== undefined) {
      demand(isCount(first.num_values), 'a page has too many values');
      const check = (plain: Uint8Array) =>
        checkValues(plain, checkPrefixedLevels(plain, shape, first.num_values), first.encoding, first.num_values, shape);
      if (codec === 'UNCOMPRESSED') check(page);
      else addCheck(later, start + body, check);
    } else if (header.type === 'DATA_PAGE_V2' && second !== undefined) {
      const {
        num_values: count,
        num_nulls: nulls,
        repetition_levels_byte_length: repetitions,
        definition_levels_byte_length: definitions,
      } = second;
      demand(isCount(count) && isCount(nulls) && nulls <= count && isCount(second.num_rows), 'a page has too many values');
      demand(repetitions >= 0 && definitions >= 0 && repetitions + definitions <= size, 'the levels of a page lie outside it');
      if (shape.maxRepetition > 0) checkLevels(page.subarray(0, repetitions), shape.maxRepetition, count);
      if (shape.maxDefinition > 0) checkLevels(page.subarray(repetitions, repetitions + definitions), shape.maxDefinition, count);
      // Where there are no levels of definition, the library takes what follows the other levels for values.
      const valuesAt = repetitions + (shape.maxDefinition > 0 ? definitions : 0);
      const check = (plain: Uint8Array) => checkValues(plain, 0, second.encoding, count, shape);
      if (codec === 'UNCOMPRESSED' || second.is_compressed === false) check(page.subarray(valuesAt));
      else addCheck(later, start + body + valuesAt, check);
    } else demand(false, 'a page is of an unknown kind');
  }
};

/** Two columns of a hostile file may lie on the same bytes: then these have to be good for both. */
const addCheck = (checks: PageChecks, at: number, check: CheckPage): void => {
  checks.set(at, [...(checks.get(at) ?? []), check]);
};

/** Levels of the first kind of page stand before the values, each with its length. Answers where the values begin. */
const checkPrefixedLevels = (page: Uint8Array, { maxRepetition, maxDefinition }: ChunkShape, count: number): number => {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  let at = 0;
  for (const highest of [maxRepetition, maxDefinition]) {
    if (highest === 0) continue;
    demand(at + 4 <= page.byteLength, 'the levels of a page lie outside it');
    const length = view.getUint32(at, true);
    demand(at + 4 + length <= page.byteLength, 'the levels of a page lie outside it');
    checkLevels(page.subarray(at + 4, at + 4 + length), highest, count);
    at += 4 + length;
  }
  return at;
};

const checkLevels = (bytes: Uint8Array, highest: number, count: number): void => {
  demand(countRuns(bytes, 0, 32 - Math.clz32(highest), count) >= count, 'a page has too few levels');
};

const checkValues = (page: Uint8Array, at: number, encoding: string, count: number, { isBoolean }: ChunkShape): void => {
  if (encoding === 'RLE') countRuns(page, isBoolean ? at + 4 : at + 1, isBoolean ? 1 : (page[at] ?? 0), count);
  else if (encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY') countRuns(page, at + 1, page[at] ?? 0, count);
};

/** Counts the values of a run-length stream up to those expected; a run of more than are left is refused. */
const countRuns = (bytes: Uint8Array, from: number, width: number, count: number): number => {
  demand(width <= 32, 'values are wider than 32 bits');
  let seen = 0;
  for (let at = from; seen < count && at < bytes.byteLength; ) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at] ?? 0;
      at += 1;
      header += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
      demand(shift < 28, 'a run has too many values');
    }
    const isPacked = header % 2 === 1;
    const run = isPacked ? ((header - 1) / 2) * 8 : header / 2;
    // Packed values come in eights, and some writers fill up a whole block.
    demand(run <= count - seen + (isPacked ? 512 : 0), 'a run has too many values');
    at += isPacked ? (run / 8) * width : Math.ceil(width / 8);
    seen += run;
  }
  return seen;
};

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= MAX_VALUES;

function demand(holds: boolean, words: string): asserts holds {
  if (!holds) throw new RangeError(words);
}
