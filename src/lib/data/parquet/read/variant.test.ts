import { describe, expect, test } from 'vitest';
import { byteArrays, type ColumnBytes, type Element, int32s, levels, parquetFile, run } from '../../../../../test/support/parquet-bytes.ts';
import { parquetRows } from '../../../../../test/support/parquet-rows.ts';
import { readVariant, readVariantNames } from './variant.ts';

const NO_NAMES = Uint8Array.of(1, 0, 0);
/** The names a and b. */
const NAMES = Uint8Array.of(1, 2, 0, 1, 2, 0x61, 0x62);
const int8 = (value: number) => [0x0c, value];
const text = (value: string) => [(value.length << 2) | 1, ...Buffer.from(value)];

const BYTES = { repetition: 'OPTIONAL', type: 'BYTE_ARRAY' } as const;
const METADATA: Element = { name: 'metadata', repetition: 'REQUIRED', type: 'BYTE_ARRAY' };
const VALUE: Element = { name: 'value', ...BYTES };
const variant = (...children: readonly Element[]): Element => ({
  name: 'v',
  repetition: 'OPTIONAL',
  logical: 'VARIANT',
  children: [METADATA, ...children],
});
const metadata = (...values: readonly Uint8Array[]): ColumnBytes => ({
  path: ['v', 'metadata'],
  type: 'BYTE_ARRAY',
  pages: [{ count: values.length, definitions: run(values.length, 1), values: byteArrays(...values) }],
});
const bytesAt = (path: readonly string[], definitions: readonly number[], ...values: readonly number[][]): ColumnBytes => ({
  path: ['v', ...path],
  type: 'BYTE_ARRAY',
  pages: [
    {
      count: definitions.length,
      definitions: levels(...definitions),
      values: byteArrays(...values.map((value) => Uint8Array.from(value))),
    },
  ],
});
const intsAt = (path: readonly string[], definitions: readonly number[], ...values: readonly number[]): ColumnBytes => ({
  path: ['v', ...path],
  type: 'INT32',
  pages: [{ count: definitions.length, definitions: levels(...definitions), values: int32s(...values) }],
});

describe('a variant in a file', () => {
  test('is read where it is whole', async () => {
    const file = parquetFile(
      3,
      [variant(VALUE)],
      [metadata(NO_NAMES, NO_NAMES, NO_NAMES), bytesAt(['value'], [2, 2, 2], int8(34), text('hi'), [0])],
    );
    expect(await parquetRows(file)).toEqual([{ v: 34 }, { v: 'hi' }, { v: null }]);
  });

  test('is read where its values have a column of their own', async () => {
    const file = parquetFile(
      3,
      [variant(VALUE, { name: 'typed_value', repetition: 'OPTIONAL', type: 'INT32' })],
      [metadata(NO_NAMES, NO_NAMES, NO_NAMES), bytesAt(['value'], [1, 2, 1], text('x')), intsAt(['typed_value'], [2, 1, 2], 7, 8)],
    );
    expect(await parquetRows(file)).toEqual([{ v: 7 }, { v: 'x' }, { v: 8 }]);
  });

  const field: Element = {
    name: 'a',
    repetition: 'REQUIRED',
    children: [VALUE, { name: 'typed_value', repetition: 'OPTIONAL', type: 'INT32' }],
  };
  const shredded = variant(VALUE, { name: 'typed_value', repetition: 'OPTIONAL', children: [field] });
  const restWith = (id: number) => [0x02, 1, id, 0, 2, ...int8(5)];

  test('is put together from fields in columns and the rest', async () => {
    const file = parquetFile(
      4,
      [shredded],
      [
        metadata(NAMES, NAMES, NAMES, NAMES),
        bytesAt(['value'], [1, 2, 2, 1], restWith(1), text('no object')),
        bytesAt(['typed_value', 'a', 'value'], [2, 3, 1, 2], text('t')),
        intsAt(['typed_value', 'a', 'typed_value'], [3, 2, 1, 2], 7),
      ],
    );
    expect(await parquetRows(file)).toEqual([{ v: { a: 7 } }, { v: { a: 't', b: 5 } }, { v: 'no object' }, { v: {} }]);
  });

  test('is put together from items in columns', async () => {
    const item: Element = { ...field, name: 'element' };
    const list: Element = {
      name: 'typed_value',
      repetition: 'OPTIONAL',
      converted: 'LIST',
      children: [{ name: 'list', repetition: 'REPEATED', children: [item] }],
    };
    const entries = { count: 4, repetitions: levels(0, 1, 0, 0) };
    const at = (name: string) => ['v', 'typed_value', 'list', 'element', name];
    const file = parquetFile(
      3,
      [variant(VALUE, list)],
      [
        metadata(NO_NAMES, NO_NAMES, NO_NAMES),
        bytesAt(['value'], [1, 1, 2], text('x')),
        {
          path: at('value'),
          type: 'BYTE_ARRAY',
          pages: [{ ...entries, definitions: levels(3, 4, 2, 1), values: byteArrays(Uint8Array.from(text('i'))) }],
        },
        { path: at('typed_value'), type: 'INT32', pages: [{ ...entries, definitions: levels(4, 3, 2, 1), values: int32s(1) }] },
      ],
    );
    expect(await parquetRows(file)).toEqual([{ v: [1, 'i'] }, { v: [] }, { v: 'x' }]);
  });

  test.each<[words: string, file: () => Buffer]>([
    [
      'a variant has two values',
      () =>
        parquetFile(
          1,
          [variant(VALUE, { name: 'typed_value', repetition: 'OPTIONAL', type: 'INT32' })],
          [metadata(NO_NAMES), bytesAt(['value'], [2], int8(1)), intsAt(['typed_value'], [2], 2)],
        ),
    ],
    [
      'a field of a variant has two values',
      () =>
        parquetFile(
          1,
          [shredded],
          [
            metadata(NAMES),
            bytesAt(['value'], [2], restWith(0)),
            bytesAt(['typed_value', 'a', 'value'], [2]),
            intsAt(['typed_value', 'a', 'typed_value'], [3], 7),
          ],
        ),
    ],
    [
      'a part of a variant has a type that variants do not have',
      () =>
        parquetFile(
          1,
          [variant(VALUE, { name: 'typed_value', repetition: 'OPTIONAL', type: 'INT32', isUnsigned: true })],
          [metadata(NO_NAMES), bytesAt(['value'], [1]), intsAt(['typed_value'], [1])],
        ),
    ],
    ['it is a variant with a field "other"', () => parquetFile(0, [variant(VALUE, { ...VALUE, name: 'other' })], [])],
    ['the bytes of a variant end early', () => parquetFile(1, [variant(VALUE)], [metadata(NO_NAMES), bytesAt(['value'], [2], [0x18, 1])])],
  ])('is refused, not null: %s', async (words, file) => {
    await expect(parquetRows(file())).rejects.toMatchObject({ type: 'DataOpsException', message: expect.stringContaining(words) });
  });
});

