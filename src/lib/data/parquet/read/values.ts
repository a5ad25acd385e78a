import type { SchemaElement } from 'hyparquet';
import { deltaBytes, deltaLengthBytes, readDeltas } from './deltas.ts';
import { readHybrid } from './hybrid.ts';
import type { StoredValues } from './stored-values.ts';
import { demand, ParquetFault, WITHOUT_COLUMN } from './unreadable.ts';

/** What of a leaf tells how its values are stored. */
export type StoredType = Pick<SchemaElement, 'type' | 'type_length'>;

/** The part of a page that holds values. */
export interface ValuePart {
  readonly bytes: Uint8Array;
  readonly encoding: string | undefined;
  readonly count: number;
}

const WIDTHS: Readonly<Record<string, number>> = { INT32: 4, FLOAT: 4, INT64: 8, DOUBLE: 8, INT96: 12 };
const NONE: StoredValues = { count: 0, at: () => null, extraBytes: 0 };

/** Decodes the values of a page. All lengths are compared with the page before memory is taken. */
export const readValues = (part: ValuePart, stored: StoredType, dictionary: StoredValues | undefined): StoredValues => {
  const { bytes, encoding, count } = part;
  if (count === 0) return NONE;
  switch (encoding) {
    case 'PLAIN':
      return readPlain(bytes, stored, count);
    case 'PLAIN_DICTIONARY':
    case 'RLE_DICTIONARY':
      demand(dictionary !== undefined, 'a page needs a dictionary that the column does not have');
      return fromDictionary(bytes, count, dictionary);
    case 'RLE':
      demand(stored.type === 'BOOLEAN', 'values that are not boolean are written in runs');
      return runsOfBooleans(bytes, count);
    case 'DELTA_BINARY_PACKED':
      return fromNumbers(readDeltas(bytes, 0, count, stored.type === 'INT64' ? 64 : 32).values);
    case 'DELTA_LENGTH_BYTE_ARRAY':
      return deltaLengthBytes(bytes, count);
    case 'DELTA_BYTE_ARRAY':
      return deltaBytes(bytes, count);
    case 'BYTE_STREAM_SPLIT':
      return readPlain(joinStreams(bytes, count, widthOf(stored)), stored, count);
    default:
      throw new ParquetFault(`its encoding ${encoding ?? 'is unknown and'} is not supported`, { remedy: WITHOUT_COLUMN });
  }
};

/** Values one behind the other, as dictionaries have them too. */
export const readPlain = (bytes: Uint8Array, stored: StoredType, count: number): StoredValues => {
  if (count === 0) return NONE;
  if (stored.type === 'BYTE_ARRAY') return prefixedBytes(bytes, count);
  if (stored.type === 'BOOLEAN') {
    demand(Math.ceil(count / 8) <= bytes.byteLength, 'a page has too few values');
    return { count, at: (index) => (((bytes[index >> 3] ?? 0) >> (index & 7)) & 1) === 1, extraBytes: 0 };
  }
  const width = widthOf(stored);
  demand(count * width <= bytes.byteLength, 'a page has too few values');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const by = (at: (index: number) => unknown): StoredValues => ({ count, at, extraBytes: 0 });
  switch (stored.type) {
    case 'INT32':
      return by((index) => view.getInt32(index * 4, true));
    case 'INT64':
      return by((index) => view.getBigInt64(index * 8, true));
    case 'FLOAT':
      return by((index) => view.getFloat32(index * 4, true));
    case 'DOUBLE':
      return by((index) => view.getFloat64(index * 8, true));
    default:
      return by((index) => bytes.subarray(index * width, (index + 1) * width));
  }
};

const widthOf = ({ type, type_length }: StoredType): number => {
  const width = type === 'FIXED_LEN_BYTE_ARRAY' ? (type_length ?? 0) : (WIDTHS[type ?? ''] ?? 0);
  if (width > 0) return width;
  throw new ParquetFault(`values of type ${type ?? 'unknown'} cannot be stored like that`);
};

/** Each with its length before it. */
const prefixedBytes = (bytes: Uint8Array, count: number): StoredValues => {
  demand(count * 4 <= bytes.byteLength, 'a page has too few values');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = new Uint32Array(count + 1);
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    demand(at + 4 <= bytes.byteLength, 'a page has too few values');
    const length = view.getUint32(at, true);
    at += 4 + length;
    starts[index + 1] = at;
    demand(at <= bytes.byteLength, 'a value lies outside its page');
  }
  return {
    count,
    at: (index) => bytes.subarray((starts[index] ?? 0) + 4, starts[index + 1] ?? 0),
    extraBytes: starts.byteLength,
  };
};

const fromNumbers = (numbers: Int32Array | BigInt64Array): StoredValues => ({
  count: numbers.length,
  at: (index) => numbers[index],
  extraBytes: numbers.byteLength,
});

const fromDictionary = (bytes: Uint8Array, count: number, dictionary: StoredValues): StoredValues => {
  const width = bytes[0] ?? 0;
  demand(bytes.byteLength > 0, 'a page has too few values');
  const places = new Uint32Array(count);
  readHybrid(bytes, 1, { width, highest: dictionary.count - 1, words: 'a value is not in the dictionary of its column' }, places);
  return { count, at: (index) => dictionary.at(places[index] ?? 0), extraBytes: places.byteLength };
};

/** Their length stands before them. */
const runsOfBooleans = (bytes: Uint8Array, count: number): StoredValues => {
  demand(bytes.byteLength >= 4, 'a page has too few values');
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  demand(length <= bytes.byteLength - 4, 'a page has too few values');
  const values = new Uint8Array(count);
  readHybrid(bytes.subarray(4, 4 + length), 0, { width: 1, highest: 1, words: 'a value is neither true nor false' }, values);
  return { count, at: (index) => values[index] === 1, extraBytes: count };
};

/** The first bytes of all values, then the second ones, and so on, put together again. */
const joinStreams = (bytes: Uint8Array, count: number, width: number): Uint8Array => {
  demand(count * width <= bytes.byteLength, 'a page has too few values');
  const joined = new Uint8Array(count * width);
  for (let part = 0; part < width; part += 1)
    for (let index = 0; index < count; index += 1) joined[index * width + part] = bytes[part * count + index] ?? 0;
  return joined;
};
