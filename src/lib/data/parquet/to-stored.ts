import { DataOpsException } from '../../../core/errors.ts';
import type { ColumnType } from './column-type.ts';
import { parseDecimal } from './decimals.ts';
import { parseDate, parseTime, parseTimestamp } from './times.ts';

/** Where a value stands, for messages. */
export interface StoredPlace {
  readonly record: number;
  readonly column: string;
}

/** A JSON value as the library stores its type; what does not fit the type is refused. */
export const toStored = (type: ColumnType, value: unknown, place: StoredPlace): unknown => {
  if (value === null || value === undefined) return null;
  const stored = convert(type, value, place);
  if (stored === undefined) {
    throw new DataOpsException(
      `Record ${place.record} has no ${wordsFor(type)} in ${JSON.stringify(place.column)}; write it as such or change the type of the column.`,
      {
        context: { record: place.record, column: place.column },
      },
    );
  }
  return stored;
};

const convert = (type: ColumnType, value: unknown, place: StoredPlace): unknown => {
  switch (type.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'float':
    case 'double':
      return typeof value === 'number' ? value : (UNUSUAL_NUMBERS.get(value) ?? undefined);
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'json':
      return JSON.stringify(value);
    case 'binary':
      return bytesOf(value);
    case 'int':
      return wholeNumber(value, type.bits, type.isSigned);
    case 'decimal':
      return typeof value === 'string' || typeof value === 'number' ? parseDecimal(value, type.precision, type.scale) : undefined;
    case 'list':
      return Array.isArray(value) ? value.map((item) => toStored(type.item, item, { ...place, column: `${place.column}[]` })) : undefined;
    case 'map':
    case 'struct':
      return isObject(value) ? fromObject(type, value, place) : undefined;
    default:
      return typeof value === 'string' ? fromText(type, value) : undefined;
  }
};

const fromText = (type: ColumnType, text: string): unknown => {
  switch (type.kind) {
    case 'uuid':
      return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined;
    case 'date':
      return parseDate(text);
    case 'time': {
      const units = parseTime(text, type.unit);
      return units !== undefined && type.unit === 'ms' ? Number(units) : units;
    }
    case 'timestamp':
      return parseTimestamp(text, type.unit, type.isUtc);
    default:
      return undefined;
  }
};

const fromObject = (
  type: Extract<ColumnType, { readonly kind: 'map' | 'struct' }>,
  value: Readonly<Record<string, unknown>>,
  place: StoredPlace,
): unknown => {
  const at = (name: string) => ({ ...place, column: `${place.column}.${name}` });
  if (type.kind === 'map') return Object.entries(value).map(([key, inner]) => ({ key, value: toStored(type.value, inner, at(key)) }));
  const surplus = Object.keys(value).find((name) => !type.fields.has(name));
  if (surplus !== undefined) {
    throw new DataOpsException(
      `Record ${place.record} has a field ${JSON.stringify(at(surplus).column)} that the type of its column does not name; add it to schema.`,
      {
        context: { record: place.record, column: at(surplus).column },
      },
    );
  }
  // Every field, own and without a prototype: the library would find inherited ones.
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, inner] of type.fields) fields[name] = toStored(inner, Object.hasOwn(value, name) ? value[name] : null, at(name));
  return fields;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const UNUSUAL_NUMBERS: ReadonlyMap<unknown, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

const bytesOf = (value: unknown): Uint8Array | undefined => {
  if (typeof value === 'string') return Buffer.from(value);
  return isObject(value) && typeof value.base64 === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value.base64)
    ? Buffer.from(value.base64, 'base64')
    : undefined;
};

/** Whole numbers beyond 2^53 come as texts of their digits. */
const wholeNumber = (value: unknown, bits: number, isSigned: boolean): number | bigint | undefined => {
  const isWritten = typeof value === 'string' && /^-?\d{1,20}$/.test(value);
  if (!isWritten && !Number.isSafeInteger(value)) return undefined;
  const whole = BigInt(isWritten ? value : Number(value));
  if ((isSigned ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole)) !== whole) return undefined;
  return bits === 64 ? whole : Number(whole);
};

const wordsFor = (type: ColumnType): string => {
  switch (type.kind) {
    case 'int':
      return `whole number of ${type.bits} bits${type.isSigned ? '' : ' without a sign'}`;
    case 'decimal':
      return `decimal of ${type.precision} digits with ${type.scale} behind the point`;
    case 'timestamp':
      return type.isUtc
        ? `moment with an offset, like 2026-01-31T13:05:00Z, as fine as ${type.unit}`
        : `moment without an offset, like 2026-01-31T13:05:00, as fine as ${type.unit}`;
    case 'time':
      return `time like 13:05:00, as fine as ${type.unit}`;
    case 'date':
      return 'date like 2026-01-31';
    case 'struct':
    case 'map':
      return 'object';
    case 'binary':
      return 'text or {"base64": "…"}';
    default:
      return type.kind;
  }
};
