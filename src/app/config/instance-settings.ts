import type { InstanceOptions } from '../instance/instance.ts';
import { listDefaultsOf, networkSettingsOf } from './list-defaults.ts';
import type { LoadedConfig } from './load-config.ts';

/** What the configuration says of every instance, whoever comes in through whatever door. */
export const instanceSettingsOf = ({
  config,
  resolve,
}: LoadedConfig): Pick<InstanceOptions, 'secretVariables' | 'defaults' | 'guards' | 'outbound' | 'connections'> => ({
  secretVariables: config.secrets.env,
  defaults: listDefaultsOf(config),
  guards: config.defaults.actions,
  outbound: networkSettingsOf(config),
  connections: { tables: config.connections, resolve },
});
