import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { LARGE, LARGE_BYTES, patience } from '../../support/torture.ts';
import { openRunner, type Runner } from '../text-and-crypto/run-in-process.ts';

const MAX_RSS = 150 * 1024 ** 2;
const ROWS_PER_BLOCK = 10_000;
const row = (index: number) =>
  `${index},"said ""hello ${index % 97}""",${'a longer note in plain words with café included; '.repeat(4)}${index % 1_000}\r\n`;
const BLOCK = Buffer.from(Array.from({ length: ROWS_PER_BLOCK }, (_, index) => row(index)).join(''));
const BLOCKS = Math.ceil(LARGE_BYTES / BLOCK.length);
const ROWS = BLOCKS * ROWS_PER_BLOCK;

let runner: Runner;
let dir: ReturnType<typeof tempDir>;

beforeAll(() => {
  runner = openRunner();
  dir = tempDir();
  const file = openSync(dir.at('big.csv'), 'w');
  writeSync(file, 'id,quoted,note\r\n');
  for (let block = 0; block < BLOCKS; block += 1) writeSync(file, BLOCK);
  closeSync(file);
}, 300_000);
afterAll(() => {
  runner[Symbol.dispose]();
  dir[Symbol.dispose]();
});

/** Runs one command in a process with a small heap; gives its value. */
const run = async (...action: readonly unknown[]): Promise<unknown> => {
  const ended = await runner.start(dir.path, [action], ['--max-old-space-size=96']).ended;
  expect(ended?.result.results.map(({ status, error }) => error ?? status)).toEqual(['ok']);
  expect(ended?.maxRssBytes).toBeLessThan(MAX_RSS);
  return ended?.result.results[0]?.value;
};

const lastLine = (name: string): string | undefined => {
  const last = Buffer.alloc(1_000);
  const file = openSync(dir.at(name), 'r');
  const read = readSync(file, last, 0, last.length, statSync(dir.at(name)).size - last.length);
  closeSync(file);
  return last.toString('utf8', 0, read).trimEnd().split('\n').at(-1);
};

const TIMEOUT = patience(900_000);

test(`${LARGE} of CSV become JSON Lines in little memory`, TIMEOUT, async () => {
  expect(await run('FA_csv_to_jsonl', ['big.csv', 'big.jsonl'])).toBe(ROWS);
  expect(JSON.parse(lastLine('big.jsonl') ?? '')).toMatchObject({ id: '9999', quoted: 'said "hello 8"' });
  expect(await run('FA_jsonl_iter', { path: 'big.jsonl', offset: ROWS - 1 })).toHaveLength(1);
  rmSync(dir.at('big.jsonl'));
});

test(`${LARGE} of CSV are filtered in little memory`, TIMEOUT, async () => {
  expect(
    await run('FA_csv_filter', {
      src: 'big.csv',
      target: 'some.csv',
      columns: ['note', 'id'],
      where_column: 'quoted',
      where_equals: 'said "hello 8"',
    }),
  ).toBe(BLOCKS * Array.from({ length: ROWS_PER_BLOCK }, (_, index) => index).filter((index) => index % 97 === 8).length);
  rmSync(dir.at('some.csv'));
});

test(`${LARGE} of CSV become Parquet in little memory`, TIMEOUT, async () => {
  expect(await run('FA_csv_to_parquet', ['big.csv', 'big.parquet'])).toBe(ROWS);
  expect(await run('FA_parquet_read', { path: 'big.parquet', offset: ROWS - 1, columns: ['quoted'] })).toEqual([
    { quoted: 'said "hello 8"' },
  ]);
});
