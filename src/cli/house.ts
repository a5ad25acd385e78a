import { createFactotum, type Factotum } from '../app/create.ts';
import { FileAutomationException, RecordedException } from '../core/errors.ts';
import type { RunResult } from '../core/result.ts';
import type { Cli } from './cli.ts';
import { watchForInterrupt } from './interrupt.ts';

/** Opens an instance for one command and closes it afterwards. Errors that leave it show no secret it has met. */
export const withFactotum = async <T>(cli: Cli, work: (factotum: Factotum) => Promise<T>): Promise<T> => {
  // Failures stand in the result, so the log would only say them again.
  await using factotum = createFactotum({ log: { level: cli.debug ? 'debug' : 'silent', write: cli.err.line } });
  try {
    return await work(factotum);
  } catch (fault) {
    if (!(fault instanceof FileAutomationException) || factotum.masker.longest === 0) throw fault;
    throw new RecordedException(factotum.masker.known(fault.toJSON()) as ReturnType<FileAutomationException['toJSON']>); // masking keeps the shape
  }
};

/** A finished run, fit to be shown. */
export interface Finished {
  readonly result: RunResult;
  readonly wasInterrupted: boolean;
}

/** Runs a request to its end, or until Ctrl-C stops it; shows progress on a terminal. */
export const runRequest = async (cli: Cli, factotum: Factotum, request: unknown): Promise<Finished> => {
  using interrupt = watchForInterrupt(cli.err);
  using _bars =
    cli.err.isTerminal && !cli.wants.quiet ? (await import('./progress-bars.ts')).showProgress(cli, factotum.progress) : undefined;
  const result = await factotum.run(request, { signal: interrupt.signal });
  return { result: factotum.masker.known(result) as RunResult, wasInterrupted: interrupt.signal.aborted }; // masking keeps the shape
};
