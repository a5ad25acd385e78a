import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { factotum } from './built.ts';

const writing = (name: string): string => JSON.stringify([['FA_create_file', [name, name]]]);

test.each(['-e', '--execute_file'])('%s runs a file', (flag) => {
  using dir = tempDir({ 'list.json': writing('a.txt') });
  expect(factotum([flag, 'list.json'], { cwd: dir.path })).toMatchObject({ code: 0, err: expect.stringMatching(/^Undo with: .*\n$/) });
  expect(dir.read('a.txt')).toBe('a.txt');
});

test.each(['-d', '--execute_dir'])('%s runs every .json file below a directory, sorted', (flag) => {
  using dir = tempDir({ 'lists/b.json': writing('b.txt'), 'lists/a/z.json': writing('z.txt'), 'lists/note.txt': 'not a list' });
  const { code, out } = factotum([flag, 'lists'], { cwd: dir.path });
  expect(code).toBe(0);
  expect([...out.matchAll(/^lists\/.*$/gm)].map(String)).toEqual(['lists/a/z.json', 'lists/b.json']);
  expect([dir.read('b.txt'), dir.read('z.txt')]).toEqual(['b.txt', 'z.txt']);
});

test('--execute_str runs a text, also one that was quoted twice', () => {
  using dir = tempDir();
  expect(factotum(['--execute_str', writing('a.txt')], { cwd: dir.path }).code).toBe(0);
  expect(factotum(['--execute_str', JSON.stringify(writing('b.txt'))], { cwd: dir.path }).code).toBe(0);
  expect([dir.read('a.txt'), dir.read('b.txt')]).toEqual(['a.txt', 'b.txt']);
});

test('-c writes a project', () => {
  using dir = tempDir();
  expect(factotum(['-c', 'project'], { cwd: dir.path })).toMatchObject({ code: 0, out: expect.stringContaining('FA_create_project_dir') });
});

test('they may be combined, run in their order, and the worst end counts', () => {
  using dir = tempDir({ 'list.json': writing('a.txt') });
  const { code, out } = factotum(['--execute_str', '[["FA_read_file", ["nowhere"]]]', '-e', 'list.json', '--json'], { cwd: dir.path });
  expect(code).toBe(1);
  const lines = out.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).ok)).toEqual([false, true]);
});

test('nothing runs when one of the lists is broken', () => {
  using dir = tempDir({ 'good.json': writing('a.txt'), 'bad.json': '[' });
  expect(factotum(['-e', 'good.json', '-e', 'bad.json'], { cwd: dir.path })).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('bad.json:1:2'),
  });
  expect(dir.read('a.txt')).toBeUndefined();
});

test.each([
  [['-d', 'nowhere'], 'No directory at nowhere'],
  [['-d', '.'], 'No .json file lies below .; check the path.'],
  [['--execute_str', '[1'], '--execute_str:1:3'],
  [['--quiet'], 'There is nothing to run.'],
])('%j is refused with 2', (args, message) => {
  using dir = tempDir();
  expect(factotum(args, { cwd: dir.path })).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});
