import { getEventListeners } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { ProgramRequest } from '../../core/ports.ts';
import { runProgram } from './run-program.ts';

const { signal } = new AbortController();
const env = { PATH: process.env.PATH ?? '' };
const run = (argv: ProgramRequest['argv'], more: Partial<ProgramRequest> = {}) => runProgram({ argv, env, signal, ...more });
const shell = (script: string, more: Partial<ProgramRequest> = {}) => run(['sh', '-c', script], more);

/** Processes whose parent is this one. */
const children = (): string[] =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return parent === String(process.pid);
    } catch {
      return false; // ended while we looked
    }
  });

describe('a program that runs to its end', () => {
  test('gives its exit code and what it wrote', async () => {
    expect(await shell('printf out; printf err >&2; exit 3')).toEqual({
      returncode: 3,
      signal: null,
      stdout: 'out',
      stderr: 'err',
      timedOut: false,
      truncated: false,
    });
  });

  test('gets its arguments as they are', async () => {
    const words = ['$HOME', '*', '; exit 1', '"', '', 'ü'];
    expect((await run(['printf', '[%s]', ...words])).stdout).toBe(words.map((word) => `[${word}]`).join(''));
  });

  test('has nothing to read', async () => {
    expect((await run(['cat'])).stdout).toBe('');
  });

  test('sees no variable but those given', async () => {
    expect((await run(['/usr/bin/env'], { env: { A: '1' } })).stdout).toBe('A=1\n');
  });

  test('sees no variable when none is given', async () => {
    expect((await runProgram({ argv: ['/usr/bin/env'], signal })).stdout).toBe('');
  });

  test('runs in the directory given', async () => {
    using dir = tempDir();
    expect((await run(['pwd'], { cwd: dir.path })).stdout).toBe(`${dir.path}\n`);
  });

  test('leads a process group of its own', async () => {
    const { stdout } = await run(['node', '-p', 'process.pid + " " + require("fs").readFileSync("/proc/self/stat", "utf8").split(" ")[4]']);
    const [pid, group] = stdout.trim().split(' ');
    expect(group).toBe(pid);
  });

  test('names the signal that ended it', async () => {
    expect(await shell('kill -KILL $$')).toMatchObject({ returncode: null, signal: 'SIGKILL', timedOut: false });
  });

  test('shows bytes that are not UTF-8 as replacement characters', async () => {
    expect((await run(['printf', 'a\\377b'])).stdout).toBe('a\ufffdb');
  });

  test('writes into nothing when its output is not wanted', async () => {
    expect(await shell('echo out; echo err >&2; exit 4', { captureOutput: false })).toMatchObject({
      returncode: 4,
      stdout: '',
      stderr: '',
    });
  });

  test('is not cut short by a time longer than timers can count', async () => {
    expect(await run(['true'], { timeoutMs: Number.MAX_SAFE_INTEGER })).toMatchObject({ returncode: 0, timedOut: false });
  });
});

describe('output beyond the cap', () => {
  test('is dropped for each stream by itself, and the program runs on', async () => {
    const { stdout, stderr, truncated, returncode } = await shell('printf 123456789; printf abc >&2; exit 5', { maxOutputBytes: 4 });
    expect([stdout, stderr, truncated, returncode]).toEqual(['1234', 'abc', true, 5]);
  });

  test('costs no memory: 500 MiB grow this process by less than half of that', async () => {
    await run(['true']);
    const before = process.memoryUsage.rss();
    let peak = before;
    const probe = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 2);
    onTestFinished(() => clearInterval(probe));
    const { stdout, truncated } = await run(['head', '-c', String(500 * 2 ** 20), '/dev/zero']);
    expect([stdout.length, truncated]).toEqual([10 * 2 ** 20, true]);
    expect(Math.max(peak, process.memoryUsage.rss()) - before).toBeLessThan(250 * 2 ** 20);
  });
});

test('three hundred programs at once all end as they should and leave nothing behind', async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => warnings.push(message);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const timersBefore = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

  const results = await Promise.all(Array.from({ length: 300 }, (_, at) => shell(`echo ${at}; exit ${at % 5}`, { timeoutMs: 60_000 })));

  expect(results.map(({ stdout, returncode }) => [stdout, returncode])).toEqual(results.map((_, at) => [`${at}\n`, at % 5]));
  expect(children()).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBeLessThanOrEqual(timersBefore);
  expect(warnings).toEqual([]);
});
