import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { failure, openGuarded, openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { rounds } from '../../../test/support/torture.ts';

/** Each step goes the whole way again. */
const DEPTH = rounds(150, 500);

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('%s', (_, open) => {
  test('removes files, links and pipes; what a link leads to stays', async () => {
    using dir = tempDir({ f: '1', g: '2' });
    symlinkSync('g', dir.at('l'));
    execFileSync('mkfifo', [dir.at('pipe')]);
    for (const name of ['f', 'l', 'pipe']) await open(dir.path).remove(name);
    expect(['f', 'l', 'pipe', 'g'].map((name) => existsSync(dir.at(name)))).toEqual([false, false, false, true]);
  });

  test('removes no directory as if it were a file, and nothing that is not there', async () => {
    using dir = tempDir({ 'd/f': '' });
    expect(await failure(open(dir.path).remove('d'))).toBe('FileAccessException');
    expect(await failure(open(dir.path).remove('x'))).toBe('FileNotExistsException');
    expect(await failure(open(dir.path).remove('d/f/x'))).toBe('FileNotExistsException');
  });

  test('removes a tree and enters no link', async () => {
    using dir = tempDir({ 'd/a': '', 'd/e/f/b': '', 'keep/x': 'kept' });
    symlinkSync('../keep', dir.at('d/l'));
    symlinkSync('nowhere', dir.at('d/e/m'));
    mkdirSync(dir.at('d/empty\nline'));
    await open(dir.path).removeTree('d', { signal });
    expect([existsSync(dir.at('d')), dir.read('keep/x')]).toEqual([false, 'kept']);
  });

  test.each([undefined, () => {}])('removes a tree that a link inside it led to (journal: %o)', async (before) => {
    using dir = tempDir({ 'd/f': '', 'd/deep/g': '' });
    symlinkSync('..', dir.at('d/up'));
    await open(dir.path, before && { before }).removeTree('d/up/d', { signal });
    expect(existsSync(dir.at('d'))).toBe(false);
  });

  test('removes no tree where there is none', async () => {
    using dir = tempDir({ f: '', 'keep/x': '' });
    symlinkSync('keep', dir.at('l'));
    for (const name of ['f', 'l', 'x', 'f/x'])
      expect(await failure(open(dir.path).removeTree(name, { signal }))).toBe('DirNotExistsException');
    expect(existsSync(dir.at('keep/x'))).toBe(true);
  });

  test('goes very deep', async () => {
    using dir = tempDir();
    mkdirSync(dir.at(`d/${Array.from({ length: DEPTH }, () => 'x').join('/')}`), { recursive: true });
    await open(dir.path).copyTree('d', 'e', { signal, keepMetadata: true });
    await open(dir.path).removeTree('d', { signal });
    await open(dir.path).removeTree('e', { signal });
    expect(existsSync(dir.at('d')) || existsSync(dir.at('e'))).toBe(false);
  });

  test('stops when cancelled', async () => {
    using dir = tempDir({ 'd/a': '' });
    expect(await failure(open(dir.path).removeTree('d', { signal: AbortSignal.abort() }))).toBe('CancelledException');
    expect(dir.read('d/a')).toBe('');
  });

  test('and another may remove the same tree at once', async () => {
    const files = Array.from({ length: 300 }, (_, at) => [`d/${at % 7}/${at}`, '']);
    using dir = tempDir(Object.fromEntries(files));
    const outcomes = await Promise.all([1, 2].map(() => failure(open(dir.path).removeTree('d', { signal }))));
    expect(existsSync(dir.at('d'))).toBe(false);
    expect(outcomes).toContainEqual({ value: undefined });
  });
});

test('a tree that is swapped for a link on the way is not entered', async () => {
  using dir = tempDir({ 'd/a': '', 'd/x/f': '', 'keep/f': 'kept' });
  const before = ({ path }: { path?: string }) => {
    if (path !== dir.at('d')) return;
    renameSync(dir.at('d/x'), dir.at('moved'));
    symlinkSync(dir.at('keep'), dir.at('d/x'));
  };
  await openOwner(dir.path, { before: (change) => before('path' in change ? change : {}) }).removeTree('d', { signal });
  expect([existsSync(dir.at('d')), dir.read('keep/f'), dir.read('moved/f')]).toEqual([false, 'kept', '']);
});

describe('a root', () => {
  test('of the policy is refused before anything in it is lost', async () => {
    using dir = tempDir({ 'root/f': '1' });
    expect(await failure(openGuarded(dir.at('root')).removeTree('.', { signal }))).toBe('PathTraversalException');
    expect(dir.read('root/f')).toBe('1');
  });

  test('that is read-only keeps the trees around it', async () => {
    using dir = tempDir({ 'root/d/ro/f': '1', 'root/d/a': '2' });
    const port = openGuarded(dir.at('root'), { readOnly: [dir.at('root/d/ro')] });
    expect(await failure(port.removeTree('d', { signal }))).toBe('PolicyException');
    expect([dir.read('root/d/a'), dir.read('root/d/ro/f')]).toEqual(['2', '1']);
  });
});
