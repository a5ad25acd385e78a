import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { arrowColumns } from '../../../test/support/arrow-table.ts';
import { bytesOf, type CorpusBody } from '../../../test/support/corpus-body.ts';
import { cpuGrowth } from '../../../test/support/cpu-growth.ts';
import { openHouse } from '../../../test/support/house.ts';

interface Case {
  readonly id: string;
  readonly op: 'to_jsonl' | 'filter';
  readonly text?: string;
  readonly parts?: CorpusBody;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly expect: {
    readonly ok: boolean;
    readonly rows?: readonly unknown[];
    readonly lines?: readonly string[];
    readonly text?: string;
    readonly count?: number;
    readonly max_rss_growth_mib?: number;
  };
  readonly why: string;
}

const { cases }: { readonly cases: readonly Case[] } = JSON.parse(readFileSync('test/fixtures/corpus/csv-odd.json', 'utf8'));

const argsOf = ({ op, delimiter, encoding, options = {} }: Case) => {
  const { target, ...rest } = options;
  const output = target === 'same as src' ? 'a.csv' : `out.${op === 'filter' ? 'csv' : 'jsonl'}`;
  return {
    src: 'a.csv',
    target: output,
    ...(delimiter !== undefined && { delimiter }),
    ...(encoding !== undefined && { encoding }),
    ...rest,
  };
};

describe('odd files', () => {
  const small = cases.filter(({ expect: { max_rss_growth_mib } }) => max_rss_growth_mib === undefined);
  test.each(small.map((each) => [each.id, each.why, each] as const))('%s: %s', async (_id, _why, each) => {
    const { op, text, parts, expect: wanted } = each;
    await using house = openHouse({ files: { 'a.csv': bytesOf(parts ?? text ?? '') } });
    const args = argsOf(each);
    const { results } = await house.run([[`FA_csv_${op}`, args]]);
    expect(results[0]).toMatchObject(wanted.ok ? { status: 'ok' } : { status: 'failed', error: { type: 'DataOpsException' } });
    if (!wanted.ok) return expect(readdirSync(house.dir.path)).toEqual(['a.csv']);
    const written = house.dir.read(args.target) ?? '';
    if (wanted.rows !== undefined) {
      expect(
        written
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      ).toEqual(wanted.rows);
      expect(results[0]?.value).toBe(wanted.rows.length);
    }
    if (wanted.lines !== undefined) expect(written).toBe(wanted.lines.map((line) => `${line}\n`).join(''));
    if (wanted.text !== undefined) expect(written).toBe(wanted.text);
    if (wanted.count !== undefined) expect(results[0]?.value).toBe(wanted.count);
  });
});

test('110 MB are streamed: memory stays flat', { timeout: 300_000 }, async () => {
  const big = cases.find(({ id }) => id === 'big');
  await using house = openHouse();
  writeFileSync(house.dir.at('a.csv'), bytesOf(big?.parts ?? ''));
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, 5);
  const { results } = await house.run([['FA_csv_to_jsonl', ['a.csv', 'a.jsonl']]]);
  clearInterval(watch);
  expect(results[0]?.value).toBe(big?.expect.count);
  expect((highest - before) / 2 ** 20).toBeLessThan(big?.expect.max_rss_growth_mib ?? 0);
});

describe('filtering', () => {
  test('short rows are filled, the encoding stays, and one empty column is still a row', async () => {
    await using house = openHouse({ files: { 'a.csv': Buffer.from('a;b\né;1\nx\n', 'latin1'), 'one.csv': 'a,b\n,1\n' } });
    const { results } = await house.run([
      ['FA_csv_filter', { src: 'a.csv', target: 'b.csv', delimiter: ';', encoding: 'latin-1' }],
      ['FA_csv_filter', { src: 'one.csv', target: 'two.csv', columns: ['a'] }],
    ]);
    expect(results.map(({ value }) => value)).toEqual([2, 1]);
    expect(readFileSync(house.dir.at('b.csv')).toString('latin1')).toBe('a;b\r\né;1\r\nx;\r\n');
    expect(house.dir.read('two.csv')).toBe('a\r\n""\r\n');
  });

  test('a misspelt or doubled column is told', async () => {
    await using house = openHouse({ files: { 'a.csv': 'city,name\n' } });
    const { results } = await house.run([
      ['FA_csv_filter', { src: 'a.csv', target: 'b.csv', columns: ['ctiy'] }],
      ['FA_csv_filter', { src: 'a.csv', target: 'b.csv', columns: ['name', 'name'] }],
    ]);
    expect(results.map(({ error }) => error?.message)).toEqual([
      'No column is named "ctiy"; did you mean city?',
      'columns names "name" twice; name each column once.',
    ]);
  });
});

