import { expect, test } from 'vitest';
import { filesThatShare } from '../support/own-process.ts';
import { tempDir } from '../support/temp-dir.ts';

// Put together here, so that this file does not say them.
const ABOUT_A_PROCESS = [
  ['vi', '.mock("node:fs")'],
  ['vi', '.useFakeTimers()'],
  ['process', '.env.HOME = "/"'],
  ['process', '.umask(0)'],
  ['process', '.seteuid?.(1)'],
  ['process', '.on("warning", note)'],
  ['process', '.memoryUsage()'],
  ['cpu', 'Ms()'],
  ['as', 'OrdinaryUser(path, work)'],
  ['global', 'This.fetch = fake'],
  ["import { getHeapStatistics } from 'node", ":v8'"],
].map((parts) => parts.join(''));

test('a test file has a process of its own where it changes or measures it', () => {
  using dir = tempDir({
    'plain.test.ts': 'expect(add(1, 1)).toBe(2);',
    'a/looks.test.ts': 'spawnSync(process.execPath, [join(process.cwd(), "a")]);',
    'a/support.ts': '',
    ...Object.fromEntries(ABOUT_A_PROCESS.map((text, at) => [`b/${at}.test.ts`, text])),
  });
  expect([...filesThatShare(dir.path)].sort()).toEqual([dir.at('a/looks.test.ts'), dir.at('plain.test.ts')]);
});
