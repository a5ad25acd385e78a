import { describe, expect, test } from 'vitest';
import { byteArrays, type Element, int32s, levels, parquetFile, run } from '../../../../../test/support/parquet-bytes.ts';
import { parquetRows } from '../../../../../test/support/parquet-rows.ts';

const refusal = async (file: Uint8Array): Promise<unknown> => parquetRows(file).catch((fault: unknown) => fault);

describe('lists', () => {
  test('a repeated field without items is an empty list, never null', async () => {
    const file = parquetFile(
      3,
      [{ name: 'a', repetition: 'REPEATED', type: 'INT32' }],
      [
        {
          path: ['a'],
          type: 'INT32',
          pages: [{ count: 4, repetitions: levels(0, 0, 1, 0), definitions: levels(0, 1, 1, 0), values: int32s(7, 8) }],
        },
      ],
    );
    expect(await parquetRows(file)).toEqual([{ a: [] }, { a: [7, 8] }, { a: [] }]);
  });

  test('a repeated structure inside a null one is not the same as an empty one', async () => {
    const file = parquetFile(
      3,
      [
        {
          name: 's',
          repetition: 'OPTIONAL',
          children: [{ name: 'p', repetition: 'REPEATED', children: [{ name: 'n', repetition: 'REQUIRED', type: 'INT32' }] }],
        },
      ],
      [
        {
          path: ['s', 'p', 'n'],
          type: 'INT32',
          pages: [{ count: 3, repetitions: levels(0, 0, 0), definitions: levels(0, 1, 2), values: int32s(5) }],
        },
      ],
    );
    expect(await parquetRows(file)).toEqual([{ s: null }, { s: { p: [] } }, { s: { p: [{ n: 5 }] } }]);
  });

  test.each<[about: string, list: Element, path: string[], expected: unknown[]]>([
    [
      'a repeated value',
      { name: 'a', repetition: 'OPTIONAL', converted: 'LIST', children: [{ name: 'element', repetition: 'REPEATED', type: 'INT32' }] },
      ['a', 'element'],
      [null, [], [1, 2]],
    ],
    [
      'a repeated structure called array',
      {
        name: 'a',
        repetition: 'OPTIONAL',
        converted: 'LIST',
        children: [{ name: 'array', repetition: 'REPEATED', children: [{ name: 'x', repetition: 'REQUIRED', type: 'INT32' }] }],
      },
      ['a', 'array', 'x'],
      [null, [], [{ x: 1 }, { x: 2 }]],
    ],
    [
      'a repeated structure called like the list',
      {
        name: 'a',
        repetition: 'OPTIONAL',
        converted: 'LIST',
        children: [{ name: 'a_tuple', repetition: 'REPEATED', children: [{ name: 'x', repetition: 'REQUIRED', type: 'INT32' }] }],
      },
      ['a', 'a_tuple', 'x'],
      [null, [], [{ x: 1 }, { x: 2 }]],
    ],
    [
      'a wrapping as it is written today',
      {
        name: 'a',
        repetition: 'OPTIONAL',
        converted: 'LIST',
        children: [{ name: 'list', repetition: 'REPEATED', children: [{ name: 'element', repetition: 'REQUIRED', type: 'INT32' }] }],
      },
      ['a', 'list', 'element'],
      [null, [], [1, 2]],
    ],
  ])('of two levels and of three: %s', async (_about, list, path, expected) => {
    const page = { count: 4, repetitions: levels(0, 0, 0, 1), definitions: levels(0, 1, 2, 2), values: int32s(1, 2) };
    expect(await parquetRows(parquetFile(3, [list], [{ path, type: 'INT32', pages: [page] }]))).toEqual(expected.map((a) => ({ a })));
  });

  test('lists of lists of two levels', async () => {
    const inner: Element = {
      name: 'array',
      repetition: 'REPEATED',
      converted: 'LIST',
      children: [{ name: 'array', repetition: 'REPEATED', type: 'INT32' }],
    };
    const file = parquetFile(
      1,
      [{ name: 'a', repetition: 'REQUIRED', converted: 'LIST', children: [inner] }],
      [
        {
          path: ['a', 'array', 'array'],
          type: 'INT32',
          pages: [{ count: 4, repetitions: levels(0, 2, 1, 2), definitions: run(4, 2), values: int32s(1, 2, 3, 4) }],
        },
      ],
    );
    expect(await parquetRows(file)).toEqual([
      {
        a: [
          [1, 2],
          [3, 4],
        ],
      },
    ]);
  });

  test('a row that goes on in the next page', async () => {
    const pages = [
      { count: 2, repetitions: levels(0, 1), definitions: run(2, 1), values: int32s(1, 2) },
      { count: 3, repetitions: levels(1, 0, 1), definitions: run(3, 1), values: int32s(3, 4, 5) },
    ];
    const file = parquetFile(2, [{ name: 'a', repetition: 'REPEATED', type: 'INT32' }], [{ path: ['a'], type: 'INT32', pages }]);
    expect(await parquetRows(file)).toEqual([{ a: [1, 2, 3] }, { a: [4, 5] }]);
    expect(await parquetRows(file, { offset: 1 })).toEqual([{ a: [4, 5] }]);
  });
});

