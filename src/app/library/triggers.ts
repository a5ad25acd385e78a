import { ExecuteActionException, RecordedException } from '../../core/errors.ts';
import type { WatcherSnapshot, WatchRules } from '../../core/ports/watchers.ts';
import type { ActionMap } from '../actions.generated.ts';
import { sharedFactotum } from '../shared-factotum.ts';

type List = readonly unknown[] | { readonly [key: string]: unknown };

/** The watchers of the shared instance. */
export interface TriggerManager {
  /** Runs a list when files change. References in it are read when it runs. */
  start(name: string, path: string, actions: List, options?: Partial<WatchRules>): Promise<WatcherSnapshot>;
  stop(name: string): Promise<WatcherSnapshot>;
  stopAll(): Promise<readonly WatcherSnapshot[]>;
  list(): Promise<readonly WatcherSnapshot[]>;
}

/** Runs lists when files change, through the shared instance, which is built at first use. */
export const triggerManager: TriggerManager = {
  start: (name, path, action_list, options = {}) => ask('FA_watch_start', { name, path, action_list, ...argumentsOf(options) }),
  stop: (name) => ask('FA_watch_stop', { name }),
  stopAll: () => ask('FA_watch_stop_all', {}),
  list: () => ask('FA_watch_list', {}),
};

/** Arguments go as they are: a list that is stored keeps its references. */
const ask = async <N extends keyof ActionMap>(name: N, args: ActionMap[N]['args']): Promise<ActionMap[N]['value']> => {
  const { results } = await sharedFactotum().run([[name, args]]);
  const [outcome] = results;
  if (outcome?.error !== undefined) throw new RecordedException(outcome.error);
  if (outcome?.status !== 'ok') throw new ExecuteActionException(`${name} ended as ${outcome?.status ?? 'nothing'}; call it again.`);
  // The action's own definition is where the map of types comes from.
  return outcome.value as ActionMap[N]['value'];
};

type Rules = Omit<ActionMap['FA_watch_start']['args'], 'name' | 'path' | 'action_list'>;

const argumentsOf = (options: Partial<WatchRules>): Rules => ({
  ...(options.events !== undefined && { events: options.events }),
  ...(options.recursive !== undefined && { recursive: options.recursive }),
  ...(options.include !== undefined && { include: options.include }),
  ...(options.exclude !== undefined && { exclude: options.exclude }),
  ...(options.settleS !== undefined && { settle_s: options.settleS }),
  ...(options.readyMarker !== undefined && { ready_marker: options.readyMarker }),
  ...(options.debounceS !== undefined && { debounce_s: options.debounceS }),
  ...(options.batch !== undefined && { batch: options.batch }),
  ...(options.onBusy !== undefined && { on_busy: options.onBusy }),
  ...(options.rescanS !== undefined && { rescan_s: options.rescanS }),
  ...(options.poll !== undefined && { poll: options.poll }),
  ...(options.pollS !== undefined && { poll_s: options.pollS }),
});
