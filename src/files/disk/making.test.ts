import { chmodSync, existsSync, mkdirSync, readlinkSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { failure, openGuarded, openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('%s', (_, open) => {
  test('makes directories and tells which were missing', async () => {
    using dir = tempDir({ f: '' });
    symlinkSync('made/later', dir.at('l'));
    const port = open(dir.path);
    expect(await port.makeDir('d')).toBe(true);
    expect(await port.makeDir('d')).toBe(false);
    expect(await port.makeDir('a/b/c', { parents: true })).toBe(true);
    expect(await port.makeDir('l', { parents: true })).toBe(true);
    expect(existsSync(dir.at('made/later'))).toBe(true);
    expect(await failure(port.makeDir('f'))).toBe('PathExistsException');
    expect(await failure(port.makeDir('no/d'))).toBe('DirNotExistsException');
    expect(await failure(port.makeDir('f/d'))).toBe('DirNotExistsException');
    expect(await failure(port.makeDir('f/d/e', { parents: true }))).toBe('PathExistsException');
  });

  test('makes the same directory as others at once', async () => {
    using dir = tempDir();
    const made = await Promise.all(Array.from({ length: 6 }, () => open(dir.path).makeDir('a/b/c', { parents: true })));
    expect(made.filter(Boolean).length).toBeGreaterThanOrEqual(1);
    expect(existsSync(dir.at('a/b/c'))).toBe(true);
  });

  test('makes links where nothing is', async () => {
    using dir = tempDir({ f: '', 'd/x': '' });
    const port = open(dir.path);
    await port.makeLink('l', 'd/x');
    await port.makeLink('d/m', '../nowhere');
    expect([readlinkSync(dir.at('l')), readlinkSync(dir.at('d/m'))]).toEqual(['d/x', '../nowhere']);
    expect(await failure(port.makeLink('f', 'd'))).toBe('PathExistsException');
    expect(await failure(port.makeLink('l', 'd'))).toBe('PathExistsException');
    expect(await failure(port.makeLink('f/l', 'd'))).toBe('PathExistsException');
    await port.makeLink('new/deep/l', 'x');
    expect(readlinkSync(dir.at('new/deep/l'))).toBe('x');
    for (const target of ['', 'a\0b', '\ud800']) expect(await failure(port.makeLink('new', target))).toBe('ArgumentException');
  });

  test('sets times and modes of what a path leads to', async () => {
    using dir = tempDir({ f: '' });
    symlinkSync('f', dir.at('l'));
    mkdirSync(dir.at('d'));
    const port = open(dir.path);
    await port.setMode('l', 0o600);
    await port.setMode('d', 0o700);
    const { atimeMs } = statSync(dir.at('f'));
    for (const mtimeMs of [1_600_000_000_123, -1_000_000]) {
      await port.setTimes('l', { mtimeMs });
      expect(Math.abs(statSync(dir.at('f')).mtimeMs - mtimeMs)).toBeLessThan(0.01);
    }
    expect(Math.abs(statSync(dir.at('f')).atimeMs - atimeMs)).toBeLessThan(1);
    expect([statSync(dir.at('f')).mode & 0o777, statSync(dir.at('d')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await failure(port.setMode('x', 0o600))).toBe('FileNotExistsException');
    expect(await failure(port.setTimes('f/x', { mtimeMs: 0 }))).toBe('FileNotExistsException');
  });
});

describe('a policy', () => {
  test('is asked for every directory on the way, before the first is made', async () => {
    using dir = tempDir({ 'root/x': '', 'outside/x': '' });
    symlinkSync('../outside', dir.at('root/l'));
    const port = openGuarded(dir.at('root'), { readOnly: [dir.at('root/a/ro')] });
    expect(await failure(port.makeDir('a/ro/b', { parents: true }))).toBe('PolicyException');
    expect(await failure(port.makeDir('l/b', { parents: true }))).toBe('PolicyException');
    expect(await failure(port.makeDir('../b', { parents: true }))).toBe('PolicyException');
    expect([existsSync(dir.at('root/a')), existsSync(dir.at('outside/b'))]).toEqual([false, false]);
  });

  test('judges where a link really leads, through links in the middle', async () => {
    using dir = tempDir({ 'root/d/e/x': '', 'outside/x': '' });
    symlinkSync('d/e', dir.at('root/deep'));
    const port = openGuarded(dir.at('root'));
    // As text this stays inside; on the disk `deep/..` is `d`, and the rest climbs out.
    expect(await failure(port.makeLink('a', 'deep/../../../outside'))).toBe('PolicyException');
    expect(await failure(port.makeLink('b', '../outside/x'))).toBe('PolicyException');
    expect(await failure(port.makeLink('c', dir.at('outside')))).toBe('PolicyException');
    // As text this climbs out; on the disk it does not.
    expect(await failure(port.makeLink('d/in', '../deep/../../d'))).toEqual({ value: undefined });
    expect(await failure(port.makeLink('here', dir.at('root/d')))).toEqual({ value: undefined });
  });

  test('finds its roots when they are given through links', async () => {
    using dir = tempDir({ 'real/f': 'text' });
    symlinkSync('real', dir.at('link'));
    const port = openGuarded(dir.at('link'));
    expect(String(await port.read('f'))).toBe('text');
    await port.write('g', Buffer.from('new'), { signal });
    await port.makeDir('d/e', { parents: true });
    expect([dir.read('real/g'), (await port.stat('.'))?.kind, (await port.list('.')).length]).toEqual(['new', 'dir', 3]);
  });

  test('lets modes be set only inside, whatever takes the place of a file', async () => {
    using dir = tempDir({ 'root/f': '', 'outside/secret': '' });
    chmodSync(dir.at('outside/secret'), 0o600);
    const swap = () => {
      renameSync(dir.at('root/f'), dir.at('root/old'));
      symlinkSync(dir.at('outside/secret'), dir.at('root/f'));
    };
    expect(await failure(openGuarded(dir.at('root'), { between: swap }).setMode('f', 0o777))).toBe('PathTraversalException');
    expect(statSync(dir.at('outside/secret')).mode & 0o777).toBe(0o600);
  });
});
