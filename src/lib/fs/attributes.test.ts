import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { carryAttributes, copyAttributes } from './attributes.ts';

const { signal } = new AbortController();

/** Every file here is opened anew, as descriptors are what the functions take. */
const withOpen = async <T>(paths: readonly string[], work: (...fds: readonly [number, number]) => Promise<T>): Promise<T> => {
  const fds = paths.map((path) => openSync(path, 'r'));
  try {
    return await work(fds[0] ?? -1, fds[1] ?? -1);
  } finally {
    for (const fd of fds) closeSync(fd);
  }
};

const setNote = (path: string, value: string) => spawnSync('setfattr', ['-n', 'user.note', '-v', value, path]).status === 0;
const noteOf = (path: string) => spawnSync('getfattr', ['--only-values', '-n', 'user.note', path], { encoding: 'utf8' }).stdout;
const aclOf = (path: string) => execFileSync('getfacl', ['-c', '--absolute-names', path], { encoding: 'utf8' });

/** Not every machine has the programs, and not every file system attributes. */
const canSet = (() => {
  using dir = tempDir({ a: '' });
  return setNote(dir.at('a'), 'x') && spawnSync('setfacl', ['-m', 'u:12345:r', dir.at('a')]).status === 0;
})();
const withAttributes = test.runIf(canSet);

withAttributes('an attribute and an access list come along, the content stays', async () => {
  using dir = tempDir({ 'old.txt': 'old', 'new.txt': 'new' });
  setNote(dir.at('old.txt'), 'kept');
  execFileSync('setfacl', ['-m', 'u:12345:rw', dir.at('old.txt')]);
  const lost = await withOpen([dir.at('old.txt'), dir.at('new.txt')], (from, to) => copyAttributes(from, to, { signal }));
  expect(lost).toEqual([]);
  expect(noteOf(dir.at('new.txt'))).toBe('kept');
  chmodSync(dir.at('new.txt'), statSync(dir.at('old.txt')).mode & 0o777); // the mode is the caller's to set, and the list's mask with it
  expect(aclOf(dir.at('new.txt'))).toBe(aclOf(dir.at('old.txt')));
  expect(readFileSync(dir.at('new.txt'), 'utf8')).toBe('new');
});

withAttributes('a file without attributes is found out', async () => {
  using dir = tempDir({ plain: '', noted: '' });
  setNote(dir.at('noted'), 'x');
  await withOpen([dir.at('plain'), dir.at('noted')], async (plain, noted) => {
    expect(await carryAttributes(plain, noted, { signal })).toEqual({ lost: [], isPlain: true });
    expect(await carryAttributes(noted, plain, { signal })).toEqual({ lost: [], isPlain: false });
  });
});

withAttributes('everything below a directory comes along, whatever its name', async () => {
  using dir = tempDir({ 'from/deep/a b\nc.txt': 'x', 'from/é': 'y', 'to/deep/a b\nc.txt': '1', 'to/é': '2' });
  for (const path of ['from', 'from/deep', 'from/deep/a b\nc.txt', 'from/é']) setNote(dir.at(path), path.length.toString());
  const lost = await withOpen([dir.at('from'), dir.at('to')], (from, to) => copyAttributes(from, to, { signal, isTree: true }));
  expect(lost).toEqual([]);
  expect(['to', 'to/deep', 'to/deep/a b\nc.txt', 'to/é'].map((path) => noteOf(dir.at(path)))).toEqual(['4', '9', '19', '6']);
});

withAttributes('without getfattr a single file is served by cp, a tree is named as lost', async () => {
  using dir = tempDir({ 'old.txt': 'old', 'new.txt': 'new' });
  setNote(dir.at('old.txt'), 'kept');
  {
    using _path = pathWithOnly(dir.at('bin'), ['cp']);
    const both = [dir.at('old.txt'), dir.at('new.txt')];
    expect(await withOpen(both, (from, to) => copyAttributes(from, to, { signal }))).toEqual([]);
    const lost = await withOpen([dir.path, dir.path], (from, to) => copyAttributes(from, to, { signal, isTree: true }));
    expect(lost).toMatchObject([{ reason: expect.stringContaining('getfattr') }]);
  }
  expect(noteOf(dir.at('new.txt'))).toBe('kept');
});

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

const WAYS: readonly [string, readonly string[]][] = [
  ['by cp', ['cp']],
  ['by getfattr and setfattr', ['getfattr', 'setfattr']],
];

test.each(canSet ? WAYS : WAYS.slice(0, 1))(
  'a file that others may not look into stays closed to them when attributes come %s',
  async (_, programs) => {
    using dir = tempDir({ old: 'old', new: 'secret' });
    if (canSet) execFileSync('setfacl', ['-m', 'u:12345:rw', dir.at('old')]);
    chmodSync(dir.at('old'), 0o664);
    chmodSync(dir.at('new'), 0o600);
    {
      using _path = pathWithOnly(dir.at('bin'), programs);
      await withOpen([dir.at('old'), dir.at('new')], (from, to) => copyAttributes(from, to, { signal }));
    }
    expect(modeOf(dir.at('new'))).toBe(0o600);
  },
);

test('without any program what is lost is named', async () => {
  using dir = tempDir({ a: '', b: '' });
  using _path = pathWithOnly(dir.at('bin'), []);
  await withOpen([dir.at('a'), dir.at('b')], async (from, to) => {
    expect(await copyAttributes(from, to, { signal })).toMatchObject([{ reason: expect.stringContaining('getfattr') }]);
  });
});

test('work that was cancelled ends with its reason', async () => {
  using dir = tempDir({ a: '', b: '' });
  await withOpen([dir.at('a'), dir.at('b')], async (from, to) => {
    await expect(copyAttributes(from, to, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});

/** A search path that holds these programs and nothing else, until it is disposed of. */
const pathWithOnly = (directory: string, programs: readonly string[]): Disposable => {
  const before = process.env.PATH;
  execFileSync('mkdir', ['-p', directory]);
  for (const program of programs) {
    const real = execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
    writeFileSync(`${directory}/${program}`, `#!/bin/sh\nexec ${real} "$@"\n`, { mode: 0o755 });
  }
  process.env.PATH = directory;
  return {
    [Symbol.dispose]() {
      process.env.PATH = before;
    },
  };
};
