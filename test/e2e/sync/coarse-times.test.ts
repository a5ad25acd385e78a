import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHouse } from '../../support/house.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** A file system that keeps times in whole seconds: ext4 with small inodes; undefined where this process may not mount one. */
const coarseDisk = () => {
  const dir = tempDir({ image: Buffer.alloc(16 * 1024 * 1024) });
  const path = dir.at('disk');
  mkdirSync(path);
  const [made, mounted] = [
    spawnSync('mkfs.ext4', ['-q', '-F', '-I', '128', '-O', '^has_journal', dir.at('image')]),
    spawnSync('mount', ['-o', 'loop', dir.at('image'), path]),
  ];
  const disk = {
    path,
    [Symbol.dispose]() {
      if (mounted.status === 0) spawnSync('umount', [path]);
      dir[Symbol.dispose]();
    },
  };
  if (made.status === 0 && mounted.status === 0) return disk;
  disk[Symbol.dispose]();
  return undefined;
};

test('where times are whole seconds, nothing is copied again for the fraction that was lost', async ({ skip }) => {
  using disk = coarseDisk();
  if (disk === undefined) return skip('needs mkfs.ext4 and the right to mount');
  await using house = openHouse({ files: { 's/a': 'one', 's/n/b': 'two' } });
  for (const name of ['s/a', 's/n/b', 's/n', 's']) utimesSync(house.dir.at(name), 1_700_000_000.75, 1_700_000_000.75);
  const sync = async () => {
    const { results } = await house.run([['FA_sync_dir', { src: 's', dst: `${disk.path}/d`, tolerance_s: 0 }]]);
    return results[0]?.value;
  };
  expect(await sync()).toMatchObject({ copied: ['a', 'n/b'], errors: [] });
  expect(statSync(`${disk.path}/d/a`).mtimeMs).toBe(1_700_000_000_000);
  expect(await sync()).toMatchObject({ copied: [], skipped: ['a', 'n/b'] });
  utimesSync(house.dir.at('s/a'), 1_700_000_001.25, 1_700_000_001.25);
  expect(await sync()).toMatchObject({ copied: ['a'], skipped: ['n/b'] });
});

test('where times are whole seconds, an edit that keeps size and second is seen all the same', async ({ skip }) => {
  using disk = coarseDisk();
  if (disk === undefined) return skip('needs mkfs.ext4 and the right to mount');
  await using house = openHouse({ files: { 's/a': 'one' } });
  const sync = async () => {
    const { results } = await house.run([['FA_sync_dir', { src: 's', dst: `${disk.path}/d` }]]);
    return results[0]?.value;
  };
  const setTime = (fraction: number) => utimesSync(house.dir.at('s/a'), 1_700_000_000 + fraction, 1_700_000_000 + fraction);
  setTime(0.25);
  await sync();
  house.dir.write('s/a', 'two');
  setTime(0.75);
  expect(await sync()).toMatchObject({ copied: ['a'] });
  expect(readFileSync(`${disk.path}/d/a`, 'utf8')).toBe('two');
  // As soon as the second of the copy is over nothing is left to do.
  const nothingToDo = expect.objectContaining({ copied: [], skipped: ['a'] });
  await expect.poll(sync, { timeout: 20_000 }).toEqual(nothingToDo);
});
