import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../test/support/temp-dir.ts';
import { readLinkText } from '../lib/fs/raw-names.ts';
import { readNames } from './names.ts';

/** A path that is not UTF-8. */
const raw = (directory: string, ...bytes: number[]) => Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(bytes)]);

describe('the names in a directory', () => {
  test('come sorted and with their kinds', () => {
    using dir = tempDir({ b: '1', 'a/x': '2' });
    symlinkSync('nowhere', dir.at('c'));
    execFileSync('mkfifo', [dir.at('d')]);
    expect(readNames(dir.path)).toEqual([
      { name: 'a', kind: 'dir' },
      { name: 'b', kind: 'file' },
      { name: 'c', kind: 'link' },
      { name: 'd', kind: 'other' },
    ]);
  });

  test('may hold anything but a separator', () => {
    const names = ['\n', ' ', '\\', '\u202e', 'a\tb', '…'.repeat(85), '\ufffd real'];
    using dir = tempDir(Object.fromEntries(names.map((name) => [name, ''])));
    expect(readNames(dir.path).map(({ name }) => name)).toEqual([...names].sort());
  });

  test('are refused when one is not UTF-8, because as text it would name another file', () => {
    using dir = tempDir({ 'a\ufffd': 'another file' });
    writeFileSync(raw(dir.path, 0x61, 0xff), 'not UTF-8');
    expect(() => readNames(dir.path)).toThrow(expect.objectContaining({ code: 'EILSEQ' }));
  });
});

describe('what a link says', () => {
  test('is refused when it is not UTF-8', () => {
    using dir = tempDir();
    mkdirSync(dir.at('d'));
    symlinkSync(raw('d', 0xff), dir.at('l'));
    expect(() => readLinkText(dir.at('l'))).toThrow(expect.objectContaining({ code: 'EILSEQ' }));
  });
});
