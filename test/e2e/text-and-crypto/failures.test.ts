import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHouse } from '../../support/house.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { openRunner, type Runner } from './run-in-process.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const OLD = 'old content';
const TEXT = 'line key=value and more text\n'.repeat(300_000);
const SEALED = 'sealed';

/** Every action that writes a file, with the path it writes and what stands there before. */
const WRITERS: readonly (readonly [name: string, args: Readonly<Record<string, unknown>>, target: string])[] = [
  ['FA_file_split', { file_path: 'big.txt', chunk_size: 100_000_000, output_dir: 'parts' }, 'parts/big.txt.part000'],
  ['FA_file_merge', { parts: ['big.txt', 'big.txt'], target_path: 'target' }, 'target'],
  ['FA_encoding_convert', { file_path: 'big.txt', target_path: 'target', source_encoding: 'utf-8', target_encoding: 'utf-16' }, 'target'],
  ['FA_sed_replace', { file_path: 'edited', pattern: 'value', replacement: 'VALUE' }, 'edited'],
  ['FA_apply_patch', { target: 'edited', patch: '@@ -1 +1 @@\n-line key=value and more text\n+changed\n' }, 'edited'],
  ['FA_encrypt_file', { source: 'big.txt', target: 'target', key: KEY }, 'target'],
  ['FA_decrypt_file', { source: SEALED, target: 'target', key: KEY }, 'target'],
  ['FA_render_file', { template_path: 't.j2', context: { text: 'x'.repeat(100_000) }, output_path: 'target' }, 'target'],
];

const fill = async (path: string): Promise<void> => {
  mkdirSync(`${path}/parts`);
  for (const [name, content] of [
    ['big.txt', TEXT],
    ['edited', TEXT],
    ['target', OLD],
    ['parts/big.txt.part000', OLD],
    ['t.j2', '{% for i in (1..100) %}{{ text }}{% endfor %}'],
  ] as const) {
    writeFileSync(`${path}/${name}`, content);
  }
  await using house = openHouse();
  await house.run([['FA_encrypt_file', [`${path}/big.txt`, `${path}/${SEALED}`, KEY]]]);
};

/** Files that a writer leaves behind only while it works. */
const leftovers = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.part'));

describe('a process that is killed leaves the old file or the new one', () => {
  let runner: Runner;
  beforeAll(() => {
    runner = openRunner();
  });
  afterAll(() => runner[Symbol.dispose]());

  const ROUNDS = 4;
  const LATEST_KILL_MS = 900;

  test.each(WRITERS)('%s', { timeout: 300_000 }, async (name, args, target) => {
    using whole = tempDir();
    await fill(whole.path);
    const before = readFileSync(whole.at(target));
    await runner.start(whole.path, [[name, args]]).ended;
    const after = readFileSync(whole.at(target));
    for (let round = 0; round < ROUNDS; round += 1) {
      using dir = tempDir();
      await fill(dir.path);
      const { child, ended } = runner.start(dir.path, [[name, args]]);
      const timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * LATEST_KILL_MS);
      await ended;
      clearTimeout(timer);
      const found = readFileSync(dir.at(target));
      if (found.equals(before)) continue;
      expect(found).toHaveLength(after.length);
      if (name !== 'FA_encrypt_file') expect(found.equals(after)).toBe(true);
      else expect(await decrypted(dir.at(target))).toBe(TEXT);
    }
  });
});

const decrypted = async (path: string): Promise<string | undefined> => {
  await using house = openHouse();
  await house.run([['FA_decrypt_file', [path, 'plain', KEY]]]);
  return house.dir.read('plain');
};

/** A small disk of its own; only the superuser may mount one. */
const openSmallDisk = (bytes: number) => {
  const dir = tempDir();
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', dir.path]);
  if (status !== 0) {
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

const canMount = () => {
  using disk = openSmallDisk(1024 * 1024);
  return disk !== undefined;
};

describe.skipIf(!canMount())('a full disk leaves the old file (needs the right to mount)', () => {
  test.each(WRITERS)('%s', async (name, args, target) => {
    using disk = openSmallDisk(3.1 * TEXT.length);
    if (disk === undefined) throw new Error('the disk could not be mounted');
    await fill(disk.path);
    const before = readFileSync(disk.at(target));
    await using house = openHouse();
    const inDisk = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, placed(value, disk.path)]));
    const { results } = await house.run([[name, inDisk]]);
    expect(results[0]?.error).toMatchObject({ type: 'FileAccessException', context: { code: 'ENOSPC' } });
    expect(readFileSync(disk.at(target)).equals(before)).toBe(true);
    expect(leftovers(disk.path)).toEqual([]);
  });
});

const PATHS = new Set(['big.txt', 'edited', 'target', 'parts', 't.j2', SEALED]);

const placed = (value: unknown, root: string): unknown =>
  Array.isArray(value)
    ? value.map((item) => placed(item, root))
    : typeof value === 'string' && PATHS.has(value)
      ? `${root}/${value}`
      : value;
