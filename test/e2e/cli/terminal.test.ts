import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { binOf, builtPackage, factotum } from './built.ts';

const ESCAPE = '\u001b[';
const LIST = '[["FA_substitute", [1]]]';
const hasScript = spawnSync('script', ['--version']).status === 0;

/** Runs a shell line in a terminal of its own. */
const inTerminal = (line: string, env: Readonly<Record<string, string>> = {}): string => {
  const { NO_COLOR: _, ...rest } = process.env;
  return spawnSync('script', ['-qec', line, '/dev/null'], { encoding: 'utf8', env: { ...rest, TERM: 'xterm', ...env } }).stdout;
};
const BIN = `${process.execPath} ${binOf(builtPackage)}`;

describe('colours', () => {
  test('none when the output is no terminal', () => {
    expect(factotum(['run', '-'], { input: LIST }).out).not.toContain(ESCAPE);
    expect(factotum(['--help']).out).not.toContain(ESCAPE);
  });

  test('always when asked for, in errors too', () => {
    expect(factotum(['run', '-', '--color', 'always'], { input: LIST }).out).toContain(ESCAPE);
    expect(factotum(['run', '/nowhere.json', '--color=always']).err).toContain(ESCAPE);
    expect(factotum(['run', '-'], { input: LIST, env: { FORCE_COLOR: '1' } }).out).toContain(ESCAPE);
  });

  test('NO_COLOR wins over FORCE_COLOR, --color over both', () => {
    const env = { NO_COLOR: '1', FORCE_COLOR: '1' };
    expect(factotum(['run', '-'], { input: LIST, env }).out).not.toContain(ESCAPE);
    expect(factotum(['run', '-', '--color', 'always'], { input: LIST, env }).out).toContain(ESCAPE);
    expect(factotum(['run', '-', '--color', 'never'], { input: LIST, env: { FORCE_COLOR: '1' } }).out).not.toContain(ESCAPE);
  });

  test.skipIf(!hasScript)('on a terminal, unless NO_COLOR or a dumb one says no (needs the program script)', () => {
    expect(inTerminal(`${BIN} exec stat /`)).toContain('"kind"');
    expect(inTerminal(`${BIN} --help`)).toContain(ESCAPE);
    expect(inTerminal(`${BIN} --help`, { NO_COLOR: '1' })).not.toContain(ESCAPE);
    expect(inTerminal(`${BIN} --help`, { TERM: 'dumb' })).not.toContain(ESCAPE);
  });
});

test('signs are ASCII where the locale is', () => {
  const { out } = factotum(['run', '-'], { input: '[["FA_substitute", [1]], ["FA_read_file", ["/nowhere"]]]', env: { LC_ALL: 'C' } });
  expect(out).toContain('ok 0 FA_substitute');
  expect(out).toContain('FAILED 1 FA_read_file');
});

test('JSON has line breaks on a terminal only', { skip: !hasScript }, () => {
  expect(factotum(['exec', 'stat', '/', '--json']).out.trimEnd()).not.toContain('\n');
  expect(inTerminal(`${BIN} exec stat / --json`).trimEnd().split('\n').length).toBeGreaterThan(5);
});

test('a reader that goes away is no fault', () => {
  const { stdout, stderr } = spawnSync('bash', ['-c', `set -o pipefail; ${BIN} actions --json | head -c 10; echo " \${PIPESTATUS[0]}"`], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^\[\{"name":" 0\n$/);
  expect(stderr).toBe('');
});

test('a large answer arrives whole', () => {
  const long = 'x'.repeat(900_000);
  const { out } = factotum(['exec', 'substitute', '-'], { input: long });
  expect(out).toBe(`${long}\n`);
});

test('a fault of ours is one sentence; the stack only with FACTOTUM_DEBUG', () => {
  using dir = tempDir({ 'list.json': '[' });
  expect(factotum(['run', 'list.json'], { cwd: dir.path }).err).not.toContain('    at ');
  expect(factotum(['run', 'list.json'], { cwd: dir.path, env: { FACTOTUM_DEBUG: '1' } }).err).toContain('    at ');
});
