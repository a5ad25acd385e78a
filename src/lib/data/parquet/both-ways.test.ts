import fc from 'fast-check';
import { Compression, Encoding, readParquet as readForeign, WriterPropertiesBuilder, WriterVersion, writeParquet } from 'parquet-wasm';
import { describe, expect, test } from 'vitest';
import { arrowColumns } from '../../../../test/support/arrow-table.ts';
import { parquetRows as read } from '../../../../test/support/parquet-rows.ts';
import { writeRecords } from './write-records.ts';

type Row = Readonly<Record<string, unknown>>;

const write = async (records: readonly Row[], schema: Row = {}): Promise<Buffer> => {
  const parts: Buffer[] = [];
  await writeRecords(records, schema, async (bytes) => void parts.push(Buffer.from(bytes)));
  return Buffer.concat(parts);
};

/** Every type: its word, values as JSON, what Arrow calls it and makes of them, and what is left when Arrow writes it without the meaning. */
const TYPES: [type: unknown, values: unknown[], format: string, arrow: unknown[], plain?: unknown[]][] = [
  ['boolean', [true, null, false], 'b', [true, null, false]],
  ['int8', [-128, 127, null], 'c', [-128n, 127n, null]],
  ['int16', [-32768, null, 32767], 's', [-32768n, null, 32767n]],
  ['int32', [-2147483648, 2147483647], 'i', [-2147483648n, 2147483647n]],
  [
    'int64',
    ['-9223372036854775808', 9007199254740991, '9007199254740993', null],
    'l',
    [-9223372036854775808n, 9007199254740991n, 9007199254740993n, null],
  ],
  ['uint8', [0, 255], 'C', [0n, 255n]],
  ['uint16', [65535, null], 'S', [65535n, null]],
  ['uint32', [4294967295, 1], 'I', [4294967295n, 1n]],
  ['uint64', ['18446744073709551615', 7, null], 'L', [18446744073709551615n, 7n, null]],
  ['float', [1.5, null, -0.25], 'f', [1.5, null, -0.25]],
  ['double', [0.1, 'NaN', '-Infinity', null, 1e300], 'g', [0.1, Number.NaN, Number.NEGATIVE_INFINITY, null, 1e300]],
  ['decimal(9,2)', ['-1234567.89', '0.10', null], 'd:9,2', [-123456789n, 10n, null]],
  ['decimal(18,0)', ['999999999999999999', '-1'], 'd:18,0', [999999999999999999n, -1n]],
  [
    'decimal(38,10)',
    ['-1234567890123456789012345678.0123456789', '0.0000000001'],
    'd:38,10',
    [-12345678901234567890123456780123456789n, 1n],
  ],
  ['string', ['é😀', '', null, 'x'.repeat(5_000)], 'u', ['é😀', '', null, 'x'.repeat(5_000)]],
  ['binary', [{ base64: 'AP8=' }, null, { base64: '' }], 'z', ['00ff', null, '']],
  ['json', [{ a: [1, null] }, 'text', 5, null], 'u', ['{"a":[1,null]}', '"text"', '5', null], ['{"a":[1,null]}', '"text"', '5', null]],
  [
    'uuid',
    ['0199e2c1-0000-7000-8000-0123456789ab', null],
    'w:16',
    ['0199e2c10000700080000123456789ab', null],
    [{ base64: 'AZniwQAAcACAAAEjRWeJqw==' }, null],
  ],
  ['date', ['1969-12-31', '2026-01-31', null], 'tdD', [-1n, 20484n, null]],
  ['time(ms)', ['23:59:59.999', null], 'ttm', [86399999n, null]],
  ['time', ['00:00:00.000001', '12:00:00.000000'], 'ttu', [1n, 43200000000n]],
  ['time(ns)', ['12:34:56.123456789'], 'ttn', [45296123456789n]],
  ['timestamp(ms)', ['2026-01-31T13:05:00.250Z', null], 'tsm:UTC', [1769864700250n, null]],
  ['timestamp', ['1960-01-01T00:00:00.000001Z'], 'tsu:UTC', [-315619199999999n]],
  ['timestamp(ns)', ['2026-01-31T13:05:00.123456789Z'], 'tsn:UTC', [1769864700123456789n]],
  ['local_timestamp', ['2026-01-31T13:05:00.000000', null], 'tsu:', [1769864700000000n, null]],
  [['int64'], [[1, null, '9007199254740993'], [], null], '+l', [[1n, null, 9007199254740993n], [], null]],
  [[['string']], [[['a'], [], null, ['b', null]], null], '+l', [[['a'], [], null, ['b', null]], null]],
  [
    { a: 'int32', b: ['string'], c: { d: 'date' } },
    [{ a: 1, b: ['x'], c: { d: '2026-01-01' } }, null, { a: null, b: null, c: null }],
    '+s',
    [{ a: 1n, b: ['x'], c: { d: 20454n } }, null, { a: null, b: null, c: null }],
  ],
  [
    [{ k: 'string', v: 'double' }],
    [[{ k: 'a', v: 1 }, null, { k: null, v: null }], []],
    '+l',
    [[{ k: 'a', v: 1 }, null, { k: null, v: null }], []],
  ],
  [
    { '*': 'int64' },
    [{ k: 1, toString: null }, {}, null],
    '+m',
    [
      [
        { key: 'k', value: 1n },
        { key: 'toString', value: null },
      ],
      [],
      null,
    ],
  ],
];

