import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure, leftovers, openGuarded, openOwner, otherDevice, signal } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Change } from '../../core/journal.ts';
import { createForesight } from '../../core/planning.ts';
import { openBudget } from '../../core/quota.ts';
import { createPlanningFiles } from '../planning.ts';

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('%s', (_, open) => {
  test('moves files, links and directories', async () => {
    using dir = tempDir({ f: '1', 'd/x': '2', 'e/y': '' });
    symlinkSync('f', dir.at('l'));
    const port = open(dir.path);
    await port.move('l', 'e/l', { signal });
    await port.move('f', 'e/f', { signal });
    await port.move('d', 'e/d', { signal });
    expect([dir.read('e/f'), dir.read('e/d/x'), readlinkSync(dir.at('e/l'))]).toEqual(['1', '2', 'f']);
    expect(['f', 'l', 'd'].filter((name) => existsSync(dir.at(name)))).toEqual([]);
  });

  test('replaces files and links, and empty directories with directories', async () => {
    using dir = tempDir({ a: '1', b: '2', c: '3', 'd/x': '4' });
    symlinkSync('b', dir.at('l'));
    mkdirSync(dir.at('empty'));
    const port = open(dir.path);
    await port.move('a', 'b', { signal });
    await port.move('c', 'l', { signal });
    await port.move('d', 'empty', { signal });
    expect([dir.read('b'), dir.read('l'), lstatSync(dir.at('l')).isFile(), dir.read('empty/x')]).toEqual(['1', '3', true, '4']);
  });

  test.each([
    ['x', 'y', false, 'FileNotExistsException'],
    ['f/x', 'y', false, 'FileNotExistsException'],
    ['f', 'g/y', false, 'PathExistsException'],
    ['f', 'd', false, 'FileAccessException'],
    ['f', 'pipe', false, 'FileAccessException'],
    ['d', 'f', false, 'PathExistsException'],
    ['d', 'full', false, 'PathExistsException'],
    ['d', 'd/in', false, 'FileAccessException'],
    ['d', 'ld/in', false, 'FileAccessException'],
    ['d', 'd', false, 'FileAccessException'],
    ['f', 'g', true, 'PathExistsException'],
    ['f', 'f', true, 'PathExistsException'],
    ['f', 'l', true, 'PathExistsException'],
    ['d', 'empty', true, 'PathExistsException'],
  ])('does not move %s to %s (exclusive: %s): %s', async (from, to, exclusive, type) => {
    using dir = tempDir({ f: '1', g: '2', 'd/x': '3', 'full/y': '4' });
    mkdirSync(dir.at('empty'));
    symlinkSync('g', dir.at('l'));
    symlinkSync('d', dir.at('ld'));
    execFileSync('mkfifo', [dir.at('pipe')]);
    expect(await failure(open(dir.path).move(from, to, { signal, exclusive }))).toBe(type);
    expect(['f', 'g', 'd/x', 'full/y'].map(dir.read)).toEqual(['1', '2', '3', '4']);
  });

  test('leaves a file that is moved to where it is', async () => {
    using dir = tempDir({ 'd/f': '1' });
    symlinkSync('d', dir.at('l'));
    await open(dir.path).move('d/f', 'd/f', { signal });
    await open(dir.path).move('d/f', 'l/f', { signal });
    expect(dir.read('d/f')).toBe('1');
  });

  test('takes away the old of two names of one file', async () => {
    using dir = tempDir({ f: '1' });
    linkSync(dir.at('f'), dir.at('g'));
    await open(dir.path).move('f', 'g', { signal });
    expect([dir.read('f'), dir.read('g')]).toEqual([undefined, '1']);
  });

  test('lets only one of many take a name exclusively, and loses none', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `f${at}`);
    using dir = tempDir(Object.fromEntries(names.map((name) => [name, name])));
    const outcomes = await Promise.all(names.map((name) => failure(open(dir.path).move(name, 'target', { signal, exclusive: true }))));
    expect(outcomes.filter((outcome) => outcome === 'PathExistsException')).toHaveLength(7);
    const kept = names.map(dir.read).filter((content) => content !== undefined);
    expect([...kept, dir.read('target')].sort()).toEqual(names);
  });
});

test('says of a directory in the way what can be done about it', async () => {
  using dir = tempDir({ 'd/x': '1', 'full/y': '2', f: '3' });
  const port = openOwner(dir.path);
  await expect(port.move('d', 'full', { signal })).rejects.toThrow(
    `A directory that is not empty is at ${dir.at('full')}; choose another path or empty it first.`,
  );
  await expect(port.move('d', 'f', { signal })).rejects.toThrow(`Something that is no directory is at ${dir.at('f')}`);
});

test('says that somebody else has filled the target of a directory meanwhile', async () => {
  using dir = tempDir({ 'd/x': '1' });
  const moving = openOwner(dir.path, { before: () => dir.write('e/y', '2') }).move('d', 'e', { signal });
  await expect(moving).rejects.toMatchObject({ retryable: true, context: { path: dir.at('e') } });
  expect(['d/x', 'e/y'].map(dir.read)).toEqual(['1', '2']);
});

