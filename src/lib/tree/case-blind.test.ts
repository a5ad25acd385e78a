import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { isCaseBlind } from './case-blind.ts';

test('a directory on a file system with upper and lower case is told so, whatever is in it', () => {
  using dir = tempDir({ 'Name/a': '', 'name/A': '', '1/Word': '', '2/3': '' });
  if (dir.read('NAME/a') !== undefined) return; // a file system without
  expect(['Name', '1', '2'].map((name) => isCaseBlind(dir.at(name)))).toEqual([false, false, false]);
});
