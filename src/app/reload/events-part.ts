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

export interface EventsPartRules {
  readonly current: () => LoadedConfig;
  /** What is wrong with the lists of a configuration, asked once its plugins are there. */
  check(next: LoadedConfig): Promise<Error | undefined>;
}

/** The jobs and watchers of a configuration. */
export const createEventsPart = (events: Events, { current, check }: EventsPartRules): Part => ({
  prepare(next) {
    const { config } = next;
    for (const entry of config.schedules) events.scheduler.check(configuredSchedule(entry));
    for (const entry of config.watchers) events.watchers.check(configuredWatcher(entry));
    let isBegun = false;
    return {
      async apply() {
        const fault = await check(next);
        if (fault !== undefined) throw fault;
        isBegun = true;
        await takeEvents(events, config);
      },
      async revert() {
        if (isBegun) await takeEvents(events, current().config);
      },
    };
  },
});
