import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manualTime } from '../../../test/support/manual-time.ts';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import type { SetTimer } from '../../lib/async/timer.ts';
import { createFileWatch, type FileWatch } from './file-watch.ts';

let dir: TempDir;
let watch: FileWatch;
let told: number;
beforeEach(() => {
  dir = tempDir({ 'a.toml': 'one' });
  told = 0;
});
afterEach(async () => {
  await watch.close();
  dir[Symbol.dispose]();
});

/** Timers ring at once, unless a test has its own. */
const atOnce: SetTimer = (work) => {
  setImmediate(work);
  return () => {};
};

const open = (text?: string, setTimer = atOnce) => {
  watch = createFileWatch({ path: dir.at('a.toml'), text, intervalMs: 2_000, setTimer, onChange: async () => (told += 1) });
  return watch;
};

describe('a look at a file', () => {
  test('tells of other text, once', async () => {
    const { look } = open('one');
    expect(await look()).toBe(false);
    writeFileSync(dir.at('a.toml'), 'two');
    expect(await look()).toBe(true);
    expect(await look()).toBe(false);
    expect(told).toBe(1);
  });

  test('does not tell of a file that was only touched or written again', async () => {
    const { look } = open('one');
    utimesSync(dir.at('a.toml'), 1, 1);
    expect(await look()).toBe(false);
    writeFileSync(dir.at('a.toml'), 'one');
    expect(await look()).toBe(false);
  });

  test('finds text of the same length and the same time', async () => {
    utimesSync(dir.at('a.toml'), 1, 1);
    const { look } = open('one');
    await look();
    writeFileSync(dir.at('a.toml'), 'two');
    utimesSync(dir.at('a.toml'), 1, 1);
    expect(await look()).toBe(true);
  });

  test('finds what changed between the first reading and the first look', async () => {
    writeFileSync(dir.at('a.toml'), 'two');
    expect(await open('one').look()).toBe(true);
  });

  test('takes what it finds first as known where nothing was read before', async () => {
    const { look } = open();
    expect(await look()).toBe(false);
    writeFileSync(dir.at('a.toml'), 'two');
    expect(await look()).toBe(true);
  });

  test('tells that the file is gone, and that it is back', async () => {
    const { look } = open('one');
    rmSync(dir.at('a.toml'));
    expect(await look()).toBe(true);
    expect(await look()).toBe(false);
    writeFileSync(dir.at('a.toml'), 'one');
    expect(await look()).toBe(true);
  });

  test('waits until a file that is being written stands still', async () => {
    const steps = ['tw', 'two'];
    const { look } = open('one', (work) => {
      const next = steps.shift();
      if (next !== undefined) writeFileSync(dir.at('a.toml'), next);
      setImmediate(work);
      return () => {};
    });
    writeFileSync(dir.at('a.toml'), '');
    expect(await look()).toBe(true);
    expect(told).toBe(1);
    expect(steps).toEqual([]);
    expect(await look()).toBe(false);
  });
});

test('a watch looks at every interval until it is closed', async () => {
  const time = manualTime('2026-01-01T00:00:00Z');
  const looks: number[] = [];
  open('one', (work, ms) => {
    looks.push(ms);
    return time.setTimer(work, ms);
  });
  watch.start();
  watch.start();
  await expect.poll(() => looks).toEqual([2_000]);
  await time.advance(2_000);
  await expect.poll(() => looks).toEqual([2_000, 2_000]);
  writeFileSync(dir.at('a.toml'), 'two');
  await time.advance(2_000);
  await expect.poll(() => looks).toEqual([2_000, 2_000, 250]);
  await watch.close();
  await time.advance(10_000);
  expect(looks).toHaveLength(3);
  expect(told).toBe(0);
});
