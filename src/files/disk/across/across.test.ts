import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure, leftovers, openGuarded, openOwner, otherDevice, signal } from '../../../../test/e2e/files/ports.ts';
import { asOrdinaryUser } from '../../../../test/support/ordinary-user.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { canMountTmpfs, tmpfs } from '../../../../test/support/tmpfs.ts';
import { canSetAttributes, portraitOf } from '../../../../test/support/tree-portrait.ts';
import type { LostProperty } from '../../../core/files.ts';

using probe = otherDevice();
const shm = () => otherDevice() ?? { path: '', [Symbol.dispose]() {} };
const isRoot = process.getuid?.() === 0;
const hasAttributes = (() => {
  using dir = tempDir();
  return probe !== undefined && canSetAttributes(dir.path) && canSetAttributes(probe.path);
})();

/** Times that are no whole microseconds, which Node cannot set. */
const setTime = (path: string, time: string) => execFileSync('touch', ['-h', '-d', time, path]);

const gather = () => {
  const told: (readonly LostProperty[])[] = [];
  return { told, onLost: (lost: readonly LostProperty[]) => void told.push(lost) };
};

describe.skipIf(probe === undefined)('a move to another device (needs /dev/shm on one)', () => {
  test('keeps times to the nanosecond, hard links, links, pipes and sockets', async () => {
    using dir = tempDir({ 'd/a': '1', 'd/e/b': '22', 'd/empty': '' });
    using there = shm();
    linkSync(dir.at('d/a'), dir.at('d/e/again'));
    linkSync(dir.at('d/a'), dir.at('d/thrice'));
    symlinkSync('../a', dir.at('d/e/l'));
    symlinkSync('nowhere', dir.at('d/dangling'));
    execFileSync('mkfifo', [dir.at('d/pipe')]);
    chmodSync(dir.at('d/e/b'), 0o444);
    chmodSync(dir.at('d/e'), 0o750);
    for (const [at, name] of ['d/a', 'd/e/b', 'd/e/l', 'd/empty', 'd/pipe', 'd/e', 'd'].entries())
      setTime(dir.at(name), `2021-03-0${at + 1} 12:34:56.${at}23456789 UTC`);
    const before = portraitOf(dir.at('d'));
    const { told, onLost } = gather();
    await openOwner(dir.path).move('d', join(there.path, 'd'), { signal, onLost });
    expect(portraitOf(join(there.path, 'd'))).toEqual(before);
    expect([told, existsSync(dir.at('d')), leftovers(there.path)]).toEqual([[], false, []]);
  });

  test('keeps the time of a single file, link and pipe', async () => {
    using dir = tempDir({ f: 'x' });
    using there = shm();
    symlinkSync('f', dir.at('l'));
    execFileSync('mkfifo', [dir.at('p')]);
    const names = ['f', 'l', 'p'];
    for (const name of names) setTime(dir.at(name), '2021-03-01 12:34:56.123456789 UTC');
    const before = portraitOf(dir.path, names);
    const { told, onLost } = gather();
    for (const name of names) await openOwner(dir.path).move(name, join(there.path, name), { signal, onLost });
    expect(portraitOf(there.path, names)).toEqual(before);
    expect([told, readdirSync(dir.path), leftovers(there.path)]).toEqual([[], [], []]);
  });

  test.runIf(isRoot)('keeps owners and the rights to act as them (needs the superuser)', async () => {
    using dir = tempDir({ 'd/a': '1', 'd/e/b': '2', f: '3' });
    using there = shm();
    symlinkSync('a', dir.at('d/l'));
    chownSync(dir.at('d/a'), 1234, 2345);
    chmodSync(dir.at('d/a'), 0o4755);
    chownSync(dir.at('d/e'), 77, 78);
    chmodSync(dir.at('d/e'), 0o2770);
    lchownSync(dir.at('d/l'), 5, 6);
    chownSync(dir.at('d'), 9, 10);
    chownSync(dir.at('f'), 12, 13);
    chmodSync(dir.at('f'), 0o6711);
    const before = portraitOf(dir.path, ['d', 'f']);
    const { told, onLost } = gather();
    for (const name of ['d', 'f']) await openOwner(dir.path).move(name, join(there.path, name), { signal, onLost });
    expect([portraitOf(there.path, ['d', 'f']), told]).toEqual([before, []]);
  });

  test.runIf(hasAttributes)('keeps attributes and access lists (needs attr and acl)', async () => {
    using dir = tempDir({ 'd/a b\n=c': '1', 'd/e/b': '2', f: '3' });
    using there = shm();
    for (const name of ['d/a b\n=c', 'd/e', 'd', 'f']) execFileSync('setfattr', ['-n', 'user.note', '-v', name, dir.at(name)]);
    execFileSync('setfacl', ['-m', 'u:12345:rw', dir.at('d/e/b'), dir.at('f')]);
    execFileSync('setfacl', ['-d', '-m', 'u:12345:rwx', dir.at('d/e')]);
    const before = portraitOf(dir.path, ['d', 'f']);
    const { told, onLost } = gather();
    for (const name of ['d', 'f']) await openOwner(dir.path).move(name, join(there.path, name), { signal, onLost });
    expect([portraitOf(there.path, ['d', 'f']), told]).toEqual([before, []]);
  });

  test('without any program keeps what Node can, and tells of the rest', async () => {
    using dir = tempDir({ 'd/a': '1', f: '2' });
    using there = shm();
    symlinkSync('a', dir.at('d/l'));
    linkSync(dir.at('d/a'), dir.at('d/b'));
    chmodSync(dir.at('d/a'), 0o640);
    for (const name of ['d/a', 'd/l', 'f']) setTime(dir.at(name), '2021-03-01 12:34:56.123456789 UTC');
    utimesSync(dir.at('d'), 1000, 2000);
    const told: unknown[] = [];
    const onLost = (lost: readonly LostProperty[], unknown?: string) => void told.push(lost, unknown);
    {
      using _path = withoutPrograms();
      for (const name of ['d', 'f']) await openOwner(dir.path).move(name, join(there.path, name), { signal, onLost });
    }
    const at = (name: string) => join(there.path, name);
    const [a, d] = [statSync(at('d/a')), statSync(at('d'))];
    expect([a.mode & 0o777, Math.trunc(a.mtimeMs), statSync(at('d/b')).ino === a.ino, d.mtimeMs]).toEqual([
      0o640,
      1_614_602_096_123,
      true,
      2_000_000,
    ]);
    const why = expect.stringContaining('getfattr');
    expect(told).toEqual([
      [{ what: 'time', count: 3, paths: ['d/a', 'd/b', 'd/l'].map(at) }],
      why,
      [{ what: 'time', count: 1, paths: [at('f')] }],
      why,
    ]);
  });

  test('does not go where a pipe cannot be made', async () => {
    using dir = tempDir({ 'd/a': '1' });
    using there = shm();
    execFileSync('mkfifo', [dir.at('d/p'), dir.at('q')]);
    using _path = withoutPrograms();
    for (const name of ['d', 'q']) {
      expect(await failure(openOwner(dir.path).move(name, join(there.path, name), { signal }))).toBe('FileAccessException');
      expect([existsSync(dir.at(name)), readdirSync(there.path)]).toEqual([true, []]);
    }
  });

  test.runIf(isRoot)('a user who may not keep an owner is told, and acts as nobody else (needs the superuser)', async () => {
    using dir = tempDir({ 'd/f': 'x' });
    using there = shm();
    const { told, onLost } = gather();
    chownSync(there.path, 65_534, 65_534);
    await asOrdinaryUser(dir.path, async () => {
      process.seteuid?.(0);
      chownSync(dir.at('d'), 65_534, process.getegid?.() ?? 0);
      chownSync(dir.at('d/f'), 1234, 1234);
      chmodSync(dir.at('d/f'), 0o4755);
      process.seteuid?.(65_534);
      await openOwner(dir.path).move('d', join(there.path, 'd'), { signal, onLost });
    });
    const { mode, uid } = statSync(join(there.path, 'd/f'));
    expect([mode & 0o7777, uid]).toEqual([0o755, 65_534]);
    expect(told).toEqual([['owner', 'mode'].map((what) => ({ what, count: 1, paths: [join(there.path, 'd/f')] }))]);
  });

  test('leaves out what others are writing, and keeps what was edited to the same size meanwhile', async () => {
    using dir = tempDir({ 'd/a': 'old', 'd/b': '1' });
    using there = shm();
    let count = 0;
    const spend = () => {
      count += 1;
      if (count === 2) writeFileSync(dir.at('d/a'), 'new');
    };
    expect(await failure(openOwner(dir.path, { budget: { spend } }).move('d', join(there.path, 'd'), { signal }))).toBe(
      'FileAccessException',
    );
    expect([dir.read('d/a'), dir.read('d/b')]).toEqual(['new', undefined]);
  });

  test('of two at once loses nothing, whichever of them gets what', async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`d/${at % 5}/${at}`, `${at}`]));
    using dir = tempDir(files);
    using there = shm();
    const targets = ['one', 'other'].map((name) => join(there.path, name));
    await Promise.allSettled(targets.map((target) => openOwner(dir.path).move('d', target, { signal })));
    const places = [dir.at('d'), ...targets];
    for (const [name, content] of Object.entries(files)) {
      const found = places.map((place) => join(place, name.slice(2))).filter((path) => existsSync(path));
      expect([name, new Set(found.map((path) => readFileSync(path, 'utf8')))]).toEqual([name, new Set([content])]);
    }
    expect(leftovers(there.path)).toEqual([]);
  });

  test('of a caller with a policy keeps as much', async () => {
    using dir = tempDir({ 'd/a': '1' });
    using there = shm();
    linkSync(dir.at('d/a'), dir.at('d/b'));
    symlinkSync('a', dir.at('d/l'));
    for (const name of ['d/a', 'd/l', 'd']) setTime(dir.at(name), '2021-03-01 12:34:56.123456789 UTC');
    const before = portraitOf(dir.at('d'));
    await openGuarded(dir.path, { readWrite: [dir.path, there.path] }).move('d', join(there.path, 'd'), { signal });
    expect(portraitOf(join(there.path, 'd'))).toEqual(before);
  });
});

