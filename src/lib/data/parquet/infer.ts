import { DataOpsException } from '../../../core/errors.ts';
import { type Column, type ColumnType, parseType } from './column-type.ts';

/** What values have told so far; null: only nulls. */
type Seen = ColumnType | null;

const STRING: ColumnType = { kind: 'string' };
const JSON_TYPE: ColumnType = { kind: 'json' };
const LONG: ColumnType = { kind: 'int', bits: 64, isSigned: true };

/** One row, by column. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * The columns of records: first those whose type is given, then the others in order of appearance. Whole numbers become int64, numbers
 * double, lists and objects nest; what only holds nulls becomes string.
 */
export const inferColumns = (records: readonly Row[], schema: Row): Column[] => {
  const given = new Map(Object.entries(schema).map(([name, type]) => [name, parseType(type, JSON.stringify(name))]));
  const seen = new Map<string, Seen>();
  for (const [index, record] of records.entries()) {
    for (const [name, value] of Object.entries(record)) {
      if (!given.has(name)) seen.set(name, merge(seen.get(name) ?? null, value, { record: index, column: name }));
    }
  }
  return [...[...given].map(([name, type]) => ({ name, type })), ...[...seen].map(([name, type]) => ({ name, type: settle(type) }))];
};

interface Where {
  readonly record: number;
  readonly column: string;
}

const merge = (seen: Seen, value: unknown, where: Where): Seen => {
  if (value === null || value === undefined) return seen;
  if (Array.isArray(value)) return mergeList(seen, value, where);
  if (typeof value === 'object' && !isBytes(value)) return mergeStruct(seen, value, where);
  const type = scalarType(value);
  if (seen === null) return type;
  if (isNumber(seen) && isNumber(type)) return seen.kind === 'double' ? seen : type;
  if (seen.kind !== type.kind) throw mixed(seen, type, where);
  return seen;
};

const scalarType = (value: unknown): ColumnType => {
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? LONG : { kind: 'double' };
  return typeof value === 'string' ? STRING : { kind: 'binary' };
};

const mergeList = (seen: Seen, items: readonly unknown[], where: Where): ColumnType => {
  if (seen !== null && seen.kind !== 'list') throw mixed(seen, { kind: 'list', item: STRING }, where);
  let item: Seen = seen === null ? null : unsettled(seen.item);
  for (const value of items) item = merge(item, value, { ...where, column: `${where.column}[]` });
  return { kind: 'list', item: item ?? UNKNOWN };
};

const mergeStruct = (seen: Seen, value: object, where: Where): ColumnType => {
  if (seen !== null && seen.kind !== 'struct') throw mixed(seen, { kind: 'struct', fields: new Map() }, where);
  const fields = new Map(seen?.fields);
  for (const [name, inner] of Object.entries(value)) {
    const before = fields.get(name);
    fields.set(
      name,
      merge(before === undefined ? null : unsettled(before), inner, { ...where, column: `${where.column}.${name}` }) ?? UNKNOWN,
    );
  }
  return { kind: 'struct', fields };
};

/** Stands inside lists and structures for what was only null so far; told apart by identity. */
const UNKNOWN: ColumnType = { kind: 'string' };
const unsettled = (type: ColumnType): Seen => (type === UNKNOWN ? null : type);

/** The type that is written: a structure without fields cannot be, so it is kept as JSON. */
const settle = (type: Seen): ColumnType => {
  if (type === null) return STRING;
  if (type.kind === 'list') return { kind: 'list', item: settle(type.item) };
  if (type.kind !== 'struct') return type;
  return type.fields.size === 0
    ? JSON_TYPE
    : { kind: 'struct', fields: new Map([...type.fields].map(([name, field]) => [name, settle(field)])) };
};

/** Bytes travel as `{"base64": "…"}`. */
const isBytes = (value: object): boolean => Object.keys(value).length === 1 && 'base64' in value && typeof value.base64 === 'string';

const isNumber = ({ kind }: ColumnType): boolean => kind === 'int' || kind === 'double';

const WORDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  double: 'a number',
  string: 'a text',
  boolean: 'true or false',
  list: 'a list',
  struct: 'an object',
  binary: 'bytes',
};

const mixed = (before: ColumnType, now: ColumnType, { record, column }: Where) =>
  new DataOpsException(
    `Record ${record} has ${WORDS[now.kind]} in ${JSON.stringify(column)} where others have ${WORDS[before.kind]}; make them alike or give the column a type in schema.`,
    {
      context: { record, column },
    },
  );