describe('converting to Parquet', () => {
  test('gives text columns that others read, null where a row is short', async () => {
    await using house = openHouse({ files: { 'a.csv': 'id,name\n007,"Ann\n😀"\n8\n' } });
    const { results } = await house.run([
      ['FA_csv_to_parquet', ['a.csv', 'a.parquet']],
      ['FA_parquet_read', ['a.parquet']],
    ]);
    expect(results.map(({ value }) => value)).toEqual([
      2,
      [
        { id: '007', name: 'Ann\n😀' },
        { id: '8', name: null },
      ],
    ]);
    expect(arrowColumns(readFileSync(house.dir.at('a.parquet')))).toEqual([
      { name: 'id', format: 'u', values: ['007', '8'] },
      { name: 'name', format: 'u', values: ['Ann\n😀', null] },
    ]);
  });

  test('writes groups of rows, each of which fits in memory', async () => {
    const rows = Array.from({ length: 120_000 }, (_, index) => `${index},value ${index % 1_000},${'x'.repeat(index % 60)}`);
    await using house = openHouse({ files: { 'a.csv': `id,v,w\n${rows.join('\n')}\n` } });
    const { results } = await house.run([
      ['FA_csv_to_parquet', ['a.csv', 'a.parquet']],
      ['FA_parquet_read', { path: 'a.parquet', offset: 119_999 }],
    ]);
    expect(results.map(({ value }) => value)).toEqual([120_000, [{ id: '119999', v: 'value 999', w: 'x'.repeat(119_999 % 60) }]]);
    expect(arrowColumns(readFileSync(house.dir.at('a.parquet')))[0]?.values).toHaveLength(120_000);
  });

  test('a file without a header or with a bad row leaves nothing', async () => {
    await using house = openHouse({ files: { 'none.csv': '\n', 'bad.csv': 'a,b\n1,2,3\n', 'head.csv': 'a,b\n' } });
    const { results } = await house.run([
      ['FA_csv_to_parquet', ['none.csv', 'x.parquet']],
      ['FA_csv_to_parquet', ['bad.csv', 'x.parquet']],
    ]);
    expect(results.map(({ error }) => error?.message)).toEqual([
      'none.csv has no header; write the column names on its first line.',
      expect.stringContaining('bad.csv, line 2: the row has 3 fields'),
    ]);
    expect(readdirSync(house.dir.path).sort()).toEqual(['bad.csv', 'head.csv', 'none.csv']);
    const { results: empty } = await house.run([['FA_csv_to_parquet', ['head.csv', 'head.parquet']]]);
    expect(empty[0]?.value).toBe(0);
    expect(arrowColumns(readFileSync(house.dir.at('head.parquet'))).map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

describe('every conversion', () => {
  const ACTIONS = [
    ['FA_csv_filter', ['a.csv', 'out']],
    ['FA_csv_to_jsonl', ['a.csv', 'out']],
    ['FA_csv_to_parquet', ['a.csv', 'out']],
  ] as const;

  test.each(ACTIONS)('%s can be cancelled and leaves the old target', async (name, args) => {
    await using house = openHouse({ files: { 'a.csv': `a,b\n${'1,2\n'.repeat(400_000)}`, out: 'old' } });
    const stop = new AbortController();
    house.factotum.progress.onChange(() => stop.abort());
    const { status, results } = await house.run([[name, args]], { signal: stop.signal });
    expect([status, results[0]?.status]).toEqual(['cancelled', 'cancelled']);
    expect(readdirSync(house.dir.path).sort()).toEqual(['a.csv', 'out']);
    expect(house.dir.read('out')).toBe('old');
  });

  test.each(ACTIONS)('%s plans what it reads and writes without reading the rows', async (name, args) => {
    await using house = openHouse({ files: { 'a.csv': 'a,b\n1,2,3\n' } });
    const { results } = await house.run({ dry_run: true, actions: [[name, args]] });
    expect(results[0]).toMatchObject({ status: 'planned' });
    expect(results[0]?.plan?.effects.map(({ kind, target }) => [kind, target]).sort()).toEqual([
      ['create', house.dir.at('out')],
      ['read', house.dir.at('a.csv')],
    ]);
    expect(readdirSync(house.dir.path)).toEqual(['a.csv']);
  });

  test.each(ACTIONS)('%s foresees a header that it must refuse', async (name, args) => {
    await using house = openHouse({ files: { 'a.csv': 'a,a\n' } });
    const { results } = await house.run({ dry_run: true, actions: [[name, args]] });
    expect(results[0]).toMatchObject({
      status: 'failed',
      error: { type: 'DataOpsException', message: 'a.csv, line 1: the column "a" stands twice in the header; rename one of them.' },
    });
  });
});

test('many names of columns cost as much more as there are more of them', async () => {
  await using house = openHouse({ files: { 'a.csv': 'a\n1\n' } });
  const filter = (count: number) => {
    const columns = Array.from({ length: count }, (_, at) => `c${at}`);
    return () => house.run([['FA_csv_filter', { src: 'a.csv', target: 'b.csv', columns }]]);
  };
  expect(await cpuGrowth(filter(10_000), filter(40_000))).toBeLessThan(9);
});
