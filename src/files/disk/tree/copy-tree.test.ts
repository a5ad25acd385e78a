import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readlinkSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { failure, leftovers, openGuarded, openOwner, signal } from '../../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { openBudget } from '../../../core/quota.ts';

const KEEP = { signal, keepMetadata: true };

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('%s', (_, open) => {
  test('copies a tree with links, empty directories, modes and times', async () => {
    using dir = tempDir({ 's/a': '1', 's/e/b': Buffer.alloc(700_000, 'b') });
    symlinkSync('e/b', dir.at('s/l'));
    mkdirSync(dir.at('s/empty'));
    chmodSync(dir.at('s/empty'), 0o750);
    execFileSync('mkfifo', [dir.at('s/pipe')]);
    chmodSync(dir.at('s/a'), 0o600);
    for (const name of ['s/a', 's/e', 's']) utimesSync(dir.at(name), 1000, 2000);
    chmodSync(dir.at('s/e'), 0o555);
    await open(dir.path).copyTree('s', 't', KEEP);
    expect([dir.read('t/a'), statSync(dir.at('t/e/b')).size, readlinkSync(dir.at('t/l')), existsSync(dir.at('t/pipe'))]).toEqual([
      '1',
      700_000,
      'e/b',
      false,
    ]);
    expect(['t/a', 't/e', 't/empty'].map((name) => statSync(dir.at(name)).mode & 0o777)).toEqual([0o600, 0o555, 0o750]);
    expect(['t/a', 't/e', 't'].map((name) => statSync(dir.at(name)).mtimeMs)).toEqual([2_000_000, 2_000_000, 2_000_000]);
    expect(leftovers(dir.path)).toEqual([]);
  });

  test('copies content alone when asked', async () => {
    using dir = tempDir({ 's/a': '1' });
    chmodSync(dir.at('s'), 0o700);
    await open(dir.path).copyTree('s', 't', { signal, keepMetadata: false, durable: true });
    expect([dir.read('t/a'), statSync(dir.at('t')).mode & 0o777]).toEqual(['1', 0o777 & ~process.umask()]);
  });

  test('merges: equal names are replaced, others stay, links in the way go', async () => {
    using dir = tempDir({ 's/a': 'new', 's/d/b': 'new', 's/fresh/c': 'new', 't/a': 'old', 't/d/keep': 'kept', 'elsewhere/f': 'safe' });
    symlinkSync('a', dir.at('s/l'));
    dir.write('s/over', 'new');
    symlinkSync('../elsewhere/f', dir.at('t/over'));
    dir.write('t/l', 'old');
    await open(dir.path).copyTree('s', 't', KEEP);
    expect(['t/a', 't/d/b', 't/d/keep', 't/fresh/c', 't/over', 'elsewhere/f'].map(dir.read)).toEqual([
      'new',
      'new',
      'kept',
      'new',
      'new',
      'safe',
    ]);
    expect([lstatSync(dir.at('t/over')).isFile(), readlinkSync(dir.at('t/l')), leftovers(dir.path)]).toEqual([true, 'a', []]);
  });

  test('may run twice', async () => {
    using dir = tempDir({ 's/a': '1', 's/d/b': '2' });
    symlinkSync('a', dir.at('s/l'));
    for (const _ of [1, 2]) await open(dir.path).copyTree('s', 't', KEEP);
    expect([dir.read('t/a'), dir.read('t/d/b'), readlinkSync(dir.at('t/l'))]).toEqual(['1', '2', 'a']);
  });

  test.each([
    ['a directory where a file stands', 's/z/x', 't/z', 'PathExistsException'],
    ['a file where a directory stands', 's/z', 't/z/x', 'FileAccessException'],
  ])('finds %s before it changes anything', async (_, source, target, type) => {
    using dir = tempDir({ 's/a': 'new', 's/d/a': 'new', 't/a': 'old', 't/d/a': 'old', [source]: '', [target]: '' });
    expect(await failure(open(dir.path).copyTree('s', 't', KEEP))).toBe(type);
    expect([dir.read('t/a'), dir.read('t/d/a'), leftovers(dir.path)]).toEqual(['old', 'old', []]);
  });

  test('finds a link to a directory, or a pipe, in the way of a merge', async () => {
    using dir = tempDir({ 's/d/x': 'new', 't/a': '', 'elsewhere/x': 'safe', 'u/p': '' });
    symlinkSync('../elsewhere', dir.at('t/d'));
    expect(await failure(open(dir.path).copyTree('s', 't', KEEP))).toBe('PathExistsException');
    execFileSync('mkfifo', [dir.at('t/p')]);
    expect(await failure(open(dir.path).copyTree('u', 't', KEEP))).toBe('FileAccessException');
    expect(dir.read('elsewhere/x')).toBe('safe');
  });

  test.each([
    ['x', 't', 'DirNotExistsException'],
    ['f', 't', 'DirNotExistsException'],
    ['s', 'f/t', 'PathExistsException'],
    ['s', 's/new/inner', 'FileAccessException'],
    ['s', 'f', 'PathExistsException'],
    ['s', 's', 'FileAccessException'],
    ['s', 's/inner', 'FileAccessException'],
    ['s', 'l/inner', 'FileAccessException'],
    ['l', 's', 'FileAccessException'],
  ])('does not copy %s to %s: %s', async (from, to, type) => {
    using dir = tempDir({ f: '', 's/a': '1' });
    symlinkSync('s', dir.at('l'));
    expect(await failure(open(dir.path).copyTree(from, to, KEEP))).toBe(type);
    expect(leftovers(dir.path)).toEqual([]);
  });

  test('copies into the directory above, and through links at both ends', async () => {
    using dir = tempDir({ 'a/b/x': '1', 'a/b/b/y': '2', 'real/z': '3' });
    symlinkSync('real', dir.at('l'));
    symlinkSync('new', dir.at('m'));
    const port = open(dir.path);
    await port.copyTree('a/b', 'a', KEEP);
    await port.copyTree('l', 'm', KEEP);
    expect([dir.read('a/x'), dir.read('a/b/y'), dir.read('new/z')]).toEqual(['1', '2', '3']);
  });

  test('leaves nothing behind when it is cancelled, over budget or stopped by what it finds', async () => {
    using dir = tempDir({ 's/a': '1', 's/d/b': Buffer.alloc(400_000), 's/z': '2' });
    chmodSync(dir.at('s/d'), 0o500);
    const stop = new AbortController();
    const onBytes = () => stop.abort();
    expect(await failure(open(dir.path).copyTree('s', 't', { ...KEEP, signal: stop.signal, onBytes }))).toBe('CancelledException');
    expect(await failure(open(dir.path, { budget: openBudget(300_000, undefined) }).copyTree('s', 't', KEEP))).toBe(
      'QuotaExceededException',
    );
    expect([existsSync(dir.at('t')), leftovers(dir.path)]).toEqual([false, []]);
  });

  test('of two that copy to one new place at once, one arrives whole', async () => {
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`s/${at % 5}/${at}`, `${at}`]));
    using dir = tempDir(files);
    const outcomes = await Promise.all([1, 2].map(() => failure(open(dir.path).copyTree('s', 't', KEEP))));
    expect(outcomes).toContainEqual({ value: undefined });
    expect(Object.keys(files).every((name) => dir.read(name.replace('s/', 't/')) === files[name])).toBe(true);
    expect(leftovers(dir.path)).toEqual([]);
  });

  test('lets others run while it works', async () => {
    using dir = tempDir(Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`s/${at % 9}/${at}`, 'x'])));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await open(dir.path).copyTree('s', 't', KEEP);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });
});

