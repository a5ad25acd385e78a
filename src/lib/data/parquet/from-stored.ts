import { isUtf8 } from 'node:buffer';
import type { SchemaElement } from 'hyparquet';
import { JsonActionException } from '../../../core/errors.ts';
import { checkDocument } from '../json/check-document.ts';
import { jsonNode } from '../json/node.ts';
import { jsonValue } from '../json/value.ts';
import type { TimeUnit } from './column-type.ts';
import { bigintFromBytes, formatDecimal } from './decimals.ts';
import { ParquetFault, WITHOUT_COLUMN } from './read/unreadable.ts';
import { formatDate, formatTime, formatTimestamp } from './times.ts';

/** Turns a value as the file stores it into JSON. */
export type ReadStored = (value: unknown) => unknown;

/** How a leaf of the schema is read. The library hands over raw values: its own conversions round decimals and cut times. */
export const leafReader = (element: SchemaElement): ReadStored => {
  const read = readerOf(element);
  return (value) => (value === null || value === undefined ? null : read(value));
};

const UNITS: Readonly<Record<string, TimeUnit>> = {
  MILLIS: 'ms',
  MICROS: 'us',
  NANOS: 'ns',
  TIME_MILLIS: 'ms',
  TIME_MICROS: 'us',
  TIMESTAMP_MILLIS: 'ms',
  TIMESTAMP_MICROS: 'us',
};

const readerOf = (element: SchemaElement): ReadStored => {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const scale = (logical?.type === 'DECIMAL' ? logical.scale : element.scale) ?? 0;
    return (value) => {
      const digits = value instanceof Uint8Array ? shortBytes(value) : undefined;
      if (!(scale >= 0 && scale <= MAX_DIGITS)) throw new RangeError('a decimal has an impossible scale');
      return formatDecimal(digits === undefined ? bigintOf(value) : bigintFromBytes(digits), scale);
    };
  }
  if (logical?.type === 'TIMESTAMP') return timestampReader(UNITS[logical.unit] ?? 'ms', logical.isAdjustedToUTC);
  if (converted === 'TIMESTAMP_MILLIS' || converted === 'TIMESTAMP_MICROS') return timestampReader(UNITS[converted] ?? 'ms', true);
  if (type === 'INT96') return (value) => formatTimestamp(nanosOf(bufferOf(value)), 'ns', true);
  if (logical?.type === 'TIME') return timeReader(UNITS[logical.unit] ?? 'ms');
  if (converted === 'TIME_MILLIS' || converted === 'TIME_MICROS') return timeReader(UNITS[converted] ?? 'ms');
  if (converted === 'DATE' || logical?.type === 'DATE') return (value) => formatDate(Number(value));
  if (type === 'INT32' || type === 'INT64') return wholeReader(element, type === 'INT64' ? 64 : 32);
  if (type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY') return bytesReader(element);
  return (value) => (typeof value === 'number' ? jsonNumber(value) : value);
};

const timestampReader =
  (unit: TimeUnit, isUtc: boolean): ReadStored =>
  (value) =>
    formatTimestamp(bigintOf(value), unit, isUtc);

const timeReader =
  (unit: TimeUnit): ReadStored =>
  (value) =>
    formatTime(bigintOf(value), unit);

/** Nanoseconds of the day, and the day by the Julian count. Writers that overflow give a day before its beginning. */
const nanosOf = (bytes: Buffer): bigint => {
  const day = bytes.readInt32LE(8);
  const nanos = bytes.readBigInt64LE(0);
  if (day < 0 || nanos < 0n)
    throw new ParquetFault('a time of 96 bits is before the calendar that it counts by', { remedy: WITHOUT_COLUMN });
  return BigInt(day - JULIAN_1970) * NANOS_A_DAY + nanos;
};

const JULIAN_1970 = 2_440_588;
const NANOS_A_DAY = 86_400_000_000_000n;

/** Longer numbers than anybody writes; the time to print one grows with the square of its length. */
const MAX_DIGITS = 200;
const shortBytes = (bytes: Uint8Array): Uint8Array => {
  if (bytes.byteLength * 2 > MAX_DIGITS) throw new RangeError('a decimal has too many digits');
  return bytes;
};

const wholeReader = ({ converted_type, logical_type }: SchemaElement, bits: number): ReadStored => {
  const isUnsigned = converted_type?.startsWith('UINT') === true || (logical_type?.type === 'INTEGER' && !logical_type.isSigned);
  return (value) => {
    if (typeof value === 'number' && !(isUnsigned && value < 0)) return value;
    return wholeNumber(isUnsigned ? BigInt.asUintN(bits, bigintOf(value)) : bigintOf(value));
  };
};

/** A whole number, as text where a number of JSON could not hold it. */
export const wholeNumber = (whole: bigint): number | string => {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : String(whole);
};

const bytesReader = ({ type_length, converted_type: converted, logical_type: logical }: SchemaElement): ReadStored => {
  if (converted === 'UTF8' || converted === 'ENUM' || logical?.type === 'STRING' || logical?.type === 'ENUM')
    return (value) => textOf(bufferOf(value));
  if (converted === 'JSON' || logical?.type === 'JSON') return (value) => parsedJson(textOf(bufferOf(value)));
  if (logical?.type === 'UUID' && type_length === 16) return (value) => uuidText(bufferOf(value));
  if (logical?.type === 'FLOAT16' && type_length === 2) return (value) => jsonNumber(halfFloat(bufferOf(value)));
  if (converted === 'INTERVAL' && type_length === 12) return (value) => interval(bufferOf(value));
  return (value) => ({ base64: bufferOf(value).toString('base64') });
};

/** Bytes as text; what is none is refused, because it would come out changed. */
export const textOf = (bytes: Buffer): string => {
  if (!isUtf8(bytes)) throw new ParquetFault('a text is not UTF-8', { remedy: WITHOUT_COLUMN });
  return bytes.toString();
};

export const uuidText = (bytes: Buffer): string => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** The value of a JSON text, long numbers as texts; a text that is no JSON stays one. */
const parsedJson = (text: string): unknown => {
  try {
    const findings = checkDocument({ text, name: undefined, excerpt: false });
    return jsonValue(text, jsonNode(text, 0, findings.longValues), findings);
  } catch (fault) {
    if (fault instanceof JsonActionException) return text;
    throw fault;
  }
};

/** JSON has no infinity and no not-a-number. */
export const jsonNumber = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

const halfFloat = (bytes: Buffer): number => {
  const bits = bytes.readUInt16LE(0);
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = (bits & 0x3ff) / 1024;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -14 : sign * (1 + fraction) * 2 ** (exponent - 15);
};

/** Months, days and milliseconds as a duration of ISO 8601. */
const interval = (bytes: Buffer): string => `P${bytes.readUInt32LE(0)}M${bytes.readUInt32LE(4)}DT${bytes.readUInt32LE(8) / 1000}S`;

const bigintOf = (value: unknown): bigint => (typeof value === 'bigint' ? value : BigInt(Number(value)));

const bufferOf = (value: unknown): Buffer => {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw new TypeError('bytes were expected');
};
