import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { arrowColumns } from '../../../test/support/arrow-table.ts';
import { openHouse } from '../../../test/support/house.ts';

test('records are written for others and read again, whole or in part', async () => {
  await using house = openHouse();
  const records = [
    { id: '9007199254740993', when: '2026-01-31T13:05:00.000000Z', tags: ['a', null], at: { x: 0.5 } },
    { id: 2, when: null, tags: [], at: null },
  ];
  const { results } = await house.run([
    ['FA_parquet_write', { path: 'a.parquet', records, schema: { id: 'int64', when: 'timestamp' } }],
    ['FA_parquet_read', ['a.parquet']],
    ['FA_parquet_read', { path: 'a.parquet', columns: ['tags', 'id'], offset: 1 }],
    ['FA_parquet_read', { path: 'a.parquet', limit: 0 }],
  ]);
  expect(results.map(({ value }) => value)).toEqual([2, records, [{ tags: [], id: 2 }], []]);
  expect(arrowColumns(readFileSync(house.dir.at('a.parquet'))).map(({ name, format }) => `${name} ${format}`)).toEqual([
    'id l',
    'when tsu:UTC',
    'tags +l',
    'at +s',
  ]);
});

test('what cannot be written leaves the old file, and a dry run knows it', async () => {
  await using house = openHouse({ files: { 'a.parquet': 'old' } });
  const command = ['FA_parquet_write', { path: 'a.parquet', records: [{ a: 1 }, { a: 'x' }] }];
  for (const dry_run of [true, false]) {
    const { results } = await house.run({ dry_run, actions: [command] });
    expect(results[0]?.error).toMatchObject({ type: 'DataOpsException', context: { record: 1, column: 'a' } });
  }
  expect(readdirSync(house.dir.path)).toEqual(['a.parquet']);
  expect(house.dir.read('a.parquet')).toBe('old');
});

test('a missing file and a file that is no Parquet are told apart', async () => {
  await using house = openHouse({ files: { 'a.txt': 'hello' } });
  const { results } = await house.run([
    ['FA_parquet_read', ['none.parquet']],
    ['FA_parquet_read', ['a.txt']],
  ]);
  expect(results.map(({ error }) => error?.type)).toEqual(['FileNotExistsException', 'DataOpsException']);
});

test('reading stops when the run is cancelled', async () => {
  await using house = openHouse();
  await house.run([['FA_parquet_write', { path: 'a.parquet', records: Array.from({ length: 1_000 }, (_, n) => ({ n })) }]]);
  const stop = new AbortController();
  const running = house.run([['FA_parquet_read', ['a.parquet']]], { signal: stop.signal });
  stop.abort();
  expect((await running).status).toBe('cancelled');
});