test('pages of the second kind are passed by where their rows are not wanted', async () => {
  const page = (first: number) => ({
    count: 3,
    rows: 2,
    repetitions: levels(0, 1, 0),
    definitions: run(3, 1),
    values: int32s(first, first + 1, first + 2),
  });
  const file = parquetFile(
    6,
    [{ name: 'a', repetition: 'REPEATED', type: 'INT32' }],
    [{ path: ['a'], type: 'INT32', pages: [page(0), page(10), page(20)] }],
  );
  expect(await parquetRows(file, { offset: 3, limit: 2 })).toEqual([{ a: [12] }, { a: [20, 21] }]);
});

test('pages of the second kind that hold no values are read, compressed or not', async () => {
  const a: Element = { name: 'a', repetition: 'OPTIONAL', type: 'INT32' };
  const nulls = { count: 3, rows: 3, definitions: run(3, 0) };
  for (const codec of [0, 1]) {
    const pages = [nulls, { count: 0, rows: 0 }, nulls];
    const file = parquetFile(6, [a], [{ path: ['a'], type: 'INT32', codec, pages }]);
    expect(await parquetRows(file)).toEqual(Array.from({ length: 6 }, () => ({ a: null })));
  }
});

describe('what is refused by name', () => {
  const INT: Element = { name: 'a', repetition: 'REQUIRED', type: 'INT32' };
  const file = (page: Parameters<typeof parquetFile>[2][number]['pages'][number], more: object = {}) =>
    parquetFile(2, [INT], [{ path: ['a'], type: 'INT32', pages: [page], ...more }]);
  const good = { count: 2, values: int32s(1, 2) };

  test.each<[words: string, file: Buffer]>([
    ['column "a": it is encrypted, which is not supported; have it written without encryption', file(good, { isEncrypted: true })],
    ['it is encrypted', Buffer.concat([file(good).subarray(0, -4), Buffer.from('PARE')])],
    ['column "a": its codec LZO is not supported; name the other columns', file(good, { codec: 3 })],
    ['column "a": it has fewer rows than its group', file({ count: 1, values: int32s(1) })],
    ['column "a": a page has too few values', file({ count: 2, values: int32s(1) })],
    ['column "a": its encoding is unknown and is not supported', file({ ...good, encoding: 'NEW' })],
    [
      'column "a": a page needs a dictionary that the column does not have',
      file({ count: 2, encoding: 'RLE_DICTIONARY', values: Buffer.from([1, 4, 0]) }),
    ],
    ['column "a": a page has another number of rows than it tells', file({ ...good, rows: 1 })],
    [
      'column "s": its columns disagree on what is null',
      parquetFile(
        1,
        [
          {
            name: 's',
            repetition: 'OPTIONAL',
            children: [
              { ...INT, name: 'x' },
              { ...INT, name: 'y' },
            ],
          },
        ],
        [
          { path: ['s', 'x'], type: 'INT32', pages: [{ count: 1, definitions: run(1, 1), values: int32s(1) }] },
          { path: ['s', 'y'], type: 'INT32', pages: [{ count: 1, definitions: run(1, 0) }] },
        ],
      ),
    ],
    [
      'column "m": it is a map without keys and values',
      parquetFile(
        0,
        [
          {
            name: 'm',
            repetition: 'OPTIONAL',
            converted: 'MAP',
            children: [{ name: 'key_value', repetition: 'REPEATED', children: [INT] }],
          },
        ],
        [{ path: ['m', 'key_value', 'a'], type: 'INT32', pages: [] }],
      ),
    ],
    [
      'column "t": a text is not UTF-8',
      parquetFile(
        1,
        [{ name: 't', repetition: 'REQUIRED', type: 'BYTE_ARRAY', converted: 'UTF8' }],
        [{ path: ['t'], type: 'BYTE_ARRAY', pages: [{ count: 1, values: byteArrays(Uint8Array.of(0xff)) }] }],
      ),
    ],
    [
      'column "a": two columns have this name',
      parquetFile(
        2,
        [INT, INT],
        [
          { path: ['a'], type: 'INT32', pages: [good] },
          { path: ['a'], type: 'INT32', pages: [good] },
        ],
      ),
    ],
  ])('%s', async (words, bytes) => {
    expect(await refusal(bytes)).toMatchObject({ type: 'DataOpsException', message: expect.stringContaining(words) });
  });

  test('another column of the same file is read all the same', async () => {
    const twice = parquetFile(
      2,
      [INT, { ...INT, name: 'b' }],
      [
        { path: ['a'], type: 'INT32', pages: [good], isEncrypted: true },
        { path: ['b'], type: 'INT32', pages: [good] },
      ],
    );
    expect(await parquetRows(twice, { columns: ['b'] })).toEqual([{ b: 1 }, { b: 2 }]);
  });
});