test('names the source that is gone, and makes the directory of the target once more when it is gone', async () => {
  using dir = tempDir({ a: '1', b: '2', 'd/x': '' });
  const losing = (path: string) => openOwner(dir.path, { before: () => rmSync(dir.at(path), { recursive: true, force: true }) });
  await expect(losing('a').move('a', 'd/a', { signal })).rejects.toMatchObject({
    type: 'FileNotExistsException',
    context: { path: dir.at('a') },
  });
  let isFirst = true;
  const losingOnce = ({ kind }: Change) => {
    if (kind === 'move' && isFirst) rmSync(dir.at('d'), { recursive: true });
    isFirst = false;
  };
  await openOwner(dir.path, { before: losingOnce }).move('b', 'd/b', { signal });
  expect(dir.read('d/b')).toBe('2');
});

describe('a policy', () => {
  test('keeps a directory with a read-only root in it from being moved, and from being moved onto one', async () => {
    using dir = tempDir({ 'd/ro/x': '1', 'e/y': '2' });
    const port = openGuarded(dir.path, { readOnly: [dir.at('d/ro'), dir.at('new/ro')] });
    expect(await failure(port.move('d', 'f', { signal }))).toBe('PolicyException');
    expect(await failure(port.move('d/ro/x', 'x', { signal }))).toBe('PolicyException');
    expect(await failure(port.move('e', 'new', { signal }))).toBe('PolicyException');
    expect(await failure(port.move('.', 'f', { signal }))).toBe('PathTraversalException');
  });

  test('judges a moved link by where it would lead', async () => {
    using dir = tempDir({ 'root/d/e/f': '' });
    symlinkSync('../../d/e/f', dir.at('root/d/e/l'));
    const port = openGuarded(dir.at('root'));
    expect(await failure(port.move('d/e/l', 'l', { signal }))).toBe('PolicyException');
    expect(await failure(port.move('d/e/l', 'd/e/m', { signal }))).toEqual({ value: undefined });
  });
});

const openPlan = (cwd: string) =>
  createPlanningFiles({ real: openOwner(cwd), foresight: createForesight(), policy: undefined, budget: undefined, now: () => 1_000 });

const canMakeDevices = (() => {
  using dir = tempDir();
  return spawnSync('mknod', [dir.at('null'), 'c', '1', '3']).status === 0;
})();

