import { configuredSchedule } from '../../services/scheduler/from-config.ts';
import { configuredWatcher } from '../../services/watchers/from-config.ts';
import type { Config, LoadedConfig } from '../config/load-config.ts';
import type { State } from '../state/state.ts';
import type { Part } from './change.ts';

type Events = Pick<State, 'scheduler' | 'watchers'>;

/** Makes the jobs and watchers of a configuration those of the store; what was made at run time stays. */
export const takeEvents = async ({ scheduler, watchers }: Events, config: Config): Promise<void> => {
  await scheduler.configure(config.schedules.map(configuredSchedule));
  await watchers.configure(config.watchers.map(configuredWatcher));
};

/** The jobs and watchers of a configuration. */
export const createEventsPart = (events: Events, current: () => LoadedConfig): Part => ({
  prepare({ config }) {
    for (const entry of config.schedules) events.scheduler.check(configuredSchedule(entry));
    for (const entry of config.watchers) events.watchers.check(configuredWatcher(entry));
    let isBegun = false;
    return {
      apply() {
        isBegun = true;
        return takeEvents(events, config);
      },
      async revert() {
        if (isBegun) await takeEvents(events, current().config);
      },
    };
  },
});
