import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { failure, openGuarded, openOwner, signal } from '../../test/e2e/files/ports.ts';
import { tempDir } from '../../test/support/temp-dir.ts';

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('%s walks', (_, open) => {
  test('parents first, names sorted, links not entered', async () => {
    using dir = tempDir({ 'b/y': '', 'b/x/z': '', a: '', 'c/d': '' });
    symlinkSync('b', dir.at('l'));
    const found: string[] = [];
    for await (const { relative, kind } of open(dir.path).walk('.', { signal })) found.push(`${kind} ${relative}`);
    expect(found).toEqual(['file a', 'dir b', 'dir c', 'link l', 'dir b/x', 'file b/y', 'file b/x/z', 'file c/d']);
  });

  test('past directories that vanish or are swapped for links on the way', async () => {
    using dir = tempDir({ 'a/f': '', 'b/f': '', 'c/f': '', 'other/f': '' });
    const found: string[] = [];
    for await (const { relative } of open(dir.path).walk('.', { signal })) {
      found.push(relative);
      if (relative !== 'other') continue;
      rmSync(dir.at('a'), { recursive: true });
      renameSync(dir.at('b'), dir.at('away'));
      symlinkSync('c', dir.at('b'));
    }
    expect(found).toEqual(['a', 'b', 'c', 'other', 'c/f', 'other/f']);
  });

  test('nowhere when there is nothing, and no further when cancelled', async () => {
    using dir = tempDir({ 'a/f': '' });
    const walk = async (path: string, stop = signal) => {
      for await (const _ of open(dir.path).walk(path, { signal: stop }));
    };
    expect(await failure(walk('no'))).toBe('DirNotExistsException');
    expect(await failure(walk('a/f'))).toBe('DirNotExistsException');
    expect(await failure(walk('.', AbortSignal.abort()))).toBe('CancelledException');
  });
});