using probe = otherDevice();
describe.skipIf(probe === undefined)('to another device (needs /dev/shm on one)', () => {
  const shm = () => otherDevice() ?? { path: '', [Symbol.dispose]() {} };

  test('goes a file with its mode and time', async () => {
    using dir = tempDir({ f: 'text', big: Buffer.alloc(3_000_000, 'b') });
    using there = shm();
    chmodSync(dir.at('f'), 0o640);
    utimesSync(dir.at('f'), 1000, 2000);
    const port = openOwner(dir.path);
    await port.move('f', join(there.path, 'f'), { signal });
    await port.move('big', join(there.path, 'big'), { signal, exclusive: true });
    const { mode, mtimeMs, size } = statSync(join(there.path, 'f'));
    expect([mode & 0o777, mtimeMs, size, statSync(join(there.path, 'big')).size]).toEqual([0o640, 2_000_000, 4, 3_000_000]);
    expect([existsSync(dir.at('f')), existsSync(dir.at('big')), leftovers(there.path)]).toEqual([false, false, []]);
  });

  test('goes a link as a link, also onto a file', async () => {
    using dir = tempDir();
    using there = shm();
    symlinkSync('nowhere', dir.at('l'));
    symlinkSync('else', dir.at('m'));
    writeFileSync(join(there.path, 'm'), 'old');
    const port = openOwner(dir.path);
    await port.move('l', join(there.path, 'l'), { signal, exclusive: true });
    await port.move('m', join(there.path, 'm'), { signal });
    expect([readlinkSync(join(there.path, 'l')), readlinkSync(join(there.path, 'm'))]).toEqual(['nowhere', 'else']);
    expect([lstatSync(dir.at('l'), { throwIfNoEntry: false }), leftovers(there.path)]).toEqual([undefined, []]);
  });

  test('goes a tree, whole, with its links and modes', async () => {
    using dir = tempDir({ 'd/a': '1', 'd/e/b': '2' });
    using there = shm();
    symlinkSync('../a', dir.at('d/e/l'));
    chmodSync(dir.at('d/e'), 0o710);
    await openOwner(dir.path).move('d', join(there.path, 'd'), { signal });
    expect(existsSync(dir.at('d'))).toBe(false);
    expect([readlinkSync(join(there.path, 'd/e/l')), statSync(join(there.path, 'd/e')).mode & 0o777]).toEqual(['../a', 0o710]);
    expect(leftovers(there.path)).toEqual([]);
  });

  test('goes a tree whose path leads through a link inside it', async () => {
    using dir = tempDir({ 'a/t/x': '1' });
    using there = shm();
    symlinkSync(dir.at('a'), dir.at('a/t/l'));
    await openOwner(dir.path).move('a/t/l/t', join(there.path, 't'), { signal });
    expect([existsSync(dir.at('a/t')), readFileSync(join(there.path, 't/x'), 'utf8')]).toEqual([false, '1']);
  });

  test.each([
    ['f', 'taken', true, 'PathExistsException'],
    ['l', 'taken', true, 'PathExistsException'],
    ['d', 'taken', false, 'PathExistsException'],
    ['d', 'full', false, 'PathExistsException'],
    ['f', 'full', false, 'FileAccessException'],
  ])('does not go %s to %s (exclusive: %s): %s', async (from, to, exclusive, type) => {
    using dir = tempDir({ f: '1', 'd/x': '2' });
    using there = shm();
    symlinkSync('f', dir.at('l'));
    writeFileSync(join(there.path, 'taken'), 'old');
    mkdirSync(join(there.path, 'full/x'), { recursive: true });
    expect(await failure(openOwner(dir.path).move(from, join(there.path, to), { signal, exclusive }))).toBe(type);
    expect([...['f', 'd/x'].map(dir.read), leftovers(there.path)]).toEqual(['1', '2', []]);
  });

  test.runIf(canMakeDevices)('does not go a device, nor a tree with one; a plan knows (needs the right to make devices)', async () => {
    using dir = tempDir({ 'odd/y': '3' });
    using there = shm();
    for (const name of ['null', 'odd/null']) execFileSync('mknod', [dir.at(name), 'c', '1', '3']);
    for (const name of ['null', 'odd'])
      for (const port of [openOwner(dir.path), openPlan(dir.path)])
        expect(await failure(port.move(name, join(there.path, 'new'), { signal }))).toBe('FileAccessException');
    expect([dir.read('odd/y'), existsSync(dir.at('null')), readdirSync(there.path)]).toEqual(['3', true, []]);
  });

  test('does not go a file that was written to while it was copied', async () => {
    using dir = tempDir({ f: 'early' });
    using there = shm();
    const budget = { spend: () => appendFileSync(dir.at('f'), ' and late') };
    const moving = openOwner(dir.path, { budget }).move('f', join(there.path, 'f'), { signal });
    await expect(moving).rejects.toMatchObject({ type: 'FileAccessException', retryable: true, context: { path: dir.at('f') } });
    expect([dir.read('f'), existsSync(join(there.path, 'f')), leftovers(there.path)]).toEqual(['early and late', false, []]);
  });

  test('goes a tree without what was added or changed while it was copied: that stays', async () => {
    using dir = tempDir({ 'd/a': '1', 'd/e/b': '2', 'd/f/c': '3' });
    using there = shm();
    const spend = () => {
      dir.write('d/e/new', 'new');
      dir.write('d/a', 'changed');
    };
    const moving = openOwner(dir.path, { budget: { spend } }).move('d', join(there.path, 'd'), { signal });
    await expect(moving).rejects.toMatchObject({ type: 'FileAccessException', retryable: true, context: { path: dir.at('d/a') } });
    expect(['d/a', 'd/e/b', 'd/e/new', 'd/f/c'].map(dir.read)).toEqual(['changed', undefined, 'new', undefined]);
    expect(['a', 'e/b', 'f/c'].map((name) => existsSync(join(there.path, 'd', name)))).toEqual([true, true, true]);
  });

  test('is cancelled without a trace', async () => {
    using dir = tempDir({ 'd/a': '1', 'd/b': Buffer.alloc(3_000_000) });
    using there = shm();
    const stop = new AbortController();
    const budget = { spend: (bytes: number) => void (bytes > 1 && stop.abort()) };
    expect(await failure(openOwner(dir.path, { budget }).move('d', join(there.path, 'd'), { signal: stop.signal }))).toBe(
      'CancelledException',
    );
    expect([dir.read('d/a'), existsSync(join(there.path, 'd')), leftovers(there.path)]).toEqual(['1', false, []]);
  });

  test('counts its bytes, on the same device it does not', async () => {
    using dir = tempDir({ f: 'x'.repeat(100), 'd/f': 'x'.repeat(100) });
    using there = shm();
    const port = openOwner(dir.path, { budget: openBudget(50, undefined) });
    expect(await failure(port.move('f', join(there.path, 'f'), { signal }))).toBe('QuotaExceededException');
    expect(await failure(port.move('d', join(there.path, 'd'), { signal }))).toBe('QuotaExceededException');
    await port.move('f', 'g', { signal });
    expect([dir.read('g')?.length, dir.read('d/f')?.length, leftovers(there.path)]).toEqual([100, 100, []]);
  });
});
