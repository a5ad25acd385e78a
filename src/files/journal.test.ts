import { existsSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure, leftovers, openGuarded, openOwner, otherDevice, signal } from '../../test/e2e/files/ports.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import type { FilePort } from '../core/files.ts';
import type { Change } from '../core/journal.ts';

const FILES = { f: '1', g: '2', 'd/x': '3', 'd/e/y': '4', 's/x': '5', 's/n/z': '6' };

/** A call, and the changes it makes as `kind path`, real paths relative to the directory. */
const CALLS: readonly (readonly [string, (port: FilePort) => Promise<unknown>, readonly string[]])[] = [
  ['a new file', (port) => port.write('l/new', Buffer.from('x'), { signal }), ['create d/new']],
  ['a replaced file', (port) => port.write('f', Buffer.from('x'), { signal }), ['overwrite f']],
  ['a copy', (port) => port.copy('f', 'l/x', { signal, keepMetadata: true }), ['overwrite d/x']],
  ['a move', (port) => port.move('f', 'l/f', { signal }), ['move f d/f']],
  ['a move onto something', (port) => port.move('f', 'g', { signal }), ['move f g']],
  ['a removal', (port) => port.remove('l/x'), ['delete d/x']],
  ['directories', (port) => port.makeDir('l/a/b', { parents: true }), ['make_dir d/a', 'make_dir d/a/b']],
  ['a directory that is there', (port) => port.makeDir('l'), []],
  ['a link', (port) => port.makeLink('l/m', 'x'), ['create d/m']],
  ['a mode', (port) => port.setMode('l/x', 0o600), ['set d/x']],
  ['a time', (port) => port.setTimes('l/x', { mtimeMs: 0 }), ['set d/x']],
  ['a removed tree', (port) => port.removeTree('d', { signal }), ['delete_tree d']],
  ['a new tree', (port) => port.copyTree('l', 'new', { signal, keepMetadata: true }), ['create new']],
  ['a merged tree', (port) => port.copyTree('s', 'l', { signal, keepMetadata: true }), ['create d/n', 'overwrite d/x', 'set d']],
  ['reading', (port) => Promise.all([port.read('f'), port.list('d'), port.stat('f')]), []],
];

const describeChange = (change: Change, root: string): string => {
  const paths = change.kind === 'move' ? [change.from, change.to] : [change.path];
  return [change.kind, ...paths.map((path) => path.replace(`${root}/`, ''))].join(' ');
};

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('the journal of %s', (_, open) => {
  test.each(CALLS)('hears of %s once, before it happens, by real paths', async (_, call, expected) => {
    using dir = tempDir(FILES);
    symlinkSync('d', dir.at('l'));
    const heard: string[] = [];
    await call(open(dir.path, { before: (change) => void heard.push(describeChange(change, dir.path)) }));
    expect(heard).toEqual(expected);
  });

  test.each(CALLS.filter(([, , expected]) => expected.length > 0))('prevents %s when it fails', async (_, call) => {
    using dir = tempDir(FILES);
    symlinkSync('d', dir.at('l'));
    const look = () => ['f', 'g', 'd/x', 'd/e/y', 'd/new', 'd/f', 'd/a', 'd/m', 'd/n', 'new'].map((name) => stampOf(dir.at(name)));
    const before = look();
    const refuse = () => {
      throw Object.assign(new Error('ENOSPC: the journal is full'), { code: 'ENOSPC' });
    };
    expect(await failure(call(open(dir.path, { before: refuse })))).toBe('FileAccessException');
    expect(look()).toEqual(before);
    expect(leftovers(dir.path)).toEqual([]);
  });

  test('is told what will be replaced or deleted', async () => {
    using dir = tempDir(FILES);
    const heard: Change[] = [];
    const port = open(dir.path, { before: (change) => void heard.push(change) });
    await port.write('f', Buffer.from('longer'), { signal });
    await port.move('f', 'g', { signal });
    await port.remove('g');
    expect(heard).toMatchObject([
      { kind: 'overwrite', entry: { kind: 'file', size: 1 } },
      { kind: 'move', replaced: { kind: 'file', size: 1 } },
      { kind: 'delete', entry: { kind: 'file', size: 6 } },
    ]);
  });

  test('hears of nothing that is refused', async () => {
    using dir = tempDir(FILES);
    const heard: Change[] = [];
    const port = open(dir.path, { before: (change) => void heard.push(change) });
    const refused = [
      port.write('d', Buffer.from(''), { signal }),
      port.write('no/f', Buffer.from(''), { signal, needsDirectory: true }),
      port.write('f/x', Buffer.from(''), { signal }),
      port.move('d', 'f/x', { signal }),
      port.move('f', 'd', { signal }),
      port.move('d', 's', { signal }),
      port.makeDir('no/d'),
      port.makeLink('f', 'x'),
      port.makeLink('f/l', 'x'),
      port.remove('d'),
      port.removeTree('f', { signal }),
      port.setMode('no', 0),
    ];
    await Promise.allSettled(refused);
    expect(heard).toEqual([]);
  });
});

using probe = otherDevice();
test.skipIf(probe === undefined)('a move to another device is one change (needs /dev/shm on one)', async () => {
  using dir = tempDir(FILES);
  using there = otherDevice();
  if (there === undefined) return;
  const heard: string[] = [];
  const port = openOwner(dir.path, { before: (change) => void heard.push(describeChange(change, dir.path)) });
  mkdirSync(join(there.path, 'd'));
  await port.move('f', join(there.path, 'f'), { signal });
  await port.move('d', join(there.path, 'd'), { signal });
  expect(heard).toEqual([`move f ${there.path}/f`, `move d ${there.path}/d`]);
  expect(existsSync(dir.at('d'))).toBe(false);
});

const stampOf = (path: string) => {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && [stats.ino, stats.size, stats.mtimeNs, stats.mode];
};
