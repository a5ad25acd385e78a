import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../src/core/result.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, factotum } from './built.ts';

const GOOD = '[["FA_create_file", ["a.txt", "hello"]], ["FA_read_file", ["a.txt"]]]';
const MIXED = '[["FA_copy_file", ["nowhere.txt", "b.txt"]], ["FA_create_file", ["a.txt"]]]';
const REFUSED = '[["FA_run_shell", {"argv": ["true"], "env": {"LD_PRELOAD": "x"}}]]';

describe('exit codes', () => {
  test.each([
    ['0 when all went well', GOOD, 0],
    ['1 when a command failed', MIXED, 1],
    ['1 when a name is unknown: the others ran', '[["FA_nothing"], ["FA_create_file", ["a.txt"]]]', 1],
    ['2 when the list is not one', '"FA_stat"', 2],
    ['2 when a key is unknown', '{"actoins": []}', 2],
    ['2 when a graph has a circle', '{"nodes": [{"id": "a", "action": ["FA_list_actions"], "depends_on": ["a"]}]}', 2],
    ['2 when validate_first found something', '{"actions": [["FA_nothing"]], "validate_first": true}', 2],
    ['3 when a policy refused', REFUSED, 3],
    ['3 when a policy refused deeper down', `[["FA_execute_action", {"action_list": ${REFUSED}}]]`, 3],
  ])('%s', (_, list, code) => {
    using dir = tempDir({ 'list.json': list });
    expect(factotum(['run', 'list.json'], { cwd: dir.path })).toMatchObject({ code });
  });

  test('2 when the file is missing', () => {
    const { code, err } = factotum(['run', 'nowhere.json']);
    expect(code).toBe(2);
    expect(err).toContain('The list cannot be read: No file at nowhere.json; check the path.');
  });
});

describe('what people see', () => {
  test('one line per command with its value, and a sum', () => {
    using dir = tempDir({ 'list.json': GOOD });
    const { out, err } = factotum(['run', 'list.json'], { cwd: dir.path });
    expect(err).toMatch(/^Undo with: factotum undo [\w-]+\n$/);
    expect(out).toMatch(/^✓ 0 FA_create_file {2}[\d.]+ ms\n✓ 1 FA_read_file {2}"hello" {2}[\d.]+ ms\n\n2 ok in .* \(run [\da-f-]{36}\)\n$/);
    expect(dir.read('a.txt')).toBe('hello');
  });

  test('a failure shows its type and the remedy, and the others run', () => {
    using dir = tempDir({ 'list.json': MIXED });
    const { out } = factotum(['run', 'list.json'], { cwd: dir.path });
    expect(out).toMatch(/✗ 0 FA_copy_file {2}FileNotExistsException .*\n {4}.*nowhere\.txt; check the path\.\n✓ 1 FA_create_file/);
    expect(out).toContain('1 ok, 1 failed in');
  });

  test('of a nested list only what went wrong', () => {
    using dir = tempDir({ 'list.json': `[["FA_execute_action", {"action_list": ${MIXED}}]]` });
    const { out } = factotum(['run', 'list.json'], { cwd: dir.path });
    expect(out).toContain('steps: 1 ok, 1 failed');
    expect(out).toMatch(/✗ 0 FA_copy_file/);
    expect(out).not.toContain('FA_create_file');
  });

  test('nodes of a graph under their ids', () => {
    using dir = tempDir({
      'graph.json':
        '{"nodes": [{"id": "first", "action": ["FA_create_dir", ["d"]]}, {"id": "then", "action": ["FA_stat", ["d"]], "depends_on": ["first"]}]}',
    });
    const { out, code } = factotum(['run', 'graph.json'], { cwd: dir.path });
    expect(code).toBe(0);
    expect(out).toMatch(/✓ first FA_create_dir.*\n✓ then {2}FA_stat/);
  });

  test('--quiet: nothing when all went well, else only the failures', () => {
    using dir = tempDir({ 'good.json': GOOD, 'mixed.json': MIXED });
    expect(factotum(['run', 'good.json', '--quiet'], { cwd: dir.path })).toEqual({ code: 0, out: '', err: '' });
    const { out } = factotum(['run', 'mixed.json', '-q'], { cwd: dir.path });
    expect(out).toContain('✗ 0 FA_copy_file');
    expect(out).not.toContain('FA_create_file');
  });

  test('control characters from outside stay harmless', () => {
    using dir = tempDir({ 'list.json': String.raw`[["FA_stat\u001b[2J"], ["FA_substitute", ["\u001b]0;x\u0007"]]]` });
    expect(factotum(['run', 'list.json'], { cwd: dir.path }).out).not.toContain('\u001b');
  });
});

