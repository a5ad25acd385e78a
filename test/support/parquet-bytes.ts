// Builds Parquet files byte by byte, also such as no writer makes. Shares no code with ours or the library.
import { crc32 } from 'node:zlib';

/** A value of the compact protocol of Thrift: its type and its bytes. */
interface Thrift {
  readonly type: number;
  readonly bytes: Buffer;
}

const varint = (value: bigint): number[] => (value < 0x80n ? [Number(value)] : [Number(value & 0x7fn) | 0x80, ...varint(value >> 7n)]);
const zigzag = (value: number | bigint): Buffer => Buffer.from(varint(BigInt.asUintN(64, (BigInt(value) << 1n) ^ (BigInt(value) >> 63n))));

const i32 = (value: number): Thrift => ({ type: 5, bytes: zigzag(value) });
const i64 = (value: number): Thrift => ({ type: 6, bytes: zigzag(value) });
const flag = (value: boolean): Thrift => ({ type: value ? 1 : 2, bytes: Buffer.alloc(0) });
const text = (value: string): Thrift => {
  const bytes = Buffer.from(value);
  return { type: 8, bytes: Buffer.concat([Buffer.from(varint(BigInt(bytes.byteLength))), bytes]) };
};
const list = (type: number, items: readonly Thrift[]): Thrift => ({
  type: 9,
  bytes: Buffer.concat([Buffer.from([0xf0 | type, ...varint(BigInt(items.length))]), ...items.map(({ bytes }) => bytes)]),
});
const struct = (fields: Readonly<Record<number, Thrift | undefined>>): Thrift => {
  const parts: Buffer[] = [];
  let before = 0;
  for (const [key, field] of Object.entries(fields)) {
    if (field === undefined) continue;
    const id = Number(key);
    const isNear = id - before <= 15;
    parts.push(Buffer.from(isNear ? [((id - before) << 4) | field.type] : [field.type, ...zigzag(id)]), field.bytes);
    before = id;
  }
  return { type: 12, bytes: Buffer.concat([...parts, Buffer.from([0])]) };
};
const EMPTY = struct({});

const TYPES = ['BOOLEAN', 'INT32', 'INT64', 'INT96', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY'] as const;
const REPETITIONS = ['REQUIRED', 'OPTIONAL', 'REPEATED'] as const;
const CONVERTED: Readonly<Record<string, number>> = { UTF8: 0, MAP: 1, LIST: 3 };
/** Kinds of logical types that are structures without fields. */
const LOGICAL: Readonly<Record<string, number>> = { VARIANT: 16 };
const ENCODINGS: Readonly<Record<string, number>> = { PLAIN: 0, RLE: 3, RLE_DICTIONARY: 8 };

/** An element of a schema, its children below it. */
export interface Element {
  readonly name: string;
  readonly repetition?: (typeof REPETITIONS)[number];
  readonly type?: (typeof TYPES)[number];
  readonly converted?: string;
  readonly logical?: string;
  /** A whole number without a sign. */
  readonly isUnsigned?: boolean;
  readonly children?: readonly Element[];
}

/** A page of values. */
export interface Page {
  readonly count: number;
  /** Of the second kind where rows are told. */
  readonly rows?: number;
  readonly repetitions?: Uint8Array;
  readonly definitions?: Uint8Array;
  readonly values?: Uint8Array;
  readonly encoding?: string;
  readonly hasCrc?: boolean;
  readonly isCompressed?: boolean;
}

/** A column: the names that lead to it, and its pages. */
export interface ColumnBytes {
  readonly path: readonly string[];
  readonly type: (typeof TYPES)[number];
  readonly pages: readonly Page[];
  readonly isEncrypted?: boolean;
  /** The number of the codec; the bytes of the pages are taken as they are. */
  readonly codec?: number;
}

/** A run of equal levels, in so many bits. */
export const run = (count: number, level: number): Buffer => Buffer.from([...varint(BigInt(count) << 1n), level]);

/** Levels one by one. */
export const levels = (...each: readonly number[]): Buffer => Buffer.concat(each.map((level) => run(1, level)));

/** Values one behind the other. */
export const int32s = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, index * 4);
  return bytes;
};

