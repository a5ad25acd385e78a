import { spawnSync } from 'node:child_process';
import { createCipheriv } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTool } from '../../support/archives/tools.ts';
import { openHouse } from '../../support/house.ts';
import { tempDir } from '../../support/temp-dir.ts';

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

const probe = smallDisk();
probe?.[Symbol.dispose]();

const NOISE = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(2_000_000));
const FILES = { 's/a.txt': 'a', 's/noise': NOISE };

describe.skipIf(probe === undefined)('on a full disk (needs the right to mount a tmpfs)', () => {
  const PACKERS: readonly (readonly [string, Readonly<Record<string, unknown>>, string | undefined])[] = [
    ['FA_zip_dir', { dir_we_want_to_zip: 's', zip_name: 'T/o.zip' }, undefined],
    ['FA_zip_dir', { dir_we_want_to_zip: 's', zip_name: 'T/o.zip', password: 'p' }, undefined],
    ['FA_zip_file', { zip_file_path: 'T/o.zip', file: 's/noise' }, undefined],
    ['FA_create_tar', { source: 's', target: 'T/o.zip' }, undefined],
    ['FA_create_tar', { source: 's', target: 'T/o.zip', compression: null }, undefined],
    ['FA_create_tar', { source: 's', target: 'T/o.zip', compression: 'zst' }, undefined],
    ['FA_create_tar', { source: 's', target: 'T/o.zip', compression: 'xz' }, 'xz'],
  ];

  for (const [name, args, program] of PACKERS) {
    test.skipIf(program !== undefined && !hasTool(program))(
      `${name} with ${JSON.stringify(args)} keeps the old archive and no half one${program === undefined ? '' : ` (needs ${program})`}`,
      async () => {
        using disk = smallDisk();
        const full = disk?.path ?? '';
        await using house = openHouse({ files: FILES });
        writeFileSync(join(full, 'o.zip'), 'old');
        const before = statfsSync(full).bfree;
        const placed = Object.fromEntries(
          Object.entries(args).map(([key, value]) => [key, typeof value === 'string' ? value.replace(/^T\//, `${full}/`) : value]),
        );
        const { results } = await house.run([[name, placed]]);
        expect(results[0]?.error).toMatchObject({ type: 'FileAccessException', context: { code: 'ENOSPC' } });
        expect(readdirSync(full)).toEqual(['o.zip']);
        expect(readFileSync(join(full, 'o.zip'), 'utf8')).toBe('old');
        expect(statfsSync(full).bfree).toBe(before);
      },
    );
  }

  test.each([
    ['FA_unzip_all', (archive: string, target: string) => ({ zip_file_path: archive, extract_path: target }), 'o.zip'],
    ['FA_extract_tar', (archive: string, target: string) => ({ source: archive, target_dir: target }), 'o.tgz'],
  ])('%s leaves the target as it was', async (name, argsFor, archive) => {
    using disk = smallDisk();
    const full = disk?.path ?? '';
    await using house = openHouse({ files: FILES });
    await house.run([
      ['FA_zip_dir', ['s', 'o.zip']],
      ['FA_create_tar', ['s', 'o.tgz']],
    ]);
    cpSync(house.dir.at('s/a.txt'), join(full, 'a.txt'));
    for (const target of [full, join(full, 'new/one')]) {
      const before = statfsSync(full).bfree;
      const { results } = await house.run([[name, argsFor(archive, target)]]);
      expect(results[0]?.error).toMatchObject({ type: 'FileAccessException', context: { code: 'ENOSPC' } });
      expect(readdirSync(full)).toEqual(['a.txt']);
      expect(statfsSync(full).bfree).toBe(before);
    }
  });
});
