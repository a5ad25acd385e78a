import { describe, expect, test } from 'vitest';
import { cpuGrowth } from '../../../test/support/cpu-growth.ts';
import { createCsvParser } from './csv/parser.ts';
import { openJson } from './json/document.ts';
import { readRecords } from './jsonl/records.ts';
import { openParquetWriter } from './parquet/writer.ts';
import { openYaml } from './yaml/document.ts';

// What a text costs grows as the text does. Each of these was quadratic once, or is of the kind that becomes so unnoticed.

const makeError = (message: string) => new Error(message);
const many = (count: number, each: (index: number) => string) => Array.from({ length: count }, (_, index) => each(index)).join('');

/** Between 4, which linear work takes, and 16, which quadratic work takes. */
const MOST = 9;

const yaml = async (text: string) => (await openYaml(Buffer.from(text), { name: 'd', makeError })).get('k0');
const json = (text: string, keyPath: string) => openJson(Buffer.from(text), { name: 'd', makeError }).get(keyPath);
const csv = (text: string) => {
  const parser = createCsvParser({ delimiter: ',', name: 'd' }, () => true);
  try {
    // In pieces, as a file comes.
    for (let at = 0; at < text.length; at += 64 * 1024) parser.push(text.slice(at, at + 64 * 1024));
    parser.end();
  } catch {
    // some of these are refused, which must not take long either
  }
};
const jsonl = async (text: string) => {
  await readRecords(
    (async function* () {
      yield Buffer.from(text);
    })(),
    { name: 'd', encoding: 'utf-8', offset: 0, limit: Number.POSITIVE_INFINITY },
  );
};

const parquet = async (count: number) => {
  const columns = Array.from({ length: count }, (_, at) => ({ name: `c${at}`, type: { kind: 'string' } as const }));
  const writer = await openParquetWriter(columns, async () => {});
  await writer.writeGroup(columns.map(({ name }) => [name]));
  await writer.finish();
};

const TEXTS: readonly [about: string, count: number, text: (count: number) => string, read: (text: string) => unknown][] = [
  ['YAML with many keys in a block', 1_500, (n) => many(n, (i) => `k${i}: 1\n`), yaml],
  ['YAML with many keys in braces', 1_500, (n) => `{${many(n, (i) => `k${i}: 1, `)}}\n`, yaml],
  ['YAML with many anchors and aliases', 800, (n) => many(n, (i) => `k${i}: &x${i} 1\nb${i}: *x${i}\n`), yaml],
  ['YAML with many merges', 500, (n) => many(n, (i) => `k${i}: &x${i} {q: 1}\nb${i}: {<<: *x${i} }\n`), yaml],
  ['JSON with many keys', 20_000, (n) => `{${many(n, (i) => `"k${i}":1,`)}"z":1}`, (text) => json(text, 'z')],
  ['JSON with many items', 40_000, (n) => `[${'1,'.repeat(n)}1]`, (text) => json(text, '-1')],
  ['JSON with many comments', 40_000, (n) => `[1${'/**/'.repeat(n)},${'//\n'.repeat(n)}2]`, (text) => json(text, '1')],
  ['CSV with a field of quotes', 80_000, (n) => `h\n"${'""'.repeat(n)}"\n`, csv],
  ['CSV of nothing but quotes', 200_000, (n) => '"'.repeat(n), csv],
  ['CSV with a field of half characters', 40_000, (n) => `h\n"${'😀""'.repeat(n)}"\n`, csv],
  ['JSON Lines of empty objects', 30_000, (n) => '{}\n'.repeat(n), jsonl],
  ['JSON Lines with long numbers', 4_000, (n) => '{"a":12345678901234567890}\n'.repeat(n), jsonl],
];

describe('takes as much more time as there is more text', () => {
  test.each(TEXTS)('%s', async (_about, count, text, read) => {
    const [small, large] = [text(count), text(4 * count)];
    expect(
      await cpuGrowth(
        () => read(small),
        () => read(large),
      ),
    ).toBeLessThan(MOST);
  });

  test('Parquet with many columns', async () => {
    expect(
      await cpuGrowth(
        () => parquet(500),
        () => parquet(2_000),
      ),
    ).toBeLessThan(MOST);
  });

  test('JSON that is entered level by level', async () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}[${'1,'.repeat(150_000)}1]${'}'.repeat(depth)}`;
    const deep = (depth: number) => {
      const text = nested(depth);
      return () => json(text, Array.from({ length: depth }, () => 'a').join('.'));
    };
    expect(await cpuGrowth(deep(15), deep(60))).toBeLessThan(2);
  });
});
