import { expect, test } from 'vitest';
import { storageCode } from '../../../faults.ts';
import { createSmbFaults } from '../faults.ts';
import { smbName } from './names.ts';

const faults = createSmbFaults('smb:/');

test.each(['a/b c/d.txt', '.hidden', 'caf\u00e9', '\ud83d\ude00', 'x'.repeat(255), "it's", 'a#b%41+~', 'console', 'com10'])(
  'carries %j',
  (path) => expect(smbName(path, faults)).toBe(path.replaceAll('/', '\\')),
);

test.each([
  'a\\b',
  'a:b',
  'a*',
  'a?',
  'a"b',
  '<',
  '>',
  'a|b',
  'dir./x',
  'dir /x',
  'tab\t',
  '\ud83d',
  'x'.repeat(256),
  'CON',
  'nul.txt',
  'a/lpt1',
  `${'d/'.repeat(17_000)}x`,
])('refuses %j', (path) => {
  const attempt = () => smbName(path, faults);
  expect(attempt).toThrow(/cannot be stored there: .*; choose another name/);
  try {
    attempt();
  } catch (fault) {
    expect(storageCode(fault)).toBe('bad_name');
  }
});
