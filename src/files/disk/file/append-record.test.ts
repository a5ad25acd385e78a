import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { isJoined } from './append-record.ts';

const end = Buffer.from('\n');
const bytes = Buffer.from('ours\n');

test.each([
  ['stands where the file ended', 'x\nours\n', 2, false],
  ['stands behind a whole line that came in the last moment', 'x\ntheirs\nours\n', 2, false],
  ['stands behind half a line that came in the last moment', 'x\nhalfours\n', 2, true],
  ['has half a line behind it', 'x\nours\nhalf', 2, false],
  ['stands behind half a line, with more behind it', 'halfours\nrest\n', 0, true],
])('a record that %s', (_, content, before, expected) => {
  using dir = tempDir({ f: content });
  const fd = openSync(dir.at('f'), 'r');
  expect(isJoined(fd, bytes, { before, end })).toBe(expected);
  closeSync(fd);
});