describe('every column type', () => {
  test.each(TYPES)('%j', async (type, values, format, arrow, plain = values) => {
    const records = values.map((value) => ({ column: value }));
    const ours = await write(records, { column: type });
    // We read what we wrote.
    expect(await read(ours)).toEqual(records);
    // Others read what we wrote.
    expect(arrowColumns(ours)).toEqual([{ name: 'column', format, values: arrow }]);
    // We read what others write.
    expect(await read(writeParquet(readForeign(ours)))).toEqual(plain.map((value) => ({ column: value })));
  });
});

describe('files of others', () => {
  const records = Array.from({ length: 5_000 }, (_, index) => ({
    id: index,
    name: index % 7 === 0 ? null : `name ${index % 50}`,
    price: index / 8,
    tags: index % 3 === 0 ? [] : [`t${index % 5}`, null],
  }));

  test.each(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD', 'LZ4_RAW'] as const)(
    'compressed by %s are read, whole and in part',
    async (codec) => {
      const properties = new WriterPropertiesBuilder()
        .setCompression(Compression[codec])
        .setMaxRowGroupSize(1_000)
        .setDataPageSizeLimit(2_000)
        .build();
      const file = writeParquet(readForeign(await write(records)), properties);
      expect(await read(file)).toEqual(records);
      expect(await read(file, { offset: 1_990, limit: 20 })).toEqual(records.slice(1_990, 2_010));
      expect(await read(file, { columns: ['tags', 'id'], limit: 3 })).toEqual(records.slice(0, 3).map(({ id, tags }) => ({ tags, id })));
    },
  );

  test.each(['PLAIN', 'DELTA_BINARY_PACKED'] as const)('of version 2 with the encoding %s are read', async (encoding) => {
    const numbers = records.map(({ id }) => ({ id }));
    const properties = new WriterPropertiesBuilder()
      .setWriterVersion(WriterVersion.V2)
      .setDictionaryEnabled(false)
      .setEncoding(Encoding[encoding])
      .build();
    expect(await read(writeParquet(readForeign(await write(numbers)), properties))).toEqual(numbers);
  });
});

