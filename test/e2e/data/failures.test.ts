import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHouse } from '../../support/house.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { openRunner, type Runner } from '../text-and-crypto/run-in-process.ts';

const OLD = 'old content';
const RECORDS = 40_000;
const FILES: Readonly<Record<string, string>> = {
  'big.csv': `id,name\n${Array.from({ length: 400_000 }, (_, index) => `${index},name ${index}\n`).join('')}`,
  'big.json': `{\n${Array.from({ length: 200_000 }, (_, index) => `  "key ${index}": "value"`).join(',\n')}\n}\n`,
  'big.yaml': Array.from({ length: 8_000 }, (_, index) => `key${index}: value # ${'note '.repeat(20)}\n`).join(''),
  'big.jsonl': '{"n":1,"text":"a record among others"}\n'.repeat(200_000),
  target: OLD,
};

/** Every action that writes a file, with the path it writes. */
const WRITERS: readonly (readonly [name: string, args: (at: (file: string) => string) => unknown, target: string])[] = [
  ['FA_json_set', (at) => [at('big.json'), 'new.key', 1], 'big.json'],
  ['FA_json_delete', (at) => [at('big.json'), 'key 5'], 'big.json'],
  ['FA_yaml_set', (at) => [at('big.yaml'), 'new', 1], 'big.yaml'],
  ['FA_jsonl_append', (at) => [at('big.jsonl'), { text: 'x'.repeat(120_000) }], 'big.jsonl'],
  ['FA_csv_filter', (at) => [at('big.csv'), at('target')], 'target'],
  ['FA_csv_to_jsonl', (at) => [at('big.csv'), at('target')], 'target'],
  ['FA_csv_to_parquet', (at) => [at('big.csv'), at('target')], 'target'],
  ['FA_parquet_write', (at) => [at('target'), Array.from({ length: RECORDS }, (_, id) => ({ id, x: Math.sin(id) }))], 'target'],
];

const fill = (path: string): void => {
  for (const [name, content] of Object.entries(FILES)) writeFileSync(`${path}/${name}`, content);
};

describe('a process that is killed leaves the old file or the new one', () => {
  let runner: Runner;
  beforeAll(() => {
    runner = openRunner();
  });
  afterAll(() => runner[Symbol.dispose]());

  const ROUNDS = 4;
  const LATEST_KILL_MS = 900;
  // A command line takes no list of records that long.
  const writers = WRITERS.filter(([name]) => name !== 'FA_parquet_write');

  test.each(writers)('%s', { timeout: 300_000 }, async (name, args, target) => {
    const actions = [[name, args((file) => file)]];
    using whole = tempDir();
    fill(whole.path);
    await runner.start(whole.path, actions).ended;
    const after = readFileSync(whole.at(target));
    for (let round = 0; round < ROUNDS; round += 1) {
      using dir = tempDir();
      fill(dir.path);
      const { child, ended } = runner.start(dir.path, actions);
      const timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * LATEST_KILL_MS);
      await ended;
      clearTimeout(timer);
      const found = readFileSync(dir.at(target));
      expect(found.equals(after) || found.toString() === FILES[target]).toBe(true);
    }
  });
});

/** A small disk of its own; only the superuser may mount one. */
const openSmallDisk = (bytes: number) => {
  const dir = tempDir();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', dir.path]).status !== 0) {
    dir[Symbol.dispose]();
    return undefined;
  }
  return {
    path: dir.path,
    at: dir.at,
    [Symbol.dispose]() {
      spawnSync('umount', ['--lazy', dir.path]);
      dir[Symbol.dispose]();
    },
  };
};

const canMount = (): boolean => {
  using disk = openSmallDisk(1024 * 1024);
  return disk !== undefined;
};

describe.skipIf(!canMount())('a full disk leaves the old file (needs the right to mount)', () => {
  const taken = Object.values(FILES).reduce((sum, content) => sum + Math.ceil(content.length / 4_096) * 4_096, 0);

  test.each(WRITERS)('%s', async (name, args, target) => {
    using disk = openSmallDisk(taken + 100_000);
    if (disk === undefined) throw new Error('the disk could not be mounted');
    fill(disk.path);
    await using house = openHouse();
    const { results } = await house.run([[name, args(disk.at)]]);
    expect(results[0]?.error).toMatchObject({ type: 'FileAccessException', context: { code: 'ENOSPC' } });
    expect(readFileSync(disk.at(target), 'utf8')).toBe(FILES[target]);
    expect(readdirSync(disk.path).sort()).toEqual(Object.keys(FILES).sort());
  });
});
