import { constants } from 'node:os';
import { defineAction } from '../../core/action.ts';
import { flag, list, number, path, record } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { ShellException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import type { ProgramResult } from '../../core/ports.ts';
import * as shapes from '../../core/shapes.ts';
import { MAX_OUTPUT_BYTES } from '../../lib/process/capped-output.ts';
import { failure, outOfTime } from './failure.ts';
import { programText } from './program-text.ts';

interface RunShellArgs {
  readonly argv: readonly string[];
  readonly timeout: number;
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>> | null;
  readonly check: boolean;
  readonly capture_output: boolean;
}

/** In a dry run `spawn` records the effect and stops here: what the program does and says is unknown. */
const start = async ({ files, spawn, note }: Context, { argv, timeout, cwd, env, check, capture_output }: RunShellArgs) => {
  const command = argv as [string, ...string[]]; // the definition demands one item
  const [program] = command;
  const result = await spawn({
    argv: command,
    timeoutMs: timeout * 1000,
    captureOutput: capture_output,
    ...(cwd !== null && { cwd: await demandDirectory(files, cwd) }),
    ...(env !== null && { env }),
  });
  if (result.truncated) {
    note({ kind: 'truncated', message: `Only the first ${MAX_OUTPUT_BYTES} bytes of each output are kept.`, max_bytes: MAX_OUTPUT_BYTES });
  }
  if (result.timedOut) throw outOfTime(program, timeout);
  if (check && result.returncode !== 0) throw failure(program, result);
  return asValue(result);
};

const demandDirectory = async (files: FilePort, cwd: string): Promise<string> => {
  const entry = await files.stat(cwd);
  if (entry?.kind === 'dir') return entry.path;
  throw new ShellException(`The program cannot run in ${cwd}, because no directory is there; check cwd.`, {
    context: { argument: 'cwd', path: cwd },
  });
};

/** A program that a signal ended has that signal's number below zero as its code. */
const asValue = ({ returncode, signal, stdout, stderr, truncated }: ProgramResult) => ({
  returncode: returncode ?? -constants.signals[signal as NodeJS.Signals], // no code: a signal, under the system's name
  stdout,
  stderr,
  ...(signal !== null && { signal }),
  ...(truncated && { truncated }),
});

export const runShell = defineAction({
  name: 'FA_run_shell',
  summary: 'Runs a program from a list of arguments, without a shell, and gives its exit code and output.',
  args: {
    argv: list('The program and its arguments, each handed over as it is.', programText, { role: 'command', minItems: 1 }),
    timeout: number('Seconds after which the program is ended, with everything it has started.', { default: 60, above: 0 }),
    cwd: path('The directory to run it in; without one, the working directory of the run.', { default: null }),
    env: record('The whole environment of the program, instead of the inherited one.', programText, { default: null }),
    check: flag('Fail when the program ends with a code other than 0 or by a signal.', { default: true }),
    capture_output: flag(`Keep what it writes, up to ${MAX_OUTPUT_BYTES / 2 ** 20} MiB of each output; otherwise both texts are empty.`, {
      default: true,
    }),
  },
  returns: shapes.object(
    { returncode: shapes.integer(), stdout: shapes.text(), stderr: shapes.text() },
    { signal: shapes.text(), truncated: shapes.flag() },
  ),
  examples: [
    { args: { argv: ['printf', '%s', '$HOME; *'] }, value: { returncode: 0, stdout: '$HOME; *', stderr: '' } },
    {
      about: 'Gives the exit code instead of failing.',
      args: { argv: ['sh', '-c', 'echo careful >&2; exit 3'], check: false },
      value: { returncode: 3, stdout: '', stderr: 'careful\n' },
    },
  ],
  plan: start,
  run: start,
});