describe('the encodings of others', () => {
  const texts = Array.from({ length: 3_000 }, (_, index) => ({
    t: index % 11 === 0 ? null : `prefix ${Math.floor(index / 10)} ${index}`,
    d: index / 7,
  }));

  test.each(['DELTA_LENGTH_BYTE_ARRAY', 'DELTA_BYTE_ARRAY'] as const)('%s is read', async (encoding) => {
    const properties = new WriterPropertiesBuilder().setDictionaryEnabled(false).setColumnEncoding('t', Encoding[encoding]).build();
    expect(await read(writeParquet(readForeign(await write(texts)), properties))).toEqual(texts);
  });

  test('differences that overflow are read', async () => {
    const extremes = ['-9223372036854775808', '9223372036854775807', 0, -1, '9223372036854775807', '-9223372036854775808', 5];
    const numbers = Array.from({ length: 300 }, (_, index) => ({
      wide: extremes[index % 7],
      narrow: index % 3 === 0 ? 2147483647 : -2147483648 + index,
    }));
    const properties = new WriterPropertiesBuilder().setDictionaryEnabled(false).setEncoding(Encoding.DELTA_BINARY_PACKED).build();
    expect(await read(writeParquet(readForeign(await write(numbers, { wide: 'int64', narrow: 'int32' })), properties))).toEqual(numbers);
  });

  test('BYTE_STREAM_SPLIT is read', async () => {
    const properties = new WriterPropertiesBuilder().setDictionaryEnabled(false).setColumnEncoding('d', Encoding.BYTE_STREAM_SPLIT).build();
    expect(await read(writeParquet(readForeign(await write(texts)), properties))).toEqual(texts);
  });
});

describe('types that nobody named', () => {
  test('are told by the values', async () => {
    const records = [
      { i: 1, d: 1, s: 'x', b: true, n: null, l: [1], o: { p: 1 }, y: { base64: 'AA==' }, e: {}, v: [] },
      { i: null, d: 0.5, l: [null, 2], o: { q: 'r' } },
    ];
    const file = await write(records);
    expect(arrowColumns(file).map(({ name, format }) => [name, format])).toEqual([
      ['i', 'l'],
      ['d', 'g'],
      ['s', 'u'],
      ['b', 'b'],
      ['n', 'u'],
      ['l', '+l'],
      ['o', '+s'],
      ['y', 'z'],
      ['e', 'u'],
      ['v', '+l'],
    ]);
    expect(await read(file)).toEqual([
      { i: 1, d: 1, s: 'x', b: true, n: null, l: [1], o: { p: 1, q: null }, y: { base64: 'AA==' }, e: {}, v: [] },
      { i: null, d: 0.5, s: null, b: null, n: null, l: [null, 2], o: { p: null, q: 'r' }, y: null, e: null, v: null },
    ]);
  });

  test('columns named like prototypes are columns', async () => {
    const records: Row[] = [JSON.parse('{"__proto__":1,"constructor":"x"}'), { toString: 2 }];
    const rows = await read(await write(records));
    expect(JSON.stringify(rows)).toBe(
      '[{"__proto__":1,"constructor":"x","toString":null},{"__proto__":null,"constructor":null,"toString":2}]',
    );
    expect(await read(await write([{ m: JSON.parse('{"__proto__":1}') }], { m: { '*': 'int64' } }))).toEqual([
      { m: JSON.parse('{"__proto__":1}') },
    ]);
  });

  test('no records but a schema make an empty file', async () => {
    const file = await write([], { a: 'int64' });
    expect(await read(file)).toEqual([]);
    expect(arrowColumns(file)).toEqual([{ name: 'a', format: 'l', values: [] }]);
  });
});

