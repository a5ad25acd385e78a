import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { adoptDirectory } from './adopt-directory.ts';

test('takes over what lies in the old directory, beside what is in the new one', async () => {
  using dir = tempDir({ 'old/a': '1', 'old/b': '2', 'new/c': '3' });
  await adoptDirectory(dir.at('old'), dir.at('new'));
  expect([...['new/a', 'new/b', 'new/c'].map(dir.read), existsSync(dir.at('old'))]).toEqual(['1', '2', '3', false]);
});

test('does nothing where there is no old one', async () => {
  using dir = tempDir();
  await adoptDirectory(dir.at('old'), dir.at('new'));
  expect(existsSync(dir.at('new'))).toBe(false);
});
