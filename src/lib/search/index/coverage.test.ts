import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { type CoverageOptions, coverageOf } from './coverage.ts';
import { readUpdateRules } from './locate.ts';
import { type Mount, mountOf, readMounts } from './mounts.ts';

const RULES = `PRUNE_BIND_MOUNTS="yes"
# PRUNENAMES=".git .bzr"
 PRUNENAMES = ".svn node_modules"
PRUNEPATHS="/tmp/ /var/spool"
PRUNEFS="NFS tmpfs"
`;

test('the rules of updatedb are read', () => {
  const { names, paths, fileSystems } = readUpdateRules(RULES);
  expect([[...names], paths, [...fileSystems]]).toEqual([
    ['.svn', 'node_modules'],
    ['/tmp', '/var/spool'],
    ['nfs', 'tmpfs'],
  ]);
  expect(readUpdateRules('').paths).toEqual([]);
});

test('mounts are read, and the one that a path lies on is found', () => {
  const mounts = readMounts(
    [
      '27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
      '22 27 0:21 / /proc rw - proc proc rw',
      '30 27 254:0 /home /srv/my\\040data rw master:2 propagate_from:1 - ext4 /dev/vda rw',
      '',
    ].join('\n'),
  );
  expect(mounts).toEqual([
    { path: '/', fileSystem: 'ext4', isPart: false },
    { path: '/proc', fileSystem: 'proc', isPart: false },
    { path: '/srv/my data', fileSystem: 'ext4', isPart: true },
  ]);
  expect(mountOf(mounts, '/proc/1')?.path).toBe('/proc');
  expect(mountOf(mounts, '/process')?.path).toBe('/');
  expect(mountOf(mounts, '/srv/my data')?.isPart).toBe(true);
});

describe('an index covers a directory', () => {
  const plain: Mount = { path: '/', fileSystem: 'ext4', isPart: false };
  /** Long before the tree was made, or long after. */
  const HOUR_MS = 3_600_000;
  const covered = (rules: string, options: CoverageOptions = {}, path = 'tree/inner') => {
    using dir = tempDir({ 'tree/inner/a': '', database: 'x', rules: rules.replaceAll('$DIR', '.') });
    dir.write('rules', rules.replaceAll('$DIR', dir.path));
    const files = { database: dir.at('database'), rules: dir.at('rules') };
    return coverageOf(dir.at(path), files, { marginMs: -HOUR_MS, mounts: [plain], ...options });
  };

  test('that has not changed since', () => {
    const coverage = covered('PRUNENAMES=".git"\nPRUNEPATHS="/x/y"');
    expect([coverage?.isPruned('.git', '/a/.git'), coverage?.isPruned('y', '/x/y'), coverage?.isPruned('y', '/x/y/y')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('without rules too', () => {
    using dir = tempDir({ 'tree/a': '', database: '' });
    expect(
      coverageOf(dir.at('tree'), { database: dir.at('database'), rules: dir.at('none') }, { marginMs: -HOUR_MS, mounts: [plain] }),
    ).toBeDefined();
  });

  test.each<[string, string, CoverageOptions]>([
    ['the index is old', '', { nowMs: Date.now() + 100 * HOUR_MS }],
    ['it may have been moved since', '', { marginMs: HOUR_MS }],
    ['its path is left out', 'PRUNEPATHS="$DIR"', {}],
    ['a name on its path is left out', 'PRUNENAMES="tree"', {}],
    ['its file system is left out', 'PRUNEFS="EXT4"', {}],
    ['its file system does not count links', '', { mounts: [{ ...plain, fileSystem: 'btrfs' }] }],
    ['it is part of another file system', '', { mounts: [{ ...plain, isPart: true }] }],
    ['nothing is known of file systems', '', { mounts: [] }],
  ])('but not when %s', (_, rules, options) => expect(covered(rules, options)).toBeUndefined());

  test('but not when something is mounted below', () => {
    using dir = tempDir({ 'tree/inner/a': '', database: '' });
    const files = { database: dir.at('database'), rules: dir.at('rules') };
    const mounts = [plain, { ...plain, path: dir.at('tree/inner') }];
    expect(coverageOf(dir.at('tree'), files, { marginMs: -HOUR_MS, mounts })).toBeUndefined();
    expect(coverageOf(dir.at('tree/inner'), files, { marginMs: -HOUR_MS, mounts })).toBeDefined();
  });
});
