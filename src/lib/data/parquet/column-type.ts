import { DataOpsException } from '../../../core/errors.ts';

/** How fine a time is. */
export type TimeUnit = 'ms' | 'us' | 'ns';

/** The type of a column or of a part of one. Every value may be null. */
export type ColumnType =
  | { readonly kind: 'boolean' | 'float' | 'double' | 'string' | 'binary' | 'json' | 'uuid' | 'date' }
  | { readonly kind: 'int'; readonly bits: 8 | 16 | 32 | 64; readonly isSigned: boolean }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'time'; readonly unit: TimeUnit }
  | { readonly kind: 'timestamp'; readonly unit: TimeUnit; readonly isUtc: boolean }
  | { readonly kind: 'list'; readonly item: ColumnType }
  | { readonly kind: 'map'; readonly value: ColumnType }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, ColumnType> };

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

const PLAIN_KINDS = ['boolean', 'float', 'double', 'string', 'binary', 'json', 'uuid', 'date'] as const;
const MAX_PRECISION = 38;
/** The key that makes a map of an object: all its values have one type. */
const ANY_KEY = '*';

/** The words for a type, for messages and descriptions. */
export const TYPE_WORDS =
  'boolean, int8 to int64, uint8 to uint64, float, double, decimal(precision,scale), string, binary, json, uuid, date, time, timestamp, local_timestamp (the last three with (ms), (us) or (ns)); ["type"] is a list, {"field": "type"} a structure, {"*": "type"} a map';

/** Reads a type as people write it. */
export const parseType = (written: unknown, at: string): ColumnType => {
  if (typeof written === 'string') return parseWord(written, at);
  if (Array.isArray(written) && written.length === 1) return { kind: 'list', item: parseType(written[0], `${at}[]`) };
  if (typeof written !== 'object' || written === null || Array.isArray(written)) throw unknownType(at);
  const entries = Object.entries(written);
  const [first] = entries;
  if (first === undefined) throw unknownType(at);
  if (first[0] === ANY_KEY && entries.length === 1) return { kind: 'map', value: parseType(first[1], `${at}.*`) };
  return { kind: 'struct', fields: new Map(entries.map(([name, type]) => [name, parseType(type, `${at}.${name}`)])) };
};

const parseWord = (word: string, at: string): ColumnType => {
  const plain = PLAIN_KINDS.find((kind) => kind === word);
  if (plain !== undefined) return { kind: plain };
  const int = /^(u?)int(8|16|32|64)$/.exec(word);
  // The expression allows these four numbers only.
  if (int !== null) return { kind: 'int', bits: Number(int[2]) as 8 | 16 | 32 | 64, isSigned: int[1] === '' };
  const decimal = /^decimal\((\d{1,2}), ?(\d{1,2})\)$/.exec(word);
  if (decimal !== null) return decimalType(Number(decimal[1]), Number(decimal[2]), at);
  const time = /^(time|timestamp|local_timestamp)(?:\((ms|us|ns)\))?$/.exec(word);
  if (time === null) throw unknownType(at);
  // The expression allows these three units only.
  const unit = (time[2] ?? 'us') as TimeUnit;
  return time[1] === 'time' ? { kind: 'time', unit } : { kind: 'timestamp', unit, isUtc: time[1] === 'timestamp' };
};

const decimalType = (precision: number, scale: number, at: string): ColumnType => {
  if (precision >= 1 && precision <= MAX_PRECISION && scale <= precision) return { kind: 'decimal', precision, scale };
  throw new DataOpsException(
    `The type of ${at} is a decimal that cannot be; use 1 to ${MAX_PRECISION} digits, of which the scale takes no more than all.`,
    {
      context: { argument: 'schema', column: at },
    },
  );
};

const unknownType = (at: string) =>
  new DataOpsException(`The type of ${at} is unknown; use ${TYPE_WORDS}.`, { context: { argument: 'schema', column: at } });
