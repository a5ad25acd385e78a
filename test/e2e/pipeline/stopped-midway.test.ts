import { truncateSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/core/result.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { abortAfter, STOP_REASONS } from '../../support/stop-reasons.ts';

// The actions that take time, on enough data that some of the stops meet them at work. Where nobody else holds a lock, a token or a
// program back, the scene does.

const BIG_BYTES = 24 * 2 ** 20;
const FILES = 120;
const KEY = '0123456789abcdef0123456789abcdef';
const slow = ['FA_run_shell', { argv: ['sleep', '600'], timeout: 900 }];

let house: TestHouse;

beforeAll(async () => {
  const files: Record<string, string> = {
    big: '',
    one: 'x',
    'rows.csv': csv(30_000),
    'lines.txt': 'some words on a line\n'.repeat(100_000),
  };
  for (let at = 0; at < FILES; at += 1) files[`many/${at % 20}/file-${at}.txt`] = `content of ${at % 50}\n`.repeat(100);
  house = openHouse({ files, logLevel: 'error' });
  truncateSync(house.dir.at('big'), BIG_BYTES);
  const { results } = await house.run([
    ['FA_zip_dir', { dir_we_want_to_zip: 'many', zip_name: 'many' }],
    ['FA_create_tar', { source: 'many', target: 'many.tar.gz' }],
    ['FA_encrypt_file', { source: 'big', target: 'big.enc', key: KEY }],
    ['FA_write_manifest', { root: 'many', manifest_path: 'manifest.json' }],
    ['FA_file_split', { file_path: 'big', chunk_size: 2 ** 20, output_dir: 'parts' }],
    ['FA_copy_dir', { dir_path: 'many', target_dir_path: 'copy' }],
    ['FA_lock_acquire', { name: 'taken', db_path: 'locks.sqlite' }],
  ]);
  expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
});
afterAll(() => house[Symbol.asyncDispose]());

const csv = (rows: number) => `a,b,c\n${'1,two,3.5\n'.repeat(rows)}`;
const parts = Array.from({ length: BIG_BYTES / 2 ** 20 }, (_, at) => `parts/big.part${String(at).padStart(3, '0')}`);

type Command = readonly [name: string, args: Readonly<Record<string, unknown>>];

/** One command of each kind; `fresh` is a name that nothing has yet. */
const COMMANDS: readonly ((fresh: string) => Command)[] = [
  (fresh) => ['FA_zip_dir', { dir_we_want_to_zip: 'many', zip_name: fresh }],
  (fresh) => ['FA_zip_file', { zip_file_path: `${fresh}.zip`, file: 'big' }],
  (fresh) => ['FA_zip_file', { zip_file_path: `${fresh}.zip`, file: 'big', password: 'secret' }],
  (fresh) => ['FA_unzip_all', { zip_file_path: 'many.zip', extract_path: fresh }],
  (fresh) => ['FA_create_tar', { source: 'many', target: `${fresh}.tar.gz` }],
  (fresh) => ['FA_create_tar', { source: 'big', target: `${fresh}.tar.zst`, compression: 'zst' }],
  (fresh) => ['FA_extract_tar', { source: 'many.tar.gz', target_dir: fresh }],
  (fresh) => ['FA_extract_archive', { source: 'many.zip', target: fresh }],
  () => ['FA_list_archive', { path: 'many.tar.gz' }],
  (fresh) => ['FA_encrypt_file', { source: 'big', target: fresh, key: KEY }],
  (fresh) => ['FA_decrypt_file', { source: 'big.enc', target: fresh, key: KEY }],
  (fresh) => ['FA_copy_dir', { dir_path: 'many', target_dir_path: fresh }],
  (fresh) => ['FA_copy_file', { file_path: 'big', target_path: fresh }],
  (fresh) => ['FA_sync_dir', { src: 'many', dst: fresh }],
  () => ['FA_diff_dirs', { left: 'many', right: 'copy' }],
  () => ['FA_grep', { root: 'many', pattern: 'no such text' }],
  () => ['FA_fast_find', { root: '.', pattern: '*nothing*', use_index: false }],
  () => ['FA_list_dir', { dir_path: '.', recursive: true }],
  () => ['FA_file_checksum', { path: 'big' }],
  () => ['FA_verify_checksum', { path: 'big', expected: '0'.repeat(64) }],
  (fresh) => ['FA_write_manifest', { root: 'many', manifest_path: fresh }],
  () => ['FA_verify_manifest', { root: 'many', manifest_path: 'manifest.json' }],
  () => ['FA_find_duplicates', { root: 'many' }],
  (fresh) => ['FA_csv_to_jsonl', { src: 'rows.csv', target: fresh }],
  (fresh) => ['FA_csv_filter', { src: 'rows.csv', target: fresh, columns: ['a'] }],
  (fresh) => ['FA_csv_to_parquet', { csv_path: 'rows.csv', parquet_path: fresh }],
  (fresh) => ['FA_file_split', { file_path: 'big', chunk_size: 2 ** 20, output_dir: fresh }],
  (fresh) => ['FA_file_merge', { parts, target_path: fresh }],
  (fresh) => ['FA_encoding_convert', { file_path: 'lines.txt', target_path: fresh, source_encoding: 'utf-8', target_encoding: 'utf-16' }],
  () => ['FA_line_count', { file_path: 'lines.txt' }],
  () => ['FA_sed_replace', { file_path: 'lines.txt', pattern: 'no such text', replacement: 'x', regex: true }],
  (fresh) => ['FA_cas_put', { root: fresh, source: 'big' }],
  (fresh) => ['FA_version_save', { root: fresh, path: 'big' }],
  () => slow as unknown as Command,
  () => ['FA_with_lock', { name: 'taken', db_path: 'locks.sqlite', timeout: 900, actions: [['FA_stat', { path: 'one' }]] }],
  () => ['FA_execute_action', { action_list: [slow] }],
  () => ['FA_execute_action_parallel', { action_list: [slow, slow] }],
  () => ['FA_execute_action_dag', { nodes: [{ id: 'a', action: slow }] }],
  () => ['FA_for_each', { items: [1, 2], actions: [slow] }],
  () => ['FA_if_exists', { path: 'one', then: [slow] }],
  () => ['FA_with_retry', { actions: [slow] }],
  () => ['FA_with_timeout', { actions: [slow], seconds: 900 }],
  () => ['FA_with_quota', { actions: [slow], max_seconds: 900 }],
  () => ['FA_with_file_lock', { path: 'one', actions: [slow] }],
  () => ['FA_with_circuit_breaker', { name: 'breaker', actions: [slow] }],
  () => ['FA_with_rate_limit', { name: 'none', actions: [['FA_stat', { path: 'one' }]], rate: 0.01, burst: 1, tokens: 1, timeout: 900 }],
];

let made = 0;
const attempt = async (commandFor: (typeof COMMANDS)[number], signal: AbortSignal): Promise<Outcome> => {
  made += 1;
  const [outcome] = (await house.run([commandFor(`out-${made}`)], { signal })).results;
  if (outcome === undefined) throw new Error('a list of one command has one outcome');
  return outcome;
};

/** Early, where things are opened; in the middle; and late. */
const TURNS = [2, 4, 8, 16, 3, 32, 5, 1, 64];

describe.each(COMMANDS.map((commandFor) => [commandFor('name')[0], commandFor] as const))('%s', (_, commandFor) => {
  test('ends as the signal of its caller says, whatever the reason and wherever it was', async () => {
    let wasAtWork = false;
    for (const [at, { called, reason, status, type }] of STOP_REASONS.entries()) {
      const turns = TURNS[at % TURNS.length] ?? 1;
      const outcome = await attempt(commandFor, abortAfter(turns, reason));
      if (outcome.status === 'ok') continue;
      expect([called, turns, outcome.status, outcome.error?.type ?? type]).toEqual([called, turns, status, type]);
      if (outcome.error !== undefined) wasAtWork = true;
    }
    expect(wasAtWork).toBe(true);
    expect(house.lines).toEqual([]);
  });
});
