import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { createFileProvider } from './file-provider.ts';

describe('secrets in files', () => {
  test.each([
    ['with a line end', 'hunter2\r\n', 'hunter2'],
    ['with several', 'hunter2\n\n', 'hunter2'],
    ['of several lines', 'one\ntwo\n', 'one\ntwo'],
    ['with spaces that belong to it', ' x \n', ' x '],
  ])('reads one %s', async (_, content, value) => {
    using dir = tempDir({ 'sub/token': content });
    chmodSync(dir.at('sub/token'), 0o600);
    expect(await createFileProvider(dir.path).find('sub/token')).toEqual({ value });
  });

  test('reads one through a link that stays inside, as container platforms lay them out', async () => {
    using dir = tempDir({ '..data/token': 'abc' });
    symlinkSync('..data/token', dir.at('token'));
    expect(await createFileProvider(dir.path).find('token')).toMatchObject({ value: 'abc' });
  });

  test('reads nothing outside its directory', async () => {
    using dir = tempDir({ outside: 'no', 'root/in': 'yes' });
    const provider = createFileProvider(dir.at('root'));
    symlinkSync(dir.at('outside'), dir.at('root/link'));
    symlinkSync(dir.path, dir.at('root/up'));
    for (const name of ['../outside', dir.at('outside'), 'link', 'up/outside', 'sub/../../outside']) {
      expect(await provider.find(name), name).toHaveProperty('missing');
    }
  });

  test.each([
    ['a directory', 'folder', /not a file/],
    ['an empty file', 'empty', /is empty/],
    ['a file of other bytes', 'bytes', /not UTF-8/],
    ['a large file', 'large', /larger than 65536 bytes/],
    ['nothing', 'nothing', /No file at nothing below/],
  ])('says why when the name leads to %s', async (_, name, reason) => {
    using dir = tempDir({ empty: '\n', bytes: Buffer.from([0xff, 0xfe]), large: 'x'.repeat(65_537) });
    mkdirSync(dir.at('folder'));
    expect(await createFileProvider(dir.path).find(name)).toEqual({ missing: expect.stringMatching(reason) });
  });

  test('needs a directory', async () => {
    expect(await createFileProvider(undefined).find('a')).toEqual({ missing: expect.stringContaining('[secrets] file_root') });
    expect(await createFileProvider('/no/such/place').find('a')).toEqual({ missing: expect.stringContaining('/no/such/place') });
  });

  test.runIf(process.platform !== 'win32')('warns of one that every user can read', async () => {
    using dir = tempDir({ token: 'abc' });
    chmodSync(dir.at('token'), 0o644);
    expect(await createFileProvider(dir.path).find('token')).toMatchObject({ value: 'abc', warning: expect.stringContaining('chmod o-r') });
  });
});
