import { existsSync, linkSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UNDO_REASONS } from '../../../src/core/undo-reasons.ts';
import { keptAsideName } from '../../../src/lib/fs/own-names.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { canMountTmpfs, tmpfs } from '../../support/tmpfs.ts';
import { openRecordedHouse } from './recorded-house.ts';

const freeOn = (path: string): number => {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
};

describe.skipIf(!canMountTmpfs)('on a file system of its own (needs the right to mount a tmpfs)', () => {
  /** Files of these sizes in KiB on 4 MiB. */
  const openRoom = (sizes: Readonly<Record<string, number>>) => {
    const disk = tmpfs('size=4m');
    const dir = tempDir();
    for (const [name, kib] of Object.entries(sizes)) {
      mkdirSync(join(disk.path, name, '..'), { recursive: true });
      writeFileSync(join(disk.path, name), Buffer.alloc(kib * 1024, 1));
    }
    const house = openRecordedHouse({ cwd: disk.path, stateDirectory: dir.at('state') });
    return {
      path: disk.path,
      house,
      plan: async (command: unknown) => (await house.factotum.run({ actions: [command], dry_run: true })).results[0]?.notes ?? [],
      async [Symbol.asyncDispose]() {
        await house[Symbol.asyncDispose]();
        disk[Symbol.dispose]();
        dir[Symbol.dispose]();
      },
    };
  };

  test.each([
    ['a file', ['FA_remove_file', { file_path: 'd/big' }], { 'd/big': 3_900 }],
    ['a tree', ['FA_remove_dir_tree', { dir_path: 'd' }], { 'd/big': 3_000, 'd/e/more': 900 }],
    ['a file that is replaced', ['FA_create_file', { file_path: 'd/big', content: 'small' }], { 'd/big': 2_500 }],
  ])('what is deleted of a device that is nearly full makes room at once: %s', async (_, command, sizes) => {
    await using room = openRoom(sizes);
    const { run_id, results } = await room.house.run([command]);
    expect(results[0]).toMatchObject({ status: 'ok', notes: [{ kind: 'not_undoable', reason: UNDO_REASONS.noRoom }] });
    expect(freeOn(room.path)).toBeGreaterThan(3_900 * 1024);
    const undone = await room.house.undoRun(run_id);
    expect(undone.results[0]).toMatchObject({ status: 'failed', value: { refused: [{ reason: UNDO_REASONS.noRoom }] } });
  });

  test('a plan says so before', async () => {
    await using room = openRoom({ big: 3_000, small: 100 });
    expect(await room.plan(['FA_remove_file', { file_path: 'big' }])).toMatchObject([
      { kind: 'not_undoable', reason: UNDO_REASONS.noRoom },
    ]);
    expect(await room.plan(['FA_remove_file', { file_path: 'small' }])).toEqual([]);
  });

  test('a run keeps no more than what is left for others', async () => {
    await using room = openRoom({ a: 700, b: 700, c: 700 });
    const { results } = await room.house.run(['a', 'b', 'c'].map((name) => ['FA_remove_file', { file_path: name }]));
    expect(results.map(({ notes = [] }) => notes.map(({ reason }) => reason))).toEqual([[], [], [UNDO_REASONS.noRoom]]);
    expect(freeOn(room.path)).toBeGreaterThan(2_500 * 1024);
  });

  test('what does not fit is written once something was deleted', async () => {
    await using room = openRoom({ filler: 3_500 });
    const text = { file_path: 'new', content: 'x'.repeat(2_000_000) };
    expect((await room.house.run([['FA_create_file', text]])).results[0]?.error).toMatchObject({ context: { code: 'ENOSPC' } });
    expect(
      await room.house.run([
        ['FA_remove_file', { file_path: 'filler' }],
        ['FA_create_file', text],
      ]),
    ).toMatchObject({ ok: true });
    expect(readdirSync(room.path)).toEqual(['new']);
  });
});

describe('what a run keeps', () => {
  test('is bounded in number, however small the files are', async () => {
    using dir = tempDir({ 'w/a': '', 'w/b': '', 'w/c': '', 'w/t/1': '', 'w/t/2': '' });
    await using house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state'), maxFiles: 3 });
    const remove = (...names: readonly string[]) => names.map((name) => ['FA_remove_file', { file_path: name }]);
    const { results } = await house.run([...remove('a', 'b'), ['FA_remove_dir_tree', { dir_path: 't' }], ...remove('c')]);
    expect(results.map(({ notes = [] }) => notes.map(({ reason }) => reason))).toEqual([[], [], [UNDO_REASONS.tooMany], []]);
  });

  test('is nothing where no command came to its end', async () => {
    using dir = tempDir({ 'w/a': 'old', 'w/d/x': 'x', 'w/full/y': 'y' });
    await using house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state') });
    const failing = await house.run([
      ['FA_rename_dir', { origin_dir_path: 'd', target_dir: 'full' }],
      ['FA_copy_file', { file_path: 'missing', target_path: 'a' }],
      ['FA_json_set', { path: 'a', key_path: 'k', value: 1 }],
    ]);
    expect(failing.results.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect(existsSync(dir.at('state'))).toBe(false);
  });

  test('of a file with two names comes back when the other one has taken its place', async () => {
    using dir = tempDir({ 'w/a': 'one file' });
    linkSync(dir.at('w/a'), dir.at('w/b'));
    await using house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state') });
    const { run_id } = await house.run([
      ['FA_remove_file', { file_path: 'a' }],
      ['FA_move_file', { file_path: 'b', target_path: 'a' }],
    ]);
    expect(await house.undoRun(run_id)).toMatchObject({ ok: true });
    expect([dir.read('w/a'), dir.read('w/b')]).toEqual(['one file', 'one file']);
    expect(existsSync(dir.at(`state/${keptAsideName(dir.at('state'))}`))).toBe(false);
  });
});
