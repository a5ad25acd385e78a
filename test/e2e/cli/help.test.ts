import { describe, expect, test } from 'vitest';
import { factotum, manifest } from './built.ts';

const COMMANDS = ['run', 'exec', 'validate', 'actions', 'serve', 'init', 'doctor', 'completion'];

test('--version and -V print the version and nothing else', () => {
  for (const flag of ['--version', '-V']) expect(factotum([flag])).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' });
});

test.each([['--help'], ['-h'], ['help']])('%s lists every command, the short forms, the older flags and the exit codes', (flag) => {
  const { code, out, err } = factotum([flag]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const word of [...COMMANDS, 'copy', 'create-file', '--execute_file', '--execute_dir', '--execute_str', '--create_project', '130'])
    expect(out).toContain(word);
});

test('without any word the help goes to standard error and the exit code is 2', () => {
  const { code, out, err } = factotum([]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('Usage: factotum COMMAND');
});

test.each(COMMANDS)('%s --help and help %s say the same', (command) => {
  const asked = factotum([command, '--help']);
  expect(asked).toMatchObject({ code: 0, err: '' });
  expect(asked.out).toContain(`Usage: factotum ${command}`);
  expect(asked.out).toContain('--help');
  expect(factotum(['help', command])).toEqual(asked);
});

describe('the help of an action', () => {
  test('comes from its definition: types, defaults, choices, examples', () => {
    const { code, out } = factotum(['exec', 'FA_copy_file', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('Usage: factotum exec FA_copy_file FILE-PATH TARGET-PATH [options]');
    expect(out).toContain('Copies one file.');
    expect(out).toMatch(/--file-path <path> +The file to copy\. \(required\)/);
    expect(out).toMatch(/--\[no-\]copy-metadata +.*\(default: true\)/);
    expect(out).toMatch(/--on-conflict <word> .*One of error, skip,\s+overwrite, rename, trash, skip_if_same\. \(default:\s+overwrite\)/s);
    expect(out).toContain('factotum exec FA_copy_file a.txt b.txt');
    expect(out).toContain('--dry-run');
  });

  test('is found without FA_, and under the short form', () => {
    expect(factotum(['exec', 'copy-file', '--help']).out).toContain('Usage: factotum exec FA_copy_file');
    expect(factotum(['copy', '--help']).out).toContain('Usage: factotum copy FILE-PATH TARGET-PATH [options]');
  });
});

describe('what is mistyped is refused with 2 and a guess', () => {
  test.each([
    [['rnu'], 'There is no command called "rnu"; did you mean run?'],
    [['help', 'valdate'], 'did you mean validate?'],
    [['list.json'], 'to run a file, write: factotum run list.json'],
    [['run', 'x.json', '--jsno'], 'There is no option --jsno; did you mean --json?'],
    [['run', 'x.json', '--stop'], 'There is no option --stop; did you mean --stop-on-error?'],
    [['run'], 'FILE is missing.'],
    [['run', 'a.json', 'b.json'], 'Expected 1 argument but got 2.'],
    [['run', 'x.json', '--mode', 'fast'], '--mode cannot be "fast". Allowed choices are serial, parallel.'],
    [['run', 'x.json', '--max-workers', '0'], '--max-workers cannot be "0". Give a whole number of at least 1.'],
    [['run', 'x.json', '--color', 'red'], '--color cannot be "red".'],
    [['exec', 'copy_fiel'], 'No action is called "copy_fiel"; did you mean FA_copy_file?'],
    [['exec', 'copy_file', 'a', 'b', '--targte', 'c'], 'There is no option --targte; did you mean --target-path?'],
    [['exec', 'copy_file', 'a', 'b', '-xz'], 'write -- before values that begin with a dash.'],
    [['exec', 'copy_file', 'a'], 'FA_copy_file needs --target-path: Where the copy goes'],
    [['exec', 'copy_file', 'a', 'b', '--on-conflict', 'ski'], 'did you mean skip?'],
    [['copy', 'a', 'b', 'c'], 'There is one value too many: "c".'],
    [['--execute_fiel', 'x'], 'did you mean --execute_file?'],
    [['completion', 'tcsh'], 'bash, zsh, fish'],
    [['actions', '--family', 'fles'], 'There is no family called "fles"; did you mean files?'],
    [['actions', 'copy_file', '--search', 'x'], 'A name and a filter do not go together'],
  ])('%j', (args, message) => {
    const { code, out, err } = factotum(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});
