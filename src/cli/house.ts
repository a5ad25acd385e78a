import { spawn } from 'node:child_process';
import { openShortLived, type ShortLived, type ShortRun } from '../app/command-line/short-lived.ts';
import type { Instance } from '../app/instance/instance.ts';
import type { Question } from '../core/action.ts';
import { FileAutomationException, RecordedException } from '../core/errors.ts';
import type { Outcome, RunResult } from '../core/result.ts';
import type { Cli } from './cli.ts';
import { answeredNo } from './show/answered-no.ts';
import { watchForInterrupt } from './terminal/interrupt.ts';
import { warn } from './terminal/warn.ts';

/** A finished run, fit to be shown. */
export interface Finished {
  readonly result: RunResult;
  readonly wasInterrupted: boolean;
  /** Whether it changed something that `factotum undo` takes back. */
  readonly canBeUndone?: boolean;
  /** The question that a command of it answered with no. */
  answeredNo?(outcome: Outcome): Question<unknown> | undefined;
}

/** What a command works with. */
export interface House {
  readonly factotum: Instance;
  /** Runs a request to its end, or until Ctrl-C stops it, and records it unless told not to; shows progress on a terminal. */
  run(request: unknown, how: Omit<ShortRun, 'signal'>): Promise<Finished>;
}

export interface HouseOptions {
  /** The configuration file, where `--config` names one. */
  readonly config?: string | undefined;
}

/** Opens a house for one command and closes it afterwards. Errors that leave it show no secret it has met. */
export const withHouse = async <T>(cli: Cli, work: (house: House) => Promise<T>, { config }: HouseOptions = {}): Promise<T> => {
  await using opened = await openShortLived({
    env: cli.env,
    version: cli.version,
    config,
    // Failures stand in the result, so the log would only say them again. What a dry run would call is told, unless nothing is to be.
    log: {
      level: cli.debug ? 'debug' : 'silent',
      plans: true,
      write: (line) => (cli.debug || !cli.wants.quiet) && cli.err.line(cli.err.colors.dim(line)),
    },
    startTidying: () => startTidying(config),
    warn: (message) => warn(cli, message),
  });
  const { factotum } = opened;
  try {
    return await work({ factotum, run: (request, how) => runRequest(cli, opened, request, how) });
  } catch (fault) {
    if (!(fault instanceof FileAutomationException) || factotum.masker.longest === 0) throw fault;
    throw new RecordedException(factotum.masker.known(fault.toJSON()) as ReturnType<FileAutomationException['toJSON']>); // masking keeps the shape
  }
};

/** Leaves a process behind that prunes, so that nobody waits for it. */
export const startTidying = (config?: string): void => {
  const [program, script = ''] = process.argv;
  const words = [script, 'runs', 'prune', '--quiet', ...(config === undefined ? [] : ['--config', config])];
  spawn(program ?? process.execPath, words, { detached: true, stdio: 'ignore' }).unref();
};

const runRequest = async (cli: Cli, { factotum, run }: ShortLived, request: unknown, how: Omit<ShortRun, 'signal'>): Promise<Finished> => {
  using interrupt = watchForInterrupt(cli.err);
  using _bars =
    cli.err.isTerminal && !cli.wants.quiet ? (await import('./terminal/progress-bars.ts')).showProgress(cli, factotum.progress) : undefined;
  const { result, canBeUndone } = await run(request, { ...how, signal: interrupt.signal });
  return {
    result: factotum.masker.known(result) as RunResult, // masking keeps the shape
    wasInterrupted: interrupt.signal.aborted,
    canBeUndone,
    answeredNo: (outcome) => answeredNo(factotum.registry, outcome),
  };
};
