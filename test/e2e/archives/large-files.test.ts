import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { LARGE, LARGE_BYTES, patience } from '../../support/torture.ts';
import { startChild } from './child.ts';

const MAX_RSS = 150 * 1024 ** 2;
const TIMEOUT = patience(900_000);

let dir: TempDir;

/** Much that shrink, but not beyond all proportion. */
beforeAll(() => {
  dir = tempDir();
  let state = 1;
  const block = Buffer.from(
    Array.from({ length: 200_000 }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return `${(state >>> 12).toString(36)} some words of a line\n`;
    }).join(''),
  );
  const file = openSync(dir.at('big'), 'w');
  for (let written = 0; written < LARGE_BYTES; written += block.byteLength) writeSync(file, block);
  closeSync(file);
}, 300_000);
afterAll(() => dir[Symbol.dispose]());

/** Runs commands in a process with a small heap. */
const run = async (...actions: readonly (readonly [string, unknown])[]): Promise<void> => {
  const ended = await startChild(dir.path, actions, ['--max-old-space-size=96']).ended;
  expect(ended?.result.results.map(({ status, error }) => error ?? status)).toEqual(actions.map(() => 'ok'));
  expect(ended?.maxRssBytes).toBeLessThan(MAX_RSS);
};

const expectSame = (name: string) => {
  execFileSync('cmp', [dir.at('big'), dir.at(name)]);
  rmSync(dir.at('x'), { recursive: true });
};

test(`${LARGE} go into a zip file and out again in little memory`, TIMEOUT, async () => {
  await run(['FA_zip_file', { zip_file_path: 'o.zip', file: 'big', level: 1 }], ['FA_unzip_all', ['o.zip', null, 'x']]);
  expectSame('x/big');
  rmSync(dir.at('o.zip'));
});

test(`${LARGE} go into a compressed tar file in little memory`, TIMEOUT, async () => {
  await run(['FA_create_tar', ['big', 'o.tgz']]);
});

test('and out of it', TIMEOUT, async () => {
  await run(['FA_extract_tar', ['o.tgz', 'x']]);
  expectSame('x/big');
  rmSync(dir.at('o.tgz'));
});

test(`${LARGE} go into a plain tar file and out again in little memory`, TIMEOUT, async () => {
  await run(['FA_create_tar', { source: 'big', target: 'o.tar', compression: null }], ['FA_extract_tar', ['o.tar', 'x']]);
  expectSame('x/big');
});
