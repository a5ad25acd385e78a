import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { binOf, builtPackage } from '../cli/built.ts';

const files = { 'a.txt': 'one\nneedle\n', 'b/c.csv': 'id,name\n1,needle\n', 'b/d.csv': 'id,name\n1,needle\n' };
const commands = [
  "exec grep . needle --glob '*.txt'",
  "exec grep . 'ne+dle' --regex --glob '*.txt'",
  'exec line_count a.txt',
  'exec csv_to_jsonl b/c.csv c.jsonl',
  'exec find_duplicates b',
];
/** V8 says this of the flag itself. */
const NOTE = /^Warning: disabling flag .*\n/m;

test('where there is no WebAssembly, or no room for its memory, everything is found all the same', () => {
  using dir = tempDir(files);
  const printed = (node: string): string[] =>
    commands.map((command) => {
      const { status, stdout, stderr } = spawnSync('bash', ['-c', `${node} ${binOf(builtPackage)} ${command} --no-history`], {
        cwd: dir.path,
        encoding: 'utf8',
      });
      expect({ command, status, stderr: stderr.replace(NOTE, '') }).toEqual({ command, status: 0, stderr: '' });
      return stdout.replace(NOTE, '');
    });
  const usual = printed(process.execPath);
  expect(usual[0]).toContain('"line":2,"text":"needle"');
  expect(printed(`${process.execPath} --jitless`)).toEqual(usual);
  expect(printed(`ulimit -v 4000000; ${process.execPath}`)).toEqual(usual);
});
