import { listDefaultsOf, networkSettingsOf } from '../config/list-defaults.ts';
import type { Instance } from '../instance/instance.ts';
import type { State } from '../state/state.ts';
import type { Part } from './change.ts';

export interface SettingsParts {
  readonly factotum: Pick<Instance, 'adjust' | 'masker'>;
  readonly notifier: State['notifier'];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the command line says of the log; it is stronger than the configuration. */
  readonly log?: Parameters<Instance['adjust']>[0]['log'];
}

/** Sinks, log, defaults and guards of a configuration: what is only remembered, so that taking it over cannot fail. */
export const createSettingsPart = ({ factotum, notifier, env, log }: SettingsParts): Part => ({
  async prepare(next) {
    await next.resolveSection('notify'); // a sink whose secret is missing would be found out when it is needed
    const { config } = next;
    const connections = { tables: config.connections, resolve: next.resolve };
    return {
      apply() {
        notifier.configure(config.notify.sinks, { dedupMs: config.defaults.dedup_seconds * 1000, resolveSecret: next.resolve });
        factotum.adjust({
          log: { ...config.log, ...log },
          defaults: listDefaultsOf(config),
          guards: config.defaults.actions,
          outbound: networkSettingsOf(config),
          connections,
        });
        for (const name of config.secrets.env) factotum.masker.learn(env[name] ?? '');
      },
      revert() {},
    };
  },
});
