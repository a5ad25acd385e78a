import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { binOf, builtPackage } from './built.ts';

/** Sources the script in a real bash and asks it what it would offer for these words, the last one being typed. */
const offered = (...words: string[]): string[] => {
  const script = `
    factotum() { ${process.execPath} ${binOf(builtPackage)} "$@"; }
    source <(factotum completion bash)
    COMP_WORDS=(factotum "$@"); COMP_CWORD=$#
    $(complete -p factotum | sed 's/.*-F \\([^ ]*\\).*/\\1/') factotum
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
};

test('commands and short forms', () => {
  expect(offered('')).toEqual(
    expect.arrayContaining(['run', 'exec', 'validate', 'actions', 'init', 'doctor', 'completion', 'copy', 'create-file']),
  );
  expect(offered('cop')).toEqual(['copy']);
  expect(offered('--execute_')).toEqual(['--execute_file', '--execute_dir', '--execute_str']);
});

test('names of actions, with and without FA_', () => {
  expect(offered('exec', 'FA_copy_f')).toEqual(['FA_copy_file']);
  expect(offered('exec', 'copy_f')).toEqual(['copy_file']);
  expect(offered('actions', 'FA_copy_f')).toEqual(['FA_copy_file']);
});

test('options of commands, actions and short forms', () => {
  expect(offered('run', '--m')).toEqual(['--mode', '--max-workers']);
  expect(offered('exec', '--d')).toEqual(['--dry-run']);
  expect(offered('exec', 'copy_file', '--')).toEqual(
    expect.arrayContaining(['--file-path', '--target-path', '--copy-metadata', '--no-copy-metadata', '--dry-run', '--help']),
  );
  expect(offered('copy', '--t')).toEqual(['--target-path']);
});

test('values where only some words may stand', () => {
  expect(offered('run', '--mode', '')).toEqual(['serial', 'parallel']);
  expect(offered('run', '--mode', '=')).toEqual(['serial', 'parallel']);
  expect(offered('exec', 'copy_file', '--on-conflict', '=', 'sk')).toEqual(['skip', 'skip_if_same']);
  expect(offered('completion', 'z')).toEqual(['zsh']);
});

test('nothing where the shell knows better, and no noise', () => {
  expect(offered('run', 'li')).toEqual([]);
  expect(offered('exec', 'copy_file', 'a')).toEqual([]);
  expect(offered('nonsense', 'x')).toEqual([]);
});

/** Without starting it: fish makes directories in the home of its user. */
const has = (shell: string): boolean => spawnSync('sh', ['-c', `command -v ${shell}`]).status === 0;

/** Runs a script in a shell that finds `factotum` on its PATH. */
const inShell = (shell: string, script: string): string[] => {
  using bin = tempDir({ factotum: `#!/bin/sh\nexec ${process.execPath} ${binOf(builtPackage)} "$@"\n` });
  chmodSync(bin.at('factotum'), 0o755);
  const env = { ...process.env, HOME: bin.path, PATH: `${bin.path}:${process.env.PATH}` };
  const { stdout, stderr } = spawnSync(shell, ['-c', script], { encoding: 'utf8', env });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
};

test.skipIf(!has('zsh'))('zsh gets words with their meaning, and files where the shell knows better (needs zsh)', () => {
  // The two functions of zsh that would show something.
  const show = 'compdef() { }; _describe() { print -l -- "${(@P)2}" }; _files() { print FILES }; source <(factotum completion zsh)';
  expect(inShell('zsh', `${show}; words=(factotum exec FA_copy_f); CURRENT=3; _factotum`)).toEqual(['FA_copy_file:files']);
  expect(inShell('zsh', `${show}; words=(factotum run --max); CURRENT=3; _factotum`)).toEqual([
    '--max-workers:How many actions run at once.',
  ]);
  expect(inShell('zsh', `${show}; words=(factotum run li); CURRENT=3; _factotum`)).toEqual(['FILES']);
});

test.skipIf(!has('fish'))('fish gets words with their meaning (needs fish)', () => {
  const offer = (line: string) => inShell('fish', `factotum completion fish | source; complete -C '${line}'`);
  expect(offer('factotum exec FA_copy_f')).toEqual(['FA_copy_file\tfiles']);
  expect(offer('factotum run --max')).toEqual(['--max-workers\tHow many actions run at once.']);
  expect(offer('factotum run /et')).toContain('/etc/');
});
