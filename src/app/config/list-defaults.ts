import type { ListDefaults } from '../../core/list-defaults.ts';
import type { NetworkSettings } from '../factotum.ts';
import type { Config } from './load-config.ts';

/** How other machines are reached. */
export const networkSettingsOf = ({ network }: Config): NetworkSettings => ({ privateHosts: network.private_hosts });

/** What holds where a list does not say otherwise. */
export const listDefaultsOf = ({ limits, defaults }: Config): ListDefaults => ({
  maxCommands: limits.commands,
  executedCommands: limits.executed_commands,
  runBytes: limits.run_bytes,
  maxWorkers: defaults.max_workers,
  validateFirst: defaults.validate_first,
  ...(defaults.quota !== undefined && { maxBytes: defaults.quota.max_bytes, maxSeconds: defaults.quota.max_seconds }),
});