describe.skipIf(!canMountTmpfs || !hasAttributes)('a file system without attributes (needs the right to mount, attr and acl)', () => {
  test('takes the rest, and what it does not take is named', async () => {
    using dir = tempDir({ 'd/a': '1', 'd/e/b': '2', f: '3' });
    using room = tmpfs();
    const ram = join(room.path, 'ram');
    mkdirSync(ram);
    execFileSync('mount', ['-t', 'ramfs', 'ramfs', ram]);
    try {
      chmodSync(ram, 0o777);
      execFileSync('setfattr', ['-n', 'user.note', '-v', 'x', dir.at('d/a'), dir.at('f')]);
      execFileSync('setfacl', ['-m', 'u:12345:rw', dir.at('d/e/b')]);
      const { told, onLost } = gather();
      for (const name of ['d', 'f']) await openOwner(dir.path).move(name, join(ram, name), { signal, onLost });
      expect(readFileSync(join(ram, 'd/a'), 'utf8')).toBe('1');
      expect(told).toEqual([
        [
          { what: 'attribute', count: 1, paths: [join(ram, 'd/a')] },
          { what: 'access_list', count: 1, paths: [join(ram, 'd/e/b')] },
        ],
        [{ what: 'attribute', count: 1, paths: [join(ram, 'f')] }],
      ]);
      expect(lstatSync(dir.at('d'), { throwIfNoEntry: false })).toBeUndefined();
    } finally {
      execFileSync('umount', [ram]);
    }
  });
});

/** A search path on which nothing is found, until it is disposed of. */
const withoutPrograms = (): Disposable => {
  const before = process.env.PATH;
  process.env.PATH = '/nonexistent';
  return {
    [Symbol.dispose]() {
      process.env.PATH = before;
    },
  };
};