/** Bytes, each with its length before it. */
export const byteArrays = (...values: readonly Uint8Array[]): Buffer =>
  Buffer.concat(values.flatMap((value) => [int32s(value.byteLength), Buffer.from(value)]));

const prefixed = (bytes: Uint8Array | undefined): Uint8Array[] => (bytes === undefined ? [] : [int32s(bytes.byteLength), bytes]);

const pageBytes = ({
  count,
  rows,
  repetitions,
  definitions,
  values = Buffer.alloc(0),
  encoding = 'PLAIN',
  hasCrc,
  isCompressed,
}: Page): Buffer => {
  const isSecond = rows !== undefined;
  const body = Buffer.concat(
    isSecond
      ? [repetitions ?? Buffer.alloc(0), definitions ?? Buffer.alloc(0), values]
      : [...prefixed(repetitions), ...prefixed(definitions), values],
  );
  const way = i32(ENCODINGS[encoding] ?? 99);
  const header = struct({
    1: i32(isSecond ? 3 : 0),
    2: i32(body.byteLength),
    3: i32(body.byteLength),
    4: hasCrc === true ? i32(crc32(body) | 0) : undefined,
    5: isSecond ? undefined : struct({ 1: i32(count), 2: way, 3: i32(3), 4: i32(3) }),
    8: isSecond
      ? struct({
          1: i32(count),
          2: i32(0),
          3: i32(rows),
          4: way,
          5: i32(definitions?.byteLength ?? 0),
          6: i32(repetitions?.byteLength ?? 0),
          7: isCompressed === undefined ? undefined : flag(isCompressed),
        })
      : undefined,
  });
  return Buffer.concat([header.bytes, body]);
};

const elements = ({ name, repetition, type, converted, logical, isUnsigned, children = [] }: Element): Thrift[] => [
  struct({
    1: type === undefined ? undefined : i32(TYPES.indexOf(type)),
    3: repetition === undefined ? undefined : i32(REPETITIONS.indexOf(repetition)),
    4: text(name),
    5: children.length === 0 ? undefined : i32(children.length),
    6: converted === undefined ? undefined : i32(CONVERTED[converted] ?? -1),
    10:
      isUnsigned === true
        ? struct({ 10: struct({ 1: { type: 3, bytes: Buffer.from([32]) }, 2: flag(false) }) })
        : logical === undefined
          ? undefined
          : struct({ [LOGICAL[logical] ?? 1]: EMPTY }),
  }),
  ...children.flatMap(elements),
];

/** A file of one group. */
export const parquetFile = (rows: number, schema: readonly Element[], columns: readonly ColumnBytes[]): Buffer => {
  const parts: Buffer[] = [Buffer.from('PAR1')];
  let at = 4;
  const chunks = columns.map(({ path, type, pages, isEncrypted, codec = 0 }) => {
    const bytes = Buffer.concat(pages.map(pageBytes));
    const start = at;
    parts.push(bytes);
    at += bytes.byteLength;
    return struct({
      2: i64(start),
      3: struct({
        1: i32(TYPES.indexOf(type)),
        2: list(5, [i32(0)]),
        3: list(8, path.map(text)),
        4: i32(codec),
        5: i64(pages.reduce((sum, { count }) => sum + count, 0)),
        6: i64(bytes.byteLength),
        7: i64(bytes.byteLength),
        9: i64(start),
      }),
      8: isEncrypted === true ? struct({ 1: EMPTY }) : undefined,
    });
  });
  const footer = struct({
    1: i32(2),
    2: list(12, elements({ name: 'schema', children: schema })),
    3: i64(rows),
    4: list(12, [struct({ 1: list(12, chunks), 2: i64(at), 3: i64(rows) })]),
  }).bytes;
  return Buffer.concat([...parts, footer, int32s(footer.byteLength), Buffer.from('PAR1')]);
};
