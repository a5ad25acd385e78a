import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { systemFault } from '../fs/system-fault.ts';
import { runProgram } from './run-program.ts';
import { startFault } from './start-fault.ts';

interface Attempt {
  readonly argv: readonly [string, ...string[]];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const faultOf = (attempt: Attempt): Promise<unknown> =>
  runProgram({ env: { PATH: process.env.PATH ?? '' }, signal: new AbortController().signal, ...attempt }).then(
    () => 'it started',
    (fault: unknown) => fault,
  );

describe('a program that cannot be started fails with the reason and a remedy', () => {
  test.each<[string, Attempt, string, RegExp]>([
    ['a name nobody knows', { argv: ['no-such-program'] }, 'ENOENT', /^No program called no-such-program is on the search path; install/],
    ['a path where nothing is', { argv: ['/no/such'] }, 'ENOENT', /^No program is at \/no\/such, or the interpreter .* check both/],
    ['a path through a file', { argv: ['/dev/null/x'] }, 'ENOTDIR', /^A part of the path \/dev\/null\/x is not a directory; check/],
    ['a directory', { argv: ['/'] }, 'EACCES', /^\/ may not be executed; name a program file/],
    ['too long an argument', { argv: ['true', 'x'.repeat(2 ** 18)] }, 'E2BIG', /^The arguments and environment of true are larger/],
  ])('%s', async (_, attempt, code, message) => {
    const fault = await faultOf(attempt);
    expect(fault).toMatchObject({ type: 'ShellException', retryable: false, context: { program: attempt.argv[0], code } });
    expect(fault).toHaveProperty('message', expect.stringMatching(message));
  });

  test.each<[string, Attempt, RegExp]>([
    ['no name', { argv: [''] }, /^A program without a name cannot be started/],
    ['a NUL in an argument', { argv: ['true', 'a\0b'] }, /^true cannot be started .* leave out NUL characters/],
    ['a NUL in a variable', { argv: ['true'], env: { A: 'a\0b' } }, /^true cannot be started .* leave out NUL characters/],
  ])('%s', async (_, attempt, message) => {
    expect(await faultOf(attempt)).toMatchObject({ type: 'ShellException', message: expect.stringMatching(message) });
  });

  test('a file that is not executable', async () => {
    using dir = tempDir({ 'plain.txt': 'hello' });
    expect(await faultOf({ argv: [dir.at('plain.txt')] })).toMatchObject({ type: 'ShellException', context: { code: 'EACCES' } });
  });

  test('a script whose interpreter is missing', async () => {
    using dir = tempDir({ 'script.sh': '#!/no/such/interpreter\n' });
    chmodSync(dir.at('script.sh'), 0o755);
    expect(await faultOf({ argv: [dir.at('script.sh')] })).toHaveProperty('message', expect.stringContaining('interpreter'));
  });
});

describe('a working directory that cannot be used is told apart from a missing program', () => {
  test.each([
    ['one that is missing', 'nowhere', 'does not exist; create it'],
    ['a file', 'plain.txt', 'is not a directory; name one'],
    ['one below a file', 'plain.txt/x', 'cannot be entered; check'],
  ])('%s', async (_, name, words) => {
    using dir = tempDir({ 'plain.txt': 'hello' });
    const cwd = dir.at(name);
    expect(await faultOf({ argv: ['true'], cwd })).toMatchObject({
      type: 'ShellException',
      message: expect.stringContaining(`The working directory ${cwd} ${words}`),
      context: { program: 'true', cwd },
    });
  });

  test('a missing program in a good directory is blamed on the program', async () => {
    using dir = tempDir();
    expect(await faultOf({ argv: ['no-such-program'], cwd: dir.path })).toHaveProperty(
      'message',
      expect.stringMatching(/^No program called/),
    );
  });
});

describe('only what may pass by itself is worth another try', () => {
  test.each(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ETXTBSY'] as const)('%s', async (code) => {
    const fault = await startFault(systemFault(code, 'spawn', 'tool'), { program: 'tool', cwd: undefined });
    expect(fault.retryable).toBe(true);
    expect(fault.message).toContain('try again');
  });

  test('a code nobody foresaw is named and final', async () => {
    const fault = await startFault(systemFault('ELOOP', 'spawn', 'tool'), { program: 'tool', cwd: undefined });
    expect([fault.retryable, fault.message]).toEqual([
      false,
      'The system refused to start tool with ELOOP; look up that code for the reason.',
    ]);
  });
});
