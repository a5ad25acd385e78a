import { chmodSync, lstatSync, mkdirSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasTool, tool } from '../../support/archives/tools.ts';
import { treeOf } from '../../support/archives/tree.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';

const LONG = `${'a-rather-long-directory-name/'.repeat(6)}${'n'.repeat(120)}.txt`;
const FILES = {
  's/a.txt': 'one',
  's/script.sh': '#!/bin/sh\n',
  's/empty.txt': '',
  's/文 and é.txt': 'unicode',
  [`s/${LONG}`]: 'deep',
  's/large.txt': 'words of a large file\n'.repeat(100_000),
};
const MTIME_S = 1_700_000_000;

/** A tree with everything that archives tend to lose. */
const openTree = (): TestHouse => {
  const house = openHouse({ files: FILES });
  mkdirSync(house.dir.at('s/empty-dir'));
  chmodSync(house.dir.at('s/script.sh'), 0o755);
  chmodSync(house.dir.at('s/a.txt'), 0o600);
  utimesSync(house.dir.at('s/a.txt'), MTIME_S, MTIME_S);
  return house;
};

const expectSameTree = (house: TestHouse, path: string) => {
  expect(treeOf(house.dir.at(path))).toEqual(treeOf(house.dir.at('s')));
  const [a, script] = ['a.txt', 'script.sh'].map((name) => lstatSync(house.dir.at(`${path}/${name}`)));
  expect([a?.mode.toString(8), a?.mtimeMs, script?.mode.toString(8)]).toEqual(['100600', MTIME_S * 1000, '100755']);
};

const run = async (house: TestHouse, ...command: [string, Record<string, unknown>]) => {
  const { results } = await house.run([command]);
  expect(results[0]?.error).toBeUndefined();
};

/** What unpacks our archives: the program, what we pack first, and how it is called. */
const READERS: readonly (readonly [string, string, Record<string, unknown>, string, readonly string[], string])[] = [
  ['unzip', 'FA_zip_dir', { dir_we_want_to_zip: 's', zip_name: 'o.zip' }, 'unzip', ['-q', 'o.zip', '-d', 'x'], 'x'],
  ['7z', 'FA_zip_dir', { dir_we_want_to_zip: 's', zip_name: 'o.zip' }, '7z', ['x', '-ox', 'o.zip'], 'x'],
  [
    '7z, encrypted',
    'FA_zip_dir',
    { dir_we_want_to_zip: 's', zip_name: 'o.zip', password: 'p é' },
    '7z',
    ['x', '-pp é', '-ox', 'o.zip'],
    'x',
  ],
  ['tar', 'FA_create_tar', { source: 's', target: 'o.tar', compression: null }, 'tar', ['-xf', 'o.tar', '-C', 'x'], 'x/s'],
  ['tar, gz', 'FA_create_tar', { source: 's', target: 'o.tar', compression: 'gz' }, 'tar', ['-xzf', 'o.tar', '-C', 'x'], 'x/s'],
  ['tar, bz2', 'FA_create_tar', { source: 's', target: 'o.tar', compression: 'bz2' }, 'bzip2', [], 'x/s'],
  ['tar, xz', 'FA_create_tar', { source: 's', target: 'o.tar', compression: 'xz' }, 'xz', [], 'x/s'],
  ['tar, zst', 'FA_create_tar', { source: 's', target: 'o.tar', compression: 'zst' }, 'zstd', [], 'x/s'],
  ['7z, tar', 'FA_create_tar', { source: 's', target: 'o.tar', compression: null }, '7z', ['x', '-ox', 'o.tar'], 'x/s'],
];

describe('what is packed here is unpacked there', () => {
  for (const [label, action, args, program, call, result] of READERS) {
    test.skipIf(!hasTool(program))(`by ${label} (needs ${program})`, async () => {
      await using house = openTree();
      mkdirSync(house.dir.at('x'));
      await run(house, action, args);
      if (call.length > 0) tool(program, call, { cwd: house.dir.path });
      else tool('tar', [`--use-compress-program=${program}`, '-xf', 'o.tar', '-C', 'x'], { cwd: house.dir.path });
      expectSameTree(house, result);
    });
  }
});

/** What packs the archives that we unpack. */
const WRITERS: readonly (readonly [string, string, readonly string[], string])[] = [
  ['zip', 'zip', ['-q', '-r', '../o', '.'], 'x'],
  ['zip, stored', 'zip', ['-0', '-q', '-r', '../o', '.'], 'x'],
  ['zip, encrypted', 'zip', ['-q', '-r', '-P', 'p', '../o', '.'], 'x'],
  ['7z, zip', '7z', ['a', '-tzip', '../o', '.'], 'x'],
  ['7z, zip with AES', '7z', ['a', '-tzip', '-mem=AES256', '-pp', '../o', '.'], 'x'],
  ['tar', 'tar', ['-cf', '../o', '.'], 'x'],
  ['tar, pax', 'tar', ['--format=pax', '-cf', '../o', '.'], 'x'],
  ['tar, gz', 'tar', ['-czf', '../o', '.'], 'x'],
  ['tar, bz2', 'bzip2', [], 'x'],
  ['tar, xz', 'xz', [], 'x'],
  ['tar, zst', 'zstd', [], 'x'],
  ['7z, tar', '7z', ['a', '-ttar', '../o', '.'], 'x'],
];

describe('what is packed there is unpacked here', () => {
  for (const [label, program, call, result] of WRITERS) {
    test.skipIf(!hasTool(program))(`from ${label} (needs ${program})`, async () => {
      await using house = openTree();
      tool(call.length > 0 ? program : 'tar', call.length > 0 ? call : [`--use-compress-program=${program}`, '-cf', '../o', '.'], {
        cwd: house.dir.at('s'),
      });
      // zip and 7z add the ending that they think fits.
      const written = ['o', 'o.zip', 'o.tar'].find((name) => lstatSync(house.dir.at(name), { throwIfNoEntry: false }) !== undefined);
      await run(house, 'FA_extract_archive', { source: written, target: 'x', password: 'p' });
      expectSameTree(house, result);
    });
  }

  test.skipIf(!hasTool('7z'))('from 7z in its own format, but for modes and times (needs 7z)', async () => {
    await using house = openTree();
    tool('7z', ['a', '../o.7z', '.'], { cwd: house.dir.at('s') });
    await run(house, 'FA_extract_archive', { source: 'o.7z', target: 'x' });
    expect(treeOf(house.dir.at('x'))).toEqual(treeOf(house.dir.at('s')));
  });
});