describe('a policy', () => {
  test('refuses a tree with a link that leads out, before anything changes', async () => {
    using dir = tempDir({ 'root/s/a': 'new', 'root/t/a': 'old', 'outside/secret': '' });
    mkdirSync(dir.at('root/s/deep'));
    symlinkSync('../../../outside', dir.at('root/s/deep/z'));
    const port = openGuarded(dir.at('root'));
    expect(await failure(port.copyTree('s', 'new', KEEP))).toBe('PolicyException');
    expect(await failure(port.copyTree('s', 't', KEEP))).toBe('PolicyException');
    expect([existsSync(dir.at('root/new')), dir.read('root/t/a'), leftovers(dir.path)]).toEqual([false, 'old', []]);
  });

  test('refuses to fill a tree that holds, or would hold, a read-only root', async () => {
    using dir = tempDir({ 'root/s/ro/a': 'new', 'root/t/ro/a': 'old' });
    const port = openGuarded(dir.at('root'), { readOnly: [dir.at('root/t/ro'), dir.at('root/u/ro')] });
    expect(await failure(port.copyTree('s', 't', KEEP))).toBe('PolicyException');
    expect(await failure(port.copyTree('s', 'u', KEEP))).toBe('PolicyException');
    expect(dir.read('root/t/ro/a')).toBe('old');
  });
});

test('says that somebody else has made the target meanwhile, and that running again helps', async () => {
  using dir = tempDir({ 's/a': '1' });
  const copying = openOwner(dir.path, { before: () => dir.write('t/b', '2') }).copyTree('s', 't', KEEP);
  await expect(copying).rejects.toMatchObject({
    message: `Somebody else has made ${dir.at('t')} meanwhile; run again to start from what is there now.`,
    retryable: true,
  });
  await openOwner(dir.path).copyTree('s', 't', KEEP);
  expect([dir.read('t/a'), dir.read('t/b'), leftovers(dir.path)]).toEqual(['1', '2', []]);
});
