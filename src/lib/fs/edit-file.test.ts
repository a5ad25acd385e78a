import { linkSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Entry } from '../../core/files.ts';
import { isSameFile } from './edit-file.ts';

/** Looks at files of a directory; `between` is called after each look, as another process may work there. */
const lookers = (between: (looks: number) => void = () => {}) => {
  let looks = 0;
  return {
    absolute: (path: string) => path,
    async stat(path: string): Promise<Entry | undefined> {
      const stats = statSync(path, { throwIfNoEntry: false });
      looks += 1;
      between(looks);
      return (
        stats && {
          path,
          name: path,
          kind: 'file',
          size: stats.size,
          mode: stats.mode,
          mtimeMs: stats.mtimeMs,
          identity: `${stats.dev}:${stats.ino}`,
        }
      );
    },
  };
};

test('a file that others replace all the time is the same as itself, under whatever name', async () => {
  using dir = tempDir({ 'a.txt': 'a' });
  symlinkSync('a.txt', dir.at('link'));
  const replace = (looks: number) => {
    if (looks > 5) return;
    writeFileSync(dir.at('next'), `${looks}`);
    renameSync(dir.at('next'), dir.at('a.txt'));
  };
  expect(await isSameFile(lookers(replace), dir.at('a.txt'), dir.at('a.txt'))).toBe(true);
  expect(await isSameFile(lookers(replace), dir.at('link'), dir.at('a.txt'))).toBe(true);
  expect(await isSameFile(lookers(replace), dir.at('a.txt'), dir.at('link'))).toBe(true);
});

test('a second name leads to the same file; another file and none do not', async () => {
  using dir = tempDir({ 'a.txt': 'a', 'b.txt': 'a' });
  linkSync(dir.at('a.txt'), dir.at('second'));
  expect(await isSameFile(lookers(), dir.at('a.txt'), dir.at('second'))).toBe(true);
  expect(await isSameFile(lookers(), dir.at('a.txt'), dir.at('b.txt'))).toBe(false);
  expect(await isSameFile(lookers(), dir.at('a.txt'), dir.at('none'))).toBe(false);
  expect(await isSameFile(lookers(), dir.at('none'), dir.at('none'))).toBe(false);
});