describe('the bytes of a variant', () => {
  const wide = (kind: number, value: bigint, width: number, ...before: readonly number[]): number[] => [
    kind << 2,
    ...before,
    ...Array.from({ length: width }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn)),
  ];
  test.each<[about: string, bytes: readonly number[], expected: unknown]>([
    ['null', [0], null],
    ['true', [4], true],
    ['false', [8], false],
    ['a short number', [0x0c, 0xff], -1],
    ['a number of two bytes', wide(4, -1234n, 2), -1234],
    ['a number of four bytes', wide(5, 2147483647n, 4), 2147483647],
    ['a number that JSON cannot hold', wide(6, 9007199254740993n, 8), '9007199254740993'],
    ['a double', [0x1c, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f], 1.5],
    ['not a number', [0x38, 0, 0, 0xc0, 0x7f], 'NaN'],
    ['a decimal', wide(8, -12345n, 4, 2), '-123.45'],
    ['a long decimal', wide(10, 12345678901234567890123456789n, 16, 9), '12345678901234567890.123456789'],
    ['a date', wide(11, -1n, 4), '1969-12-31'],
    ['a moment', wide(12, 1n, 8), '1970-01-01T00:00:00.000001Z'],
    ['a moment without an offset', wide(13, 1n, 8), '1970-01-01T00:00:00.000001'],
    ['a moment in nanoseconds', wide(18, -1n, 8), '1969-12-31T23:59:59.999999999Z'],
    ['a time', wide(17, 43_200_000_000n, 8), '12:00:00.000000'],
    ['bytes', [0x3c, 2, 0, 0, 0, 0, 0xff], { base64: 'AP8=' }],
    ['a long text', [0x40, 2, 0, 0, 0, 0xc3, 0xa9], 'é'],
    ['an identifier', [0x50, ...Buffer.from('0199e2c10000700080000123456789ab', 'hex')], '0199e2c1-0000-7000-8000-0123456789ab'],
    ['a list', [0x03, 2, 0, 1, 3, 0, ...int8(7)], [null, 7]],
  ])('%s', (_about, bytes, expected) => {
    expect(readVariant(Uint8Array.from(bytes), readVariantNames(NAMES))).toEqual(expected);
  });

  test('an object may have its values in any order, and any names', () => {
    const names = readVariantNames(Uint8Array.of(1, 2, 0, 9, 10, ...Buffer.from('__proto__b')));
    const value = readVariant(Uint8Array.from([0x02, 2, 0, 1, 2, 0, 3, ...int8(9), 4]), names);
    expect(JSON.stringify(value)).toBe('{"__proto__":true,"b":9}');
  });

  test.each<[about: string, bytes: readonly number[], words: string]>([
    ['values that lie on one another', [0x03, 4, 0, 0, 0, 0, 1, 0x03, 4, 0, 0, 0, 0, 1, 0], 'the values of a variant lie on one another'],
    ['a list longer than its bytes', [0x13, 0xff, 0xff, 0xff, 0xff], 'the bytes of a variant end early'],
    ['a field without a name', [0x02, 1, 9, 0, 1, 0], 'a field of a variant has no name'],
    ['a kind that nobody knows', [25 << 2], 'a value of the unknown kind 25'],
    ['itself', [0x03, 1, 0xfc, 0xfc], 'the bytes of a variant end early'],
  ])('are refused: %s', (_about, bytes, words) => {
    expect(() => readVariant(Uint8Array.from(bytes), readVariantNames(NAMES))).toThrow(words);
  });
});
