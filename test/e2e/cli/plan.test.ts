import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/core/result.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, factotum } from './built.ts';

/** The command that a dry run proposes, as words. */
const proposed = (out: string): string[] => (/To run exactly this:\n {2}factotum (.*)\n$/.exec(out)?.[1] ?? '').split(' ');

test('dry run, approval, run: the proposed command runs exactly the plan, and only while it holds', () => {
  using dir = tempDir({
    'a.txt': 'hello',
    'old.txt': 'x',
    'list.json': '[["FA_copy_file", ["a.txt", "b.txt"]], ["FA_remove_file", ["old.txt"]]]',
  });
  const planned = factotum(['run', 'list.json', '--dry-run', '--stop-on-error'], { cwd: dir.path });
  expect(planned.code).toBe(0);
  expect(planned.err.replace(/^\S+ INFO {2}/gm, '').replace(/run_id=\S+ /g, '')).toBe(
    'planned FA_copy_file index=0 arguments={"file_path":"a.txt","target_path":"b.txt"}\n' +
      'planned FA_remove_file index=1 arguments={"file_path":"old.txt"}\n',
  );
  expect(planned.out).toMatch(
    /→ 0 FA_copy_file\n {6}create {2}b\.txt \(5 B\)\n {6}read {4}a\.txt \(5 B\)\n→ 1 FA_remove_file\n {6}delete {2}old\.txt/,
  );
  expect(planned.out).toContain('1 delete, 1 create, 1 read; nothing was changed.');
  expect(dir.read('b.txt')).toBeUndefined();
  const words = proposed(planned.out);
  expect(words.slice(0, -1)).toEqual(['run', 'list.json', '--stop-on-error', '--expect-plan']);

  dir.write('a.txt', 'changed meanwhile');
  const refused = factotum(words, { cwd: dir.path });
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toContain('has changed since it was planned');
  expect(dir.read('old.txt')).toBe('x');

  const again = proposed(factotum(['run', 'list.json', '--dry-run'], { cwd: dir.path }).out);
  const ran = factotum(again, { cwd: dir.path });
  expect([ran.code, ran.err]).toEqual([0, expect.not.stringContaining('planned')]);
  expect(dir.read('b.txt')).toBe('changed meanwhile');
  expect(dir.read('old.txt')).toBeUndefined();
});

test('a list that asks for a dry run itself is run with --no-dry-run', () => {
  using dir = tempDir({ 'list.json': '{"actions": [["FA_create_file", ["a.txt"]]], "dry_run": true}' });
  const words = proposed(factotum(['run', 'list.json'], { cwd: dir.path }).out);
  expect(words).toContain('--no-dry-run');
  expect(factotum(words, { cwd: dir.path }).code).toBe(0);
  expect(dir.read('a.txt')).toBe('');
});

test('a plan that would fail says so and proposes nothing', () => {
  const { code, out } = factotum(['run', '-', '--dry-run'], { input: '[["FA_copy_file", ["/nowhere.txt", "/b.txt"]]]' });
  expect(code).toBe(1);
  expect(out).toContain('It would not go through; nothing was changed.');
  expect(out).not.toContain('To run exactly this');
});

test('many effects are shortened, and whole in JSON', () => {
  using dir = tempDir(Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`from/${at}.txt`, ''])));
  const list = '[["FA_copy_dir", ["from", "to"]]]';
  expect(factotum(['run', '-', '--dry-run'], { cwd: dir.path, input: list }).out).toMatch(/create {2}… and \d+ more; --json shows all/);
  const result = answerOf<RunResult>(factotum(['run', '-', '--dry-run', '--json'], { cwd: dir.path, input: list }));
  expect(result.plan_hash).toMatch(/^[\da-f]{64}$/);
  expect(result.results[0]?.plan?.effects.filter(({ kind }) => kind === 'create').length).toBeGreaterThanOrEqual(15);
});

test('what a plan cannot know is said', () => {
  using dir = tempDir({ 'a.txt': 'x' });
  dir.write(
    'list.json',
    JSON.stringify([
      ['FA_read_file', ['a.txt']],
      ['FA_create_file', ['b.txt', '${results[0].value}']],
    ]),
  );
  const planned = factotum(['run', 'list.json', '--dry-run'], { cwd: dir.path });
  expect(planned.out).toContain('create  b.txt\n      more than this may happen: content is known only when it runs\n');
  expect(planned.out).toContain('1 create, 1 read, and more than this may happen; nothing was changed.');
  expect(factotum(['exec', '--dry-run', 'run_shell', 'true'], { cwd: dir.path }).out).toContain(
    '1 execute, and more than this may happen;',
  );
  expect(factotum(proposed(planned.out), { cwd: dir.path })).toMatchObject({ code: 0 });
  expect(dir.read('b.txt')).toBe('x');
});

test('what would be called is told on standard error, unless nothing is to be', () => {
  using dir = tempDir({ 'list.json': '[["FA_create_file", {"file_path": "a.txt", "content": "x"}]]' });
  const dry = (...words: string[]) => factotum(words, { cwd: dir.path });
  expect(dry('run', 'list.json', '--dry-run', '--quiet').err).toBe('');
  const json = dry('run', 'list.json', '--dry-run', '--json');
  expect(answerOf<RunResult>(json).counts.planned).toBe(1);
  for (const { err } of [json, dry('exec', '--dry-run', 'create_file', 'b.txt')])
    expect(err).toMatch(/^\S+Z INFO {2}planned FA_create_file run_id=\S+ index=0 arguments=\{"file_path":"[ab]\.txt"/);
});

test('exec and short forms plan too', () => {
  using dir = tempDir({ 'a.txt': '1' });
  const planned = factotum(['copy', '--dry-run', 'a.txt', 'b.txt'], { cwd: dir.path });
  expect(factotum(proposed(planned.out), { cwd: dir.path })).toMatchObject({ code: 0, out: 'true\n' });
  expect(dir.read('b.txt')).toBe('1');
  const removal = factotum(['exec', 'remove_file', 'b.txt', '--dry-run'], { cwd: dir.path });
  expect(proposed(removal.out).slice(0, 3)).toEqual(['exec', 'FA_remove_file', 'b.txt']);
  expect(factotum(proposed(removal.out), { cwd: dir.path }).code).toBe(0);
  expect(dir.read('b.txt')).toBeUndefined();
});

test('a quiet dry run says why it would not go through', () => {
  using dir = tempDir({ 'list.json': '[["FA_copy_file", ["nope", "y"]], ["FA_create_file", ["z", "1"]]]' });
  for (const words of [
    ['run', 'list.json'],
    ['exec', 'copy_file', 'nope', 'y'],
  ]) {
    const { code, out } = factotum([...words, '--dry-run', '--quiet'], { cwd: dir.path });
    expect(code).toBe(1);
    expect(out).toMatch(/FA_copy_file {2}FileNotExistsException[\s\S]*nope; check the path\.\nIt would not go through/);
    expect(out).not.toContain('FA_create_file');
  }
});
