import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { binOf, builtPackage, factotum } from './built.ts';

const LIST = '[["FA_substitute", ["hello"]]]';

/** Installations of their own, beside the shared one so that packages are found. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(dirname(builtPackage), 'start-'));
  cpSync(join(builtPackage, 'dist'), join(folder, 'dist'), { recursive: true, filter: (path) => !path.endsWith('/bin/cache') });
});
afterEach(() => {
  chmodSync(join(folder, 'dist', 'bin'), 0o755);
  rmSync(folder, { recursive: true });
});

const run = () => factotum(['run', '-', '--json'], { input: LIST, bin: binOf(folder) });
const cacheFiles = (): string[] => {
  const cache = join(folder, 'dist', 'bin', 'cache');
  if (!existsSync(cache)) return [];
  return readdirSync(cache, { recursive: true, encoding: 'utf8' })
    .map((name) => join(cache, name))
    .filter((path) => statSync(path).isFile());
};

describe('the code cache', () => {
  test('is written by the first runs of a command and then left alone', () => {
    expect(run().code).toBe(0);
    expect(cacheFiles().length).toBeGreaterThan(0);
    for (let more = 0; more < 3; more += 1) run();
    const written = cacheFiles().map((path) => statSync(path).mtimeMs);
    expect(run().code).toBe(0);
    expect(cacheFiles().map((path) => statSync(path).mtimeMs)).toEqual(written);
    expect(cacheFiles().filter((path) => path.endsWith('.part'))).toEqual([]);
  });

  test.each([
    ['empty', (good: Buffer) => good.subarray(0, 0)],
    ['cut short', (good: Buffer) => good.subarray(0, good.length >> 1)],
    ['zeroed in part', (good: Buffer) => Buffer.from(good).fill(0, 4096, 8192)],
    [
      'changed in forty bytes',
      (good: Buffer) => {
        const bad = Buffer.from(good);
        for (let count = 0; count < 40; count += 1) {
          const at = (count * 7_919) % (bad.length >> 1);
          bad[at] = (bad[at] ?? 0) ^ 0xff;
        }
        return bad;
      },
    ],
    ['of something else', () => Buffer.from('not code at all, but long enough to have a trailer')],
  ])('does no harm when it is %s, and heals', (_, damage) => {
    run();
    for (const path of cacheFiles()) writeFileSync(path, damage(readFileSync(path)));
    expect(run()).toMatchObject({ code: 0, err: '' });
    expect(run()).toMatchObject({ code: 0, err: '' });
  });

  test('is not needed: nothing is said when it cannot be written', () => {
    // In its place stands a file, which stops the superuser too.
    writeFileSync(join(folder, 'dist', 'bin', 'cache'), '');
    expect(run()).toMatchObject({ code: 0, err: '' });
  });

  test('is not written by a run that changed the flags of V8, under which no other run could use it', () => {
    writeFileSync(join(folder, 'a.txt'), 'abc\n');
    const grep = (...words: string[]) => factotum(['exec', 'FA_grep', folder, 'a.c', ...words], { bin: binOf(folder) });
    expect(grep('--regex').out).toContain('"text":"abc"');
    expect(cacheFiles()).toEqual([]);
    expect(grep().code).toBe(0);
    expect(cacheFiles().length).toBeGreaterThan(0);
  });

  test('is not written by a thread that started after another one had changed the flags', () => {
    const texts = join(folder, 'texts');
    mkdirSync(texts);
    for (let count = 0; count < 300; count += 1) writeFileSync(join(texts, `${count}.txt`), 'abc\n'.repeat(10_000));
    // Threads keep their code after a while: the end is put off until they had time for it.
    const preload = join(folder, 'late.cjs');
    writeFileSync(
      preload,
      `const { exit } = process; if (require('node:worker_threads').isMainThread) process.exit = (code) => setTimeout(exit, 500, code);`,
    );
    const args = ['-r', preload, binOf(folder), 'exec', 'FA_grep', texts, 'a.d', '--regex'];
    expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    expect(cacheFiles()).toEqual([]);
  });

  test('stays within its bound: what was written longest ago goes', () => {
    run();
    const place = dirname(cacheFiles()[0] ?? '');
    const old = join(dirname(place), 'exec-older');
    mkdirSync(old);
    writeFileSync(join(old, 'core.js'), Buffer.alloc(40 * 2 ** 20));
    utimesSync(old, 0, 0);
    expect(factotum(['exec', 'FA_stat', folder], { bin: binOf(folder) }).code).toBe(0);
    expect(existsSync(old)).toBe(false);
    expect(existsSync(place)).toBe(true);
  });

  test('is not written by mistyped commands', () => {
    factotum(['rnu'], { bin: binOf(folder) });
    factotum(['../../escape'], { bin: binOf(folder) });
    expect(cacheFiles()).toEqual([]);
  });
});

test('a command loads its own code and that of the families it uses, nothing else', () => {
  const loaded = (args: readonly string[]): string[] => {
    const trace = `const { Script } = require('node:vm'); const own = []; process.on('exit', () => process._rawDebug(JSON.stringify(own)));
      require('node:vm').Script = class extends Script { constructor(source, options) { super(source, options); own.push(options.filename.split('/').at(-1).replace(/-[^-]*$/, '')); } };`;
    const preload = join(folder, 'trace.cjs');
    writeFileSync(preload, trace);
    const { stderr } = spawnSync(process.execPath, ['-r', preload, binOf(folder), ...args], { input: LIST, encoding: 'utf8', cwd: folder });
    return JSON.parse(stderr.trim().split('\n').at(-1) ?? '[]');
  };
  expect(loaded(['run', '-', '--no-history'])).toEqual(['core']);
  expect(loaded(['run', '-'])).toEqual(['core']);
  expect(loaded(['completion', 'bash'])).toEqual(['core', 'completion']);
  mkdirSync(join(folder, 'x'));
  expect(loaded(['exec', '--no-history', 'stat', join(folder, 'x')])).toEqual(['core']);
  expect(loaded(['exec', '--no-history', 'FA_file_checksum', join(folder, 'trace.cjs')])).toEqual(['core', 'checksum', 'shared']);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'factotum.toml'), '[http]\nport = 0\n');
  expect(loaded(['run', '-', '--no-history'])).toEqual(['core']);
});

test('a short list wakes nothing of Node that takes long to load', () => {
  const loaded = (list: string): string[] => {
    const preload = join(folder, 'loaded.cjs');
    writeFileSync(preload, `process.on('exit', () => process._rawDebug(JSON.stringify(process.moduleLoadList)));`);
    writeFileSync(join(folder, 'list.json'), list);
    const args = ['-r', preload, binOf(folder), 'run', 'list.json', '--no-history'];
    const start = () => spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', cwd: folder });
    for (let learning = 0; learning < 4; learning += 1) start(); // to keep the code of the first runs takes more
    const modules: string[] = JSON.parse(start().stderr.trim().split('\n').at(-1) ?? '[]');
    return modules.map((name) => name.replace(/^NativeModule /, '')).filter((name) => SLOW_MODULES.has(name));
  };
  expect(loaded('[["FA_stat", {"path": "."}]]')).toEqual([]);
  expect(loaded('[["FA_create_file", {"file_path": "a.txt", "content": "hello"}]]')).toEqual([]);
});

/** Each costs a start some milliseconds. */
const SLOW_MODULES = new Set(['child_process', 'crypto', 'http', 'net', 'stream', 'v8', 'worker_threads', 'zlib']);

test('what every start reads stays small', () => {
  const [core = ''] = readdirSync(join(folder, 'dist', 'bin')).filter((name) => name.startsWith('core-'));
  // Code that few commands need belongs behind an import(): each ten thousand bytes are a quarter of a millisecond.
  expect(statSync(join(folder, 'dist', 'bin', core)).size).toBeLessThan(MOST_CORE_BYTES);
});

const MOST_CORE_BYTES = 475_000;
