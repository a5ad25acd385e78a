import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { LARGE, LARGE_BYTES, patience } from '../../support/torture.ts';
import { openRunner, type Runner } from './run-in-process.ts';

const MAX_RSS = 150 * 1024 ** 2;
const KEY = '0123456789abcdef0123456789abcdef';
const LINE = 'line key=value café and some more text to make it as long as lines are\n';
const LINES_PER_BLOCK = 10_000;
const BLOCK = Buffer.from(LINE.repeat(LINES_PER_BLOCK));
const BLOCKS = Math.ceil(LARGE_BYTES / BLOCK.length);
const BYTES = BLOCKS * BLOCK.length;
const LINES = BLOCKS * LINES_PER_BLOCK;

let runner: Runner;
let dir: ReturnType<typeof tempDir>;

beforeAll(() => {
  runner = openRunner();
  dir = tempDir();
  const file = openSync(dir.at('big.txt'), 'w');
  for (let block = 0; block < BLOCKS; block += 1) writeSync(file, BLOCK);
  closeSync(file);
}, 300_000);
afterAll(() => {
  runner[Symbol.dispose]();
  dir[Symbol.dispose]();
});

/** Runs commands one by one in a process with a small heap; gives their values. */
const run = async (...actions: readonly (readonly [string, ...unknown[]])[]): Promise<unknown[]> => {
  const ended = await runner.start(dir.path, actions, ['--max-old-space-size=96']).ended;
  expect(ended?.result.results.map(({ status, error }) => error ?? status)).toEqual(actions.map(() => 'ok'));
  expect(ended?.maxRssBytes).toBeLessThan(MAX_RSS);
  return ended?.result.results.map(({ value }) => value) ?? [];
};

const TIMEOUT = patience(600_000);
const parts = [0, 1, 2, 3, 4].map((at) => join('parts', `big.txt.part00${at}`));

test(`${LARGE} are counted, encrypted and decrypted in little memory`, TIMEOUT, async () => {
  const values = await run(
    ['FA_line_count', ['big.txt']],
    ['FA_encrypt_file', ['big.txt', 'big.enc', KEY]],
    ['FA_decrypt_file', ['big.enc', 'back.txt', KEY]],
    ['FA_line_count', ['back.txt']],
  );
  expect(values).toMatchObject([LINES, { plaintext_bytes: BYTES }, { plaintext_bytes: BYTES }, LINES]);
  for (const name of ['big.enc', 'back.txt']) rmSync(dir.at(name));
});

test(`${LARGE} are cut and joined in little memory`, TIMEOUT, async () => {
  await run(['FA_file_split', ['big.txt', Math.ceil(BYTES / 5), 'parts']], ['FA_file_merge', [parts, 'joined.txt']]);
  expect(statSync(dir.at('joined.txt')).size).toBe(BYTES);
  rmSync(dir.at('parts'), { recursive: true });
  rmSync(dir.at('joined.txt'));
});

test(`${LARGE} are changed in little memory`, TIMEOUT, async () => {
  const values = await run(
    ['FA_encoding_convert', ['big.txt', 'big.txt', 'utf-8', 'latin-1']],
    ['FA_sed_replace', { file_path: 'big.txt', pattern: 'value', replacement: 'VALUE', encoding: 'latin-1' }],
    [
      'FA_sed_replace',
      { file_path: 'big.txt', pattern: '(?m)^(\\w+) key=(VALUE)', replacement: '\\2 \\1', regex: true, encoding: 'latin-1' },
    ],
  );
  expect(values).toEqual([true, LINES, LINES]);
  const first = Buffer.alloc(LINE.length);
  const file = openSync(dir.at('big.txt'), 'r');
  readSync(file, first);
  closeSync(file);
  expect(first.toString('latin1').split('\n')[0]).toBe('VALUE line café and some more text to make it as long as lines are');
});
