import type { Log } from '../../core/ports.ts';
import type { LoadedConfig } from './load-config.ts';

/** Says at the start which references lead nowhere: that of a sink would be found out when somebody should be told of something else. */
export const tellMissingSecrets = async ({ checkReferences }: Pick<LoadedConfig, 'checkReferences'>, log: Log): Promise<void> => {
  for (const { key, reference, ok, message = '' } of await checkReferences())
    if (!ok) log('warn', `a secret of the configuration is missing: ${message}`, { key, reference });
};
