import { utimesSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { createInstance } from '../../app/create.ts';

const factotum = createInstance({ log: { level: 'silent' } });
afterAll(() => factotum.close());

const only = async (args: object, more: object = {}) =>
  (await factotum.run({ actions: [['FA_rotate_backups', args]], ...more })).results[0];

const NONE = { keep_daily: 0, keep_weekly: 0, keep_monthly: 0 };

/** Backups of the last days before a day, the newest first. */
const backups = (...names: readonly string[]): TempDir => {
  const dir = tempDir(Object.fromEntries(names.map((name) => [name, name])));
  for (const [at, name] of names.entries()) utimesSync(dir.at(name), 1_750_000_000 - at * 86_400, 1_750_000_000 - at * 86_400);
  return dir;
};

describe('FA_rotate_backups', () => {
  test('never deletes when nothing would be kept', async () => {
    using dir = backups('a', 'b');
    expect(await only({ directory: dir.path, ...NONE })).toMatchObject({ error: { type: 'RotateException' } });
    expect(dir.read('b')).toBe('b');
    expect(await only({ directory: dir.path, pattern: '*.none', ...NONE })).toMatchObject({ value: { kept: [], deleted: [] } });
  });

  test('tells the reasons, and a dry run deletes nothing', async () => {
    using dir = backups('a', 'b', 'c');
    const args = { directory: dir.path, ...NONE, keep_daily: 1, keep_last: 2, dry_run: true };
    expect(await only(args)).toMatchObject({
      value: { kept: [dir.at('a'), dir.at('b')], deleted: [dir.at('c')], dry_run: true },
      notes: [
        {
          kind: 'reasons',
          message: '2 of 3 backups are kept: a (last 1, daily 2025-06-15), b (last 2).',
          kept: { [dir.at('a')]: ['last 1', 'daily 2025-06-15'], [dir.at('b')]: ['last 2'] },
        },
      ],
    });
    expect(dir.read('c')).toBe('c');
  });

  test('a planned run tells what would be deleted', async () => {
    using dir = backups('a', 'b');
    const outcome = await only({ directory: dir.path, ...NONE, keep_last: 1 }, { dry_run: true });
    expect(outcome).toMatchObject({ status: 'planned', plan: { effects: [{ kind: 'delete', target: dir.at('b') }] } });
    expect(dir.read('b')).toBe('b');
  });

  test('a second run has nothing left to delete', async () => {
    using dir = backups('a', 'b', 'c', 'd');
    const args = { directory: dir.path, ...NONE, keep_daily: 2 };
    expect(await only(args)).toMatchObject({ value: { deleted: [dir.at('c'), dir.at('d')] } });
    expect(await only(args)).toMatchObject({ value: { kept: [dir.at('a'), dir.at('b')], deleted: [] } });
  });

  test('a file from the future stays, and is not what is kept instead of the others', async () => {
    using dir = backups('a', 'b');
    dir.write('later', '');
    utimesSync(dir.at('later'), 4_000_000_000, 4_000_000_000);
    expect(await only({ directory: dir.path, ...NONE })).toMatchObject({ error: { type: 'RotateException' } });
    expect(await only({ directory: dir.path, ...NONE, keep_last: 1 })).toMatchObject({
      value: { kept: [dir.at('later'), dir.at('a')], deleted: [dir.at('b')] },
      notes: [{ kept: { [dir.at('later')]: ['future'] } }],
    });
  });

  test('of two that rotate at once neither fails', async () => {
    using dir = backups('a', 'b', 'c');
    const args = { directory: dir.path, ...NONE, keep_last: 1 };
    const { ok } = await factotum.run({ mode: 'parallel', actions: [1, 2].map(() => ['FA_rotate_backups', args]) });
    expect([ok, dir.read('a'), dir.read('b'), dir.read('c')]).toEqual([true, 'a', undefined, undefined]);
  });

  test('a bad pattern is refused', async () => {
    using dir = backups('a');
    expect(await only({ directory: dir.path, pattern: '[' })).toMatchObject({ error: { type: 'ArgumentException' } });
  });
});
