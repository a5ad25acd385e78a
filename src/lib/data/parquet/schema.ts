import type { SchemaElement } from 'hyparquet';
import type { Column, ColumnType, TimeUnit } from './column-type.ts';

const UNITS: Readonly<Record<TimeUnit, 'MILLIS' | 'MICROS' | 'NANOS'>> = { ms: 'MILLIS', us: 'MICROS', ns: 'NANOS' };

/** The schema of a file. */
export const schemaOf = (columns: readonly Column[]): SchemaElement[] => [
  { name: 'schema', num_children: columns.length },
  ...columns.flatMap(({ name, type }) => elements(name, type)),
];

/** The elements of one type, parents first. */
const elements = (name: string, type: ColumnType): SchemaElement[] => {
  const element = { name, repetition_type: 'OPTIONAL' } as const;
  switch (type.kind) {
    case 'list':
      return [
        { ...element, converted_type: 'LIST', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        ...elements('element', type.item),
      ];
    case 'map':
      return [
        { ...element, converted_type: 'MAP', num_children: 1 },
        { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
        { name: 'key', repetition_type: 'REQUIRED', type: 'BYTE_ARRAY', converted_type: 'UTF8' },
        ...elements('value', type.value),
      ];
    case 'struct':
      return [{ ...element, num_children: type.fields.size }, ...[...type.fields].flatMap(([field, inner]) => elements(field, inner))];
    default:
      return [{ ...element, ...leaf(type) }];
  }
};

type LeafType = Exclude<ColumnType, { readonly kind: 'list' | 'map' | 'struct' }>;

const leaf = (type: LeafType): Omit<SchemaElement, 'name'> => {
  switch (type.kind) {
    case 'boolean':
      return { type: 'BOOLEAN' };
    case 'float':
      return { type: 'FLOAT' };
    case 'double':
      return { type: 'DOUBLE' };
    case 'string':
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
    case 'json':
      // Without the older mark: by that the library would encode the text once more.
      return { type: 'BYTE_ARRAY', logical_type: { type: 'JSON' } };
    case 'binary':
      return { type: 'BYTE_ARRAY' };
    case 'uuid':
      return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } };
    case 'date':
      return { type: 'INT32', converted_type: 'DATE' };
    case 'int':
      return { type: type.bits === 64 ? 'INT64' : 'INT32', converted_type: `${type.isSigned ? 'INT' : 'UINT'}_${type.bits}` };
    case 'time':
      return {
        type: type.unit === 'ms' ? 'INT32' : 'INT64',
        logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: UNITS[type.unit] },
      };
    case 'timestamp':
      return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: type.isUtc, unit: UNITS[type.unit] } };
    case 'decimal':
      return { converted_type: 'DECIMAL', precision: type.precision, scale: type.scale, ...decimalStorage(type.precision) };
  }
};

const decimalStorage = (precision: number): Omit<SchemaElement, 'name'> => {
  if (precision <= 9) return { type: 'INT32' };
  return precision <= 18 ? { type: 'INT64' } : { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 };
};
