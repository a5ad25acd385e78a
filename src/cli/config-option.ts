import { type Command, Option } from 'commander';
import type { LoadedConfig } from '../app/config/load-config.ts';
import type { Cli } from './cli.ts';
import { addOption } from './parser.ts';

/** Adds `--config`. */
export const addConfigOption = (parser: Command): void =>
  addOption(parser, new Option('--config <file>', 'The configuration file; else the one that is found.'));

/** Loads the configuration that a command line means; the code for it is loaded only then. */
export const openConfig = async ({ env }: Cli, parser: Command): Promise<LoadedConfig> => {
  const { loadConfig } = await import('../app/config/load-config.ts');
  return loadConfig({ path: parser.opts<{ config?: string }>().config, env, cwd: process.cwd() });
};
