import type { Command } from 'commander';
import type { History } from '../app/history.ts';
import type { Cli } from './cli.ts';
import { openConfig } from './config-option.ts';

/** Opens the store that a command line means; the code for it is loaded only then. */
export const openHistoryOf = async (cli: Cli, parser: Command): Promise<History> => {
  const { config } = await openConfig(cli, parser);
  const { openHistory } = await import('../app/history.ts');
  return openHistory({ config: config.store, env: cli.env });
};
