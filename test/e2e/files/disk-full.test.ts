import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createInstance } from '../../../src/app/create.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { leftovers, openOwner, signal } from './ports.ts';

/** A file system of 1 MiB; undefined where this process may not mount one. */
const smallDisk = () => {
  const dir = tempDir();
  const path = dir.at('small');
  mkdirSync(path);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]).status !== 0) {
    dir[Symbol.dispose]();
    return undefined;
  }
  return {
    path,
    [Symbol.dispose]() {
      spawnSync('umount', [path]);
      dir[Symbol.dispose]();
    },
  };
};

const BIG = 'x'.repeat(2 * 1024 * 1024);

const probe = smallDisk();
probe?.[Symbol.dispose]();

describe.skipIf(probe === undefined)('on a full disk (needs the right to mount a tmpfs)', () => {
  /** Commands that each need more room than there is; `T` stands for the full disk. */
  const WRITERS: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    ['a replacing text', 'FA_create_file', { file_path: 'T/old', content: BIG }],
    ['a new text', 'FA_create_file', { file_path: 'T/new', content: BIG }],
    ['a copy', 'FA_copy_file', { file_path: 'big', target_path: 'T/old' }],
    ['a move', 'FA_move_file', { file_path: 'big', target_path: 'T/old', on_conflict: 'overwrite' }],
    ['a new tree', 'FA_copy_dir', { dir_path: 'tree', target_dir_path: 'T/new' }],
    ['a merged tree', 'FA_copy_dir', { dir_path: 'tree', target_dir_path: 'T/merged' }],
    ['a moved tree', 'FA_rename_dir', { origin_dir_path: 'tree', target_dir: 'T/new' }],
  ];

  test.each(WRITERS)('%s (%s) leaves the old file, no temporary one, and says what to do', async (_, action, args) => {
    using disk = smallDisk();
    using dir = tempDir({ big: BIG, 'tree/a': 'a', 'tree/b': BIG });
    const full = disk?.path ?? '';
    writeFileSync(join(full, 'old'), 'old');
    mkdirSync(join(full, 'merged'));
    writeFileSync(join(full, 'merged/b'), 'old');
    const before = statfsSync(full).bfree;
    await using factotum = createInstance({ cwd: dir.path, log: { level: 'silent' } });
    const placed = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, value.replace(/^T\//, `${full}/`)]));
    const { results } = await factotum.run([[action, placed]]);
    expect(results[0]?.error).toMatchObject({ type: 'FileAccessException', context: { code: 'ENOSPC' } });
    expect(results[0]?.error?.message).toMatch(/^No space is left on the device of .*; free some and run again\.$/);
    expect(readFileSync(join(full, 'old'), 'utf8')).toBe('old');
    expect(readFileSync(join(full, 'merged/b'), 'utf8')).toBe('old');
    expect(readdirSync(full).sort()).toEqual(['merged', 'old']);
    expect(leftovers(full)).toEqual([]);
    expect([dir.read('big'), dir.read('tree/b')]).toEqual([BIG, BIG]);
    if (args.target_dir_path !== 'T/merged') expect(statfsSync(full).bfree).toBe(before);
  });

  test('a writer fails while the bytes flow and is gone afterwards', async () => {
    using disk = smallDisk();
    const full = disk?.path ?? '';
    {
      await using writer = await openOwner(full).create('f', { signal });
      const writing = async () => {
        for (let at = 0; at < 64; at += 1) await writer.write(Buffer.alloc(64 * 1024, 'x'));
      };
      await expect(writing()).rejects.toMatchObject({ type: 'FileAccessException', context: { path: join(full, 'f'), code: 'ENOSPC' } });
    }
    expect(readdirSync(full)).toEqual([]);
  });

  test('a record for which there is no room is taken back as a whole, and the next one stands on a line of its own', async () => {
    using disk = smallDisk();
    const full = disk?.path ?? '';
    const log = join(full, 'log');
    writeFileSync(log, '{"n":1}\n');
    writeFileSync(join(full, 'filler'), Buffer.alloc(statfsSync(full).bfree * statfsSync(full).bsize));
    await using factotum = createInstance({ cwd: full, log: { level: 'silent' } });
    const append = (record: unknown) => factotum.run([['FA_jsonl_append', { path: log, record }]]);
    // The last block has room for a part of it.
    const { results } = await append({ long: 'x'.repeat(8_000) });
    expect(results[0]?.error).toMatchObject({ type: 'FileAccessException', context: { code: 'ENOSPC' } });
    expect(readFileSync(log, 'utf8')).toBe('{"n":1}\n');
    rmSync(join(full, 'filler'));
    await append({ n: 2 });
    expect(readFileSync(log, 'utf8')).toBe('{"n":1}\n{"n":2}\n');
    expect(leftovers(full)).toEqual([]);
  });

  test('what is refused for lack of room can be written once there is some', async () => {
    using disk = smallDisk();
    const full = disk?.path ?? '';
    writeFileSync(join(full, 'filler'), 'x'.repeat(900_000));
    const port = openOwner(full);
    await expect(port.write('f', Buffer.alloc(300_000), { signal })).rejects.toMatchObject({ context: { code: 'ENOSPC' } });
    await port.remove('filler');
    await port.write('f', Buffer.alloc(300_000), { signal });
    expect(readdirSync(full)).toEqual(['f']);
  });
});