describe('--json', () => {
  test('prints the result and nothing else', () => {
    using dir = tempDir({ 'list.json': MIXED });
    const ended = factotum(['run', 'list.json', '--json'], { cwd: dir.path });
    expect(ended).toMatchObject({ code: 1, err: '' });
    expect(answerOf<RunResult>(ended)).toMatchObject({
      run_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
      ok: false,
      status: 'failed',
      counts: { ok: 1, failed: 1, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 },
      duration_ms: expect.any(Number),
      results: [
        { index: 0, action: 'FA_copy_file', status: 'failed', error: { type: 'FileNotExistsException', retryable: false } },
        { index: 1, action: 'FA_create_file', status: 'ok', value: null },
      ],
    });
  });

  test('prints a refused request as an error, without the broken line, which may hold secrets', () => {
    using dir = tempDir({ 'list.json': '[["FA_stat", {"path": "hunter2",}]]' });
    const ended = factotum(['run', 'list.json', '--json'], { cwd: dir.path });
    expect(ended).toMatchObject({ code: 2, err: '' });
    expect(answerOf(ended)).toMatchObject({ error: { type: 'JsonActionException', context: { line: 1 } } });
    expect(ended.out).not.toContain('hunter2');
  });
});

describe('where the list comes from', () => {
  test('standard input', () => {
    using dir = tempDir();
    expect(factotum(['run', '-'], { cwd: dir.path, input: GOOD })).toMatchObject({ code: 0 });
    expect(dir.read('a.txt')).toBe('hello');
    expect(factotum(['run', '-'], { input: '[' })).toMatchObject({ code: 2, err: expect.stringContaining('standard input:1:2') });
  });

  test('a file with a byte order mark', () => {
    using dir = tempDir({ 'list.json': `\ufeff${GOOD}` });
    expect(factotum(['run', 'list.json'], { cwd: dir.path })).toMatchObject({ code: 0 });
  });

  test('a broken file is shown with file, line, column, the line and a caret', () => {
    using dir = tempDir({ 'list.json': '[\n  ["FA_stat", {"path": "a"}]\n  ["FA_stat"]\n]' });
    const { code, out, err } = factotum(['run', 'list.json'], { cwd: dir.path });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/✗ list\.json:3:3: .*\n {2}3 \| {3}\["FA_stat"\]\n {4}\| {3}\^\n$/);
  });
});

describe('options win over the list', () => {
  test('--stop-on-error and --validate-first on a bare list', () => {
    using dir = tempDir({ 'list.json': MIXED });
    expect(answerOf(factotum(['run', 'list.json', '--json', '--stop-on-error'], { cwd: dir.path }))).toMatchObject({
      counts: { failed: 1, skipped: 1 },
    });
    dir.write('list.json', '[["FA_create_file", ["a.txt"]], ["FA_nothing"]]');
    expect(factotum(['run', 'list.json', '--validate-first'], { cwd: dir.path })).toMatchObject({ code: 2, out: '' });
    expect(dir.read('a.txt')).toBeUndefined();
  });

  test('--mode and --max-workers on a wrapped one', () => {
    using dir = tempDir({
      'list.json': '{"actions": [["FA_create_dir", ["d"]], ["FA_substitute", ["${results[0].value}"]]], "mode": "serial"}',
    });
    expect(factotum(['run', 'list.json', '--no-history'], { cwd: dir.path }).code).toBe(0);
    // Earlier results can be read in serial lists only.
    expect(factotum(['run', 'list.json', '--mode', 'parallel', '--max-workers', '2'], { cwd: dir.path }).code).toBe(1);
  });

  test('what makes no sense for a graph is refused', () => {
    const graph = '{"nodes": []}';
    expect(factotum(['run', '-', '--mode', 'serial'], { input: graph })).toMatchObject({
      code: 2,
      err: expect.stringContaining('--mode is for lists'),
    });
    expect(factotum(['run', '-', '--stop-on-error'], { input: graph })).toMatchObject({
      code: 2,
      err: expect.stringContaining('write "fail_fast" into the graph'),
    });
  });
});

test('known secrets are masked for people and programs', () => {
  const list = '[["FA_substitute", ["${env:MY_TOKEN}"]], ["FA_read_file", ["${env:MY_TOKEN}"]]]';
  for (const args of [[], ['--json'], ['--dry-run']]) {
    const { out, err } = factotum(['run', '-', ...args], { input: list, env: { MY_TOKEN: 'correct-horse-battery' } });
    expect(out + err).not.toContain('correct-horse');
  }
});
