import { type Command, Option } from 'commander';
import type { History, ShownRun } from '../app/command-line/history.ts';
import type { Cli } from './cli.ts';
import { openConfig } from './config-option.ts';
import { usageFault } from './faults.ts';
import { warn } from './terminal/warn.ts';

/** `--no-history`. */
export const historyOption = (): Option => new Option('--no-history', 'Keep no record of the run; then it cannot be undone.');

/** Opens the store that a command line means; the code for it is loaded only then. Runs that the command line has left are in it. */
export const openHistoryOf = async (cli: Cli, parser: Command): Promise<History> => {
  const loaded = await openConfig(cli, parser);
  const { openHistory } = await import('../app/command-line/history.ts');
  const history = openHistory({ config: loaded.config.store, loaded, env: cli.env, warn: (message) => warn(cli, message) });
  await history.store.ready();
  return history;
};

/** The run of this name. A name that nobody knows is a slip at the command line, like any other there. */
export const demandRun = async (store: History['store'], runId: string): Promise<ShownRun> => {
  const run = await store.run(runId);
  if (run === null) throw noRun(runId);
  return run;
};

export const noRun = (runId: string) => usageFault(`No run is called ${runId}; factotum runs lists them.`);