describe('refusals', () => {
  test.each<[about: string, records: readonly Row[], schema: Row, message: string]>([
    ['mixed values', [{ a: 1 }, { a: 'x' }], {}, 'Record 1 has a text in "a" where others have a whole number'],
    [
      'mixed values inside',
      [{ a: [{ b: true }] }, { a: [{ b: [] }] }],
      {},
      'Record 1 has a list in "a[].b" where others have true or false',
    ],
    ['a number too large', [{ a: 128 }], { a: 'int8' }, 'Record 0 has no whole number of 8 bits in "a"'],
    ['a fraction', [{ a: 1.5 }], { a: 'int64' }, 'no whole number of 64 bits'],
    ['a negative number without sign', [{ a: '-1' }], { a: 'uint64' }, 'without a sign'],
    ['more digits than a decimal has', [{ a: '1.234' }], { a: 'decimal(9,2)' }, 'no decimal of 9 digits with 2 behind the point'],
    ['a day the calendar lacks', [{ a: '2026-02-30' }], { a: 'date' }, 'no date like 2026-01-31'],
    ['a moment without offset', [{ a: '2026-01-31T00:00:00' }], { a: 'timestamp' }, 'no moment with an offset'],
    ['a moment that is too fine', [{ a: '2026-01-31T00:00:00.0001Z' }], { a: 'timestamp(ms)' }, 'as fine as ms'],
    [
      'a field that the type lacks',
      [{ a: { c: 1 } }],
      { a: { b: 'int64' } },
      'Record 0 has a field "a.c" that the type of its column does not name',
    ],
    ['an unknown type', [], { a: 'number' }, 'The type of "a" is unknown; use boolean, int8 to int64'],
    ['an impossible decimal', [], { a: 'decimal(39,2)' }, 'use 1 to 38 digits'],
    ['no columns at all', [{}], {}, 'Nothing tells the columns'],
  ])('%s', async (_about, records, schema, message) => {
    await expect(write(records, schema)).rejects.toMatchObject({ type: 'DataOpsException', message: expect.stringContaining(message) });
  });

  test('an unknown column is named with its nearest', async () => {
    await expect(read(await write([{ price: 1 }]), { columns: ['prise'] })).rejects.toThrow(
      'a.parquet has no column "prise"; did you mean price?',
    );
  });

  test.each<[about: string, change: (file: Buffer) => Uint8Array]>([
    ['no Parquet', () => Buffer.from('PAR1 but no more')],
    ['cut', (file) => file.subarray(0, file.byteLength - 20)],
    ['empty', () => Buffer.alloc(0)],
    ['without its start', (file) => file.subarray(40)],
  ])('a file that is %s', async (_about, change) => {
    const file = await write(Array.from({ length: 100 }, (_, index) => ({ a: index })));
    await expect(read(change(file))).rejects.toMatchObject({
      type: 'DataOpsException',
      message: expect.stringContaining('a.parquet cannot be read as Parquet'),
    });
  });

  test('a count that would make the library write until the process dies', async () => {
    const file = await write(Array.from({ length: 56 }, (_, index) => ({ a: index % 2 === 0 ? index : null })));
    // One bit a row says whether there is a value; before them stands how many there are.
    const levels = file.indexOf(Buffer.alloc(6, 0x55));
    Buffer.from([0xfe, 0xff, 0xff, 0xff, 0x0f]).copy(file, levels - 1);
    await expect(read(file)).rejects.toThrow('a.parquet cannot be read as Parquet: column "a": a run has too many values');
  });

  test('any damage is refused or harmless', async () => {
    const file = await write(
      Array.from({ length: 60 }, (_, index) => ({ i: index, s: `v${index % 7}`, l: [index, null], b: index % 3 === 0 })),
    );
    const damage = fc.tuple(
      fc.nat(file.byteLength - 5),
      fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 3 }), fc.constant(Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 0x0f))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
        const broken = Buffer.from(file);
        for (const [at, bytes] of damages) broken.set(bytes.subarray(0, broken.byteLength - at), at);
        const answer = await read(broken).catch((fault: unknown) => fault);
        if (!Array.isArray(answer)) expect(answer).toMatchObject({ type: 'DataOpsException' });
      }),
      { numRuns: 500 },
    );
  });

  test('an answer that would fill the memory', async () => {
    const file = await write([{ a: ['x'.repeat(60_000)] }, ...Array.from({ length: 1_200 }, () => ({ a: ['x'.repeat(60_000)] }))]);
    await expect(read(file)).rejects.toThrow('ask for fewer with limit, offset and columns');
    expect(await read(file, { limit: 2, offset: 1_000 })).toHaveLength(2);
  });
});