describe('damage', () => {
  const values = Array.from({ length: 200 }, (_, index) => index * 3);
  const flat = parquetFile(
    200,
    [{ name: 'a', repetition: 'OPTIONAL', type: 'INT32' }],
    [{ path: ['a'], type: 'INT32', pages: [{ count: 200, definitions: run(200, 1), values: int32s(...values), hasCrc: true }] }],
  );
  const pairs = { count: 200, repetitions: levels(...values.map((_, index) => index % 2)), definitions: run(200, 1) };
  const nested = parquetFile(
    100,
    [{ name: 'a', repetition: 'REPEATED', type: 'INT32' }],
    [{ path: ['a'], type: 'INT32', pages: [{ ...pairs, rows: 100, values: int32s(...values), hasCrc: true }] }],
  );

  test.each<[about: string, file: Buffer, expected: readonly unknown[]]>([
    ['values', flat, values.map((a) => ({ a }))],
    [
      'lists in a page of the second kind',
      nested,
      Array.from({ length: 100 }, (_, index) => ({ a: values.slice(index * 2, index * 2 + 2) })),
    ],
  ])('one flipped bit in a page with a checksum is never read as other values: %s', async (_about, file, expected) => {
    expect(await parquetRows(file)).toEqual(expected);
    const pageEnd = file.byteLength - 8 - file.readUInt32LE(file.byteLength - 8);
    let refused = 0;
    for (let seed = 0; seed < 300; seed += 1) {
      const broken = Buffer.from(file);
      const place = 4 + ((seed * 7919) % (pageEnd - 4));
      broken[place] = (broken[place] ?? 0) ^ (1 << (seed % 8));
      const answer = await refusal(broken);
      if (Array.isArray(answer)) expect(answer).toEqual(expected);
      else {
        expect(answer).toMatchObject({ type: 'DataOpsException' });
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(250);
  });
});

test('a million rows that take a hundred bytes come in batches, and no more than fits into one answer', async () => {
  const rows = 1_000_000;
  const page = { count: rows, repetitions: run(rows, 0), definitions: run(rows, 0) };
  const file = parquetFile(rows, [{ name: 'a', repetition: 'REPEATED', type: 'INT32' }], [{ path: ['a'], type: 'INT32', pages: [page] }]);
  expect(file.byteLength).toBeLessThan(150);
  expect(await parquetRows(file, { offset: rows - 2 })).toEqual([{ a: [] }, { a: [] }]);
  await expect(parquetRows(file, { maxWeight: 1024 * 1024 })).rejects.toMatchObject({
    type: 'DataOpsException',
    message: expect.stringContaining('ask for fewer with limit, offset and columns'),
  });
});
